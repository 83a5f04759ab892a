import os
from typing import Any

from celery import Celery, signals
from django.conf import settings

from games.management.supervisor import end_with

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")

app = Celery("splendor_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

_main = os.getpid()


def _end_with_the_worker(**_: Any) -> None:
    """Beat and those who do the tasks do not outlive the process that started them."""
    end_with(_main)


def _warm_up(instance: Any, **_: Any) -> None:
    """Who thinks is given what the bots think with, compiled and shared, before the first of them is asked."""
    if "bots" in instance.app.amqp.queues.consume_from:
        os.environ.setdefault("NUMBA_CACHE_DIR", str(settings.VAR_DIR / "numba"))
        # Takes a second and much memory, of which nobody else is to know.
        from games.bots import players

        players.warm_up()


signals.beat_embedded_init.connect(_end_with_the_worker)
signals.worker_process_init.connect(_end_with_the_worker)
# Before the worker forks.
signals.celeryd_after_setup.connect(_warm_up)
