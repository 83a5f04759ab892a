"""The only source of the current time for everything that happens in games. Machines that share a PostgreSQL server go
by its clock, so one whose own clock is wrong neither takes time from players nor gives them any."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

log = logging.getLogger(__name__)

SLIGHT, WRONG = timedelta(seconds=2), timedelta(hours=1)
"""Differences between clocks below the first are not corrected, nor are those above the second, which must have another
cause."""

_back: ContextVar[timedelta] = ContextVar("_back", default=timedelta(0))
_ahead = timedelta(0)
"""How far this machine's clock is ahead of the database's, if that is corrected."""
_logged = timedelta(0)
"""How far it was ahead when that was logged."""


def now() -> datetime:
    """The current instant, in UTC."""
    return timezone.now() - _ahead - _back.get()


def compare(connection: BaseDatabaseWrapper) -> None:
    """Compare this machine's clock with that of a PostgreSQL server, and correct it from now on."""
    global _ahead, _logged
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [theirs] = cursor.fetchone()
    found = timezone.now() - theirs
    _ahead = found if SLIGHT < abs(found) < WRONG else timedelta(0)
    if abs(found - _logged) > SLIGHT:
        log.warning("This machine's clock is %.0f s ahead of the database's.", found.total_seconds())
        if abs(found) >= WRONG:
            log.error("The difference is too large to correct. Set these clocks.")
        _logged = found


@contextmanager
def ago(time: timedelta) -> Iterator[None]:
    """Inside the block, `now` is earlier by that time, so that a demo can have a past. Nested blocks add up."""
    before = _back.set(_back.get() + time)
    try:
        yield
    finally:
        _back.reset(before)
