"""The chart of the coming deadlines on the dashboard."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.models import User
from games.models import Seat
from games.pages import week
from games.pages.timing import Deadline

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def due(hours: float, *names: str) -> tuple[Deadline, list[Seat]]:
    left = timedelta(hours=hours)
    return Deadline(NOON + left, left, "", ""), [Seat(user=User(username=name)) for name in names]


@pytest.fixture(autouse=True)
def noon() -> object:
    with time_machine.travel(NOON, tick=False):
        yield


def test_pins_stand_at_their_deadlines_and_days_at_midnight() -> None:
    chart = week.of([due(96, "cleo"), due(2, "ana"), due(48, "ben", "dan")])
    assert chart
    assert [(pin.x, pin.name, pin.is_near) for pin in chart.pins] == [
        (12.4, "ana", True),
        (160.0, "ben +1", False),
        (314.0, "cleo", False),
    ]
    assert chart.days == [(44.5, "Sat"), (121.5, "Sun"), (198.5, "Mon"), (275.5, "Tue")]


def test_few_tables_and_distant_deadlines_make_no_chart() -> None:
    assert week.of([due(2, "ana"), due(48, "ben")]) is None
    assert week.of([due(2, "ana"), due(48, "ben"), due(200, "cleo"), due(-1, "dan")]) is None


def test_names_never_overlap() -> None:
    chart = week.of([due(hours, "a name of many letters") for hours in (1, 2, 3, 80, 90, 100)])
    assert chart
    assert [bool(pin.name) for pin in chart.pins] == [True, True, False, True, True, False]
    assert [pin.y for pin in chart.pins if not pin.name] == [week.LOW] * 2
    for row in week.ROWS:
        ends = 0.0
        for pin in (pin for pin in chart.pins if pin.y == row and pin.name):
            width = week.LETTER * len(pin.name)
            assert pin.x - width * pin.is_left >= ends
            ends = pin.x + width * (not pin.is_left)
            assert ends <= week.WIDTH
