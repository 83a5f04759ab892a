"""The site's only source of the current time."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.utils import timezone

_back: ContextVar[timedelta] = ContextVar("_back", default=timedelta(0))


def now() -> datetime:
    """The current instant, in UTC."""
    return timezone.now() - _back.get()


@contextmanager
def ago(time: timedelta) -> Iterator[None]:
    """Inside the block, `now` is earlier by that time, so that a demo can have a past. Nested blocks add up."""
    before = _back.set(_back.get() + time)
    try:
        yield
    finally:
        _back.reset(before)
