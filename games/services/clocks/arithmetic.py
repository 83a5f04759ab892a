"""The arithmetic of clocks: pure functions on UTC instants. `running` applies them to rows.

A seat's clock starts when its turn begins, and stops during a vacation and on its owner's days off. If it would run out
in its owner's quiet hours, it runs out at their end instead, so that nobody loses a game while asleep. Otherwise clocks
run during quiet hours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

NOTHING: Final = timedelta(0)
DAY: Final = timedelta(days=1)
QUARTER: Final = timedelta(minutes=15)

Span = tuple[datetime, datetime]
"""A vacation or a day off: its beginning, and its end (exclusive)."""


@dataclass(frozen=True)
class Pace:
    """The time of a seat: the amount at the start, the increment after every turn, and the cap."""

    bank: timedelta
    increment: timedelta
    cap: timedelta


def days_a_move(days: int) -> Pace:
    """A pace with the same time for every turn; unused time does not carry over."""
    return Pace(days * DAY, days * DAY, days * DAY)


@dataclass(frozen=True)
class Quiet:
    """Hours of the day, in a user's time zone, in which their clocks do not run out. They cross midnight if `start` is
    later than `end`; if both are equal there are none. On days off their clocks stop."""

    zone: str = "UTC"
    start: time = time(0)
    end: time = time(0)
    days_off: tuple[int, ...] = ()
    """Days of the week; Monday is 0."""

    def covers(self, instant: datetime) -> bool:
        """Whether the instant falls into the quiet hours."""
        wall = instant.astimezone(ZoneInfo(self.zone)).time()
        if self.start <= self.end:
            return self.start <= wall < self.end
        return wall >= self.start or wall < self.end

    def over(self, instant: datetime) -> datetime:
        """The first instant from this one on that is not quiet. If a change to summer time skips the end of the quiet
        hours, they end later by the skipped time."""
        while self.covers(instant):
            local = instant.astimezone(ZoneInfo(self.zone))
            day = local.date() + DAY if local.time() >= self.end else local.date()
            ends = (
                datetime.combine(day, self.end, ZoneInfo(self.zone)).replace(fold=fold).astimezone(instant.tzinfo)
                for fold in (0, 1)
            )
            instant = min(end for end in ends if end > instant)
        return instant

    def off(self, start: datetime, end: datetime) -> list[Span]:
        """The days off between two instants; the first may begin earlier and the last end later."""
        if not self.days_off:
            return []
        zone = ZoneInfo(self.zone)
        days = (start.astimezone(zone).date() + number * DAY for number in range((end - start).days + 2))
        midnights = (
            (datetime.combine(day + after * DAY, time(0), zone) for after in (0, 1))
            for day in days
            if day.weekday() in self.days_off
        )
        spans = ((begin.astimezone(UTC), back.astimezone(UTC)) for begin, back in midnights)
        return [(begin, back) for begin, back in spans if begin < end and back > start]

    def before(self, instant: datetime) -> datetime:
        """The instant itself, or if it is quiet, one shortly before these quiet hours."""
        while self.covers(instant):
            instant -= QUARTER
        return instant


def runs_out(start: datetime, left: timedelta, quiet: Quiet, vacations: Sequence[Span] = ()) -> datetime:
    """When a clock that has `left` at the start runs out."""
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
    """The instant itself, or the end of the vacation that it falls into."""
    return max((end for begin, end in vacations if begin <= instant < end), default=instant)


def used(start: datetime, end: datetime, vacations: Sequence[Span] = ()) -> timedelta:
    """How long a clock ran between two instants, vacations excluded."""
    total, at = end - start, start
    for begin, back in sorted(vacations):
        begin, back = max(begin, at), min(back, end)
        if back > begin:
            total -= back - begin
            at = back
    return total


def after_turn(pace: Pace, left: timedelta) -> timedelta:
    """The time left at the start of the next turn, after a turn that ended with `left`."""
    return min(pace.cap, left + pace.increment)
