"""The coming deadlines of a reader as a chart: a line of days with a pin for each table that waits for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator

from games.models import Seat
from games.pages.timing import Deadline
from games.services.clocks.moment import now

WIDTH, LINE, MARGIN = 320, 62, 6
"""The width of the chart, and the height and margin of its line, in units of the chart."""
ROWS = (44, 18)
"""The heights of the names beside the pins."""
LOW = 56
"""The height of pins without a name, below the names of others."""
LETTER, GAP = 6.6, 16
"""The width of a letter, and the space that a pin and its name need beside it."""
MAX_LETTERS = 14
MIN_PINS = 3
"""A chart of fewer tables says nothing that the list does not."""
SHORTEST, LONGEST = timedelta(days=2), timedelta(days=7)
"""The span of the chart."""


@dataclass(frozen=True)
class Pin:
    """One table on the chart."""

    x: float
    y: int
    name: str
    """Empty if there is no room for it."""
    is_left: bool
    """Whether the name stands to the left of the pin."""
    is_near: bool


@dataclass(frozen=True)
class Week:
    pins: Sequence[Pin]
    days: Sequence[tuple[float, str]]
    """The beginning of each day: its place on the line, and its name."""


def of(waiting: Sequence[tuple[Deadline, Sequence[Seat]]]) -> Week | None:
    """The chart of the tables that wait for a reader, given by deadline and opponents; `None` if few of them are due
    within a week."""
    start = now()
    due = sorted((pair for pair in waiting if start < pair[0].at <= start + LONGEST), key=lambda pair: pair[0].at)
    if len(due) < MIN_PINS:
        return None
    span = max(due[-1][0].at - start, SHORTEST)

    def place(at: datetime) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * ((at - start) / span), 1)

    pins = _pins([(place(deadline.at), _name(others), deadline.is_near) for deadline, others in due])
    return Week(tuple(pins), [(place(day), date_format(day, "D")) for day in _days(start, start + span)])


def _pins(wanted: Sequence[tuple[float, str, bool]]) -> Iterator[Pin]:
    """Each pin with its name in the first row that has room, on its right, or near the end of the line on its left."""
    ends = dict.fromkeys(ROWS, 0.0)
    for x, name, is_near in wanted:
        width = GAP + LETTER * len(name)
        is_left = x + width > WIDTH
        begin, end = (x - width, x + GAP) if is_left else (x, x + width)
        y = next((row for row in ROWS if ends[row] <= begin), None)
        if y is not None:
            ends[y] = end
        yield Pin(x, y or LOW, name if y is not None else "", is_left, is_near)


def _name(others: Sequence[Seat]) -> str:
    more = f" +{len(others) - 1}" if len(others) > 1 else ""
    return Truncator(str(others[0])).chars(MAX_LETTERS - len(more)) + more if others else ""


def _days(start: datetime, end: datetime) -> Iterator[datetime]:
    """The midnights between two instants, by the reader's clock."""
    day = timezone.localtime(start).date() + timedelta(days=1)
    while (midnight := timezone.make_aware(datetime.combine(day, datetime.min.time()))) <= end:
        yield midnight
        day += timedelta(days=1)
