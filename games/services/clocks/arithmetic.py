"""The arithmetic of clocks: pure, in UTC instants; who writes what of it into which row is told elsewhere.

A seat's clock runs from the moment its turn begins. It stands during a vacation. Where it would run out in the quiet
hours of its owner it runs on to their end, so that nobody loses a game asleep; hours that pass otherwise count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

NOTHING: Final = timedelta(0)
DAY: Final = timedelta(days=1)
QUARTER: Final = timedelta(minutes=15)

Span = tuple[datetime, datetime]
"""A vacation: it begins, and ends before the second instant."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time a seat has: at the start, more after every turn, and never more than the cap."""

    bank: timedelta
    increment: timedelta
    cap: timedelta


def days_a_move(days: int) -> Pace:
    """The same time for every turn, none of it kept."""
    return Pace(days * DAY, days * DAY, days * DAY)


@dataclass(frozen=True, slots=True)
class Quiet:
    """Hours of the day, in a person's zone, in which no clock of theirs runs out: from `start`, and over midnight if
    that is later than `end`; none if both are equal."""

    zone: str = "UTC"
    start: time = time(0)
    end: time = time(0)

    def covers(self, instant: datetime) -> bool:
        """Whether the clock on that person's wall shows a quiet hour."""
        wall = instant.astimezone(ZoneInfo(self.zone)).time()
        if self.start <= self.end:
            return self.start <= wall < self.end
        return wall >= self.start or wall < self.end

    def over(self, instant: datetime) -> datetime:
        """The first instant from that one on that is not quiet; where the zone skips the end of the quiet hours, the
        skipped time later."""
        while self.covers(instant):
            local = instant.astimezone(ZoneInfo(self.zone))
            day = local.date() + DAY if local.time() >= self.end else local.date()
            ends = (
                datetime.combine(day, self.end, ZoneInfo(self.zone)).replace(fold=fold).astimezone(instant.tzinfo)
                for fold in (0, 1)
            )
            instant = min(end for end in ends if end > instant)
        return instant

    def before(self, instant: datetime) -> datetime:
        """That instant, or one shortly before the quiet hours that it falls into."""
        while self.covers(instant):
            instant -= QUARTER
        return instant


def runs_out(start: datetime, left: timedelta, quiet: Quiet, vacations: Sequence[Span] = ()) -> datetime:
    """When a clock runs out on which `left` is left at the start."""
    at = start
    for begin, end in sorted(vacations):
        if begin - at > left:
            break
        if end > at:
            left -= max(begin - at, NOTHING)
            at = end
    at += left
    while (later := _back(quiet.over(at), vacations)) != at:
        at = later
    return at


def _back(instant: datetime, vacations: Sequence[Span]) -> datetime:
    """That instant, or the end of the vacation that it falls into."""
    return max((end for begin, end in vacations if begin <= instant < end), default=instant)


def used(start: datetime, end: datetime, vacations: Sequence[Span] = ()) -> timedelta:
    """How long a clock ran between two instants."""
    total, at = end - start, start
    for begin, back in sorted(vacations):
        begin, back = max(begin, at), min(back, end)
        if back > begin:
            total -= back - begin
            at = back
    return total


def after_turn(pace: Pace, left: timedelta, spent: timedelta) -> timedelta:
    """What is left when the next turn begins, once that much was spent on this one."""
    return min(pace.cap, max(left - spent, NOTHING) + pace.increment)
