"""The one clock: all time is asked here."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.utils import timezone

_back: ContextVar[timedelta] = ContextVar("_back", default=timedelta(0))


def now() -> datetime:
    """The present instant, in UTC."""
    return timezone.now() - _back.get()


@contextmanager
def ago(time: timedelta) -> Iterator[None]:
    """Within, the present is that much earlier: so that a demo can have a past. Adds up when nested."""
    before = _back.set(_back.get() + time)
    try:
        yield
    finally:
        _back.reset(before)
