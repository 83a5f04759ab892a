import os
from typing import Any

from celery import Celery, signals
from django.conf import settings

from splendor_site.supervisor import end_with

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")

app = Celery("splendor_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

_main = os.getpid()


def _end_with_the_worker(**_: Any) -> None:
    """Beat and the pool processes end when the worker that started them dies."""
    end_with(_main)


def _warm_up(instance: Any, **_: Any) -> None:
    """Compile and load the bots' code in a bot worker before its first task; the pool processes share it."""
    if "bots" in instance.app.amqp.queues.consume_from:
        os.environ.setdefault("NUMBA_CACHE_DIR", str(settings.VAR_DIR / "numba"))
        # This import takes a second and much memory, so other processes must not do it.
        from games.bots import engines

        engines.warm_up()


signals.beat_embedded_init.connect(_end_with_the_worker)
signals.worker_process_init.connect(_end_with_the_worker)
# This runs before the worker forks.
signals.celeryd_after_setup.connect(_warm_up)
