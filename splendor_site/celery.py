import logging
import os
import socket
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from celery import Celery, Task, signals
from django.conf import settings
from django.utils.log import configure_logging
from kombu.exceptions import OperationalError
from redis.exceptions import ResponseError

from splendor_site.supervisor import end_with, share_memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
log = logging.getLogger(__name__)


class _Task(Task):  # type: ignore[misc]
    Request = "splendor_site.acknowledging:Request"


class _Celery(Celery):  # type: ignore[misc]
    def send_task(self, *arguments: Any, **options: Any) -> Any:
        """As Celery does. A broker that refuses a task, for example because its disk is full, raises the same error as
        one that cannot be reached."""
        try:
            return super().send_task(*arguments, **options)
        except ResponseError as error:
            raise OperationalError(str(error)) from error


app = _Celery("splendor_site", task_cls=_Task)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def _log_like_the_site(**_: Any) -> None:
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


signals.setup_logging.connect(_log_like_the_site)


def work(node: str, queues: list[str], processes: int, *, beat: bool = False) -> None:
    """Do the tasks of these queues until a signal."""
    main = os.getpid()

    def end_with_the_worker(**_: Any) -> None:
        """Beat and the pool processes end when the worker that started them dies."""
        end_with(main)

    signals.beat_embedded_init.connect(end_with_the_worker)
    signals.worker_process_init.connect(end_with_the_worker)
    signals.worker_before_create_process.connect(share_memory)
    if "bots" in queues:
        warm_up()
    worker = app.Worker(
        hostname=f"{node}@{socket.gethostname()}",
        queues=queues,
        concurrency=processes,
        beat=beat,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def warm_up() -> None:
    """Compile and load the bots' code before the first task; the pool processes share it. A process of its own compiles
    it, because compiling takes 300 MB that are never given back. If that fails, the worker starts nevertheless, and a
    substitute decides in place of each bot."""
    cache = settings.VAR_DIR / "numba"
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache))
    compiler = get_context("fork").Process(target=_compile, args=(os.getpid(), cache))
    compiler.start()
    compiler.join()
    if compiler.exitcode == 0:
        _load_bots()
    else:
        log.error("The bots' code cannot be compiled or loaded, so a simple bot plays in their place.")


def _compile(worker: int, cache: Path) -> None:
    end_with(worker)
    _load_bots()
    from games.bots.jit import tidy

    tidy(cache)


def _load_bots() -> None:
    # This import takes a second and much memory, so other processes must not do it.
    from games.bots import engines

    engines.warm_up()
