"""Tells the broker that a task is done. Only workers import this module."""

from typing import Any

from celery.worker import request


class Request(request.Request):  # type: ignore[misc]
    """A task that a worker has taken. If the broker cannot be told that it is done, the worker connects anew, and the
    broker hands the task out again after `visibility_timeout`. Celery would log the error and keep the connection, for
    which the task would stay taken: a worker that takes one task at a time would never take another."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # Celery suppresses errors of these types only.
        super().__init__(*args, **{**options, "connection_errors": ()})
