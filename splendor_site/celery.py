import os
from typing import Any

from celery import Celery, signals

from games.management.supervisor import end_with

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")

app = Celery("splendor_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

_main = os.getpid()


def _end_with_the_worker(**_: Any) -> None:
    """Beat and those who do the tasks do not outlive the process that started them."""
    end_with(_main)


signals.beat_embedded_init.connect(_end_with_the_worker)
signals.worker_process_init.connect(_end_with_the_worker)
