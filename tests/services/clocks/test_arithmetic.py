"""The arithmetic of clocks in many time zones, and on days when summer time begins or ends."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.services.clocks.arithmetic import NOTHING, Pace, Quiet, Span, after_turn, days_a_move, runs_out, used

ZONES = (
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
)
HOUR = timedelta(hours=1)
instants = st.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))
lengths = st.timedeltas(NOTHING, timedelta(days=15))


@st.composite
def quiets(draw: st.DrawFn) -> Quiet:
    """Quiet hours of at most ten hours a day."""
    start, minutes = draw(st.integers(0, 1439)), draw(st.integers(0, 600))
    end = (start + minutes) % 1440
    return Quiet(draw(st.sampled_from(ZONES)), time(start // 60, start % 60), time(end // 60, end % 60))


spans = st.lists(st.tuples(instants, st.timedeltas(HOUR, timedelta(days=21))), max_size=3).map(
    lambda drawn: [(begin, begin + length) for begin, length in drawn]
)


def away(instant: datetime, vacations: list[Span]) -> bool:
    return any(begin <= instant < end for begin, end in vacations)


@given(instants, lengths, quiets(), spans)
def test_no_clock_runs_out_in_protected_time(
    start: datetime, left: timedelta, quiet: Quiet, vacations: list[Span]
) -> None:
    end = runs_out(start, left, quiet, vacations)
    assert end >= start + left
    assert not quiet.covers(end)
    assert not away(end, vacations)
    # No time is lost, and time is added only by quiet hours and vacations.
    assert used(start, end, vacations) >= left
    if end > start + left and not vacations:
        assert quiet.covers(end - timedelta(microseconds=1)) or quiet.covers(end - timedelta(minutes=61))


@given(instants, lengths, quiets(), spans, st.integers(1, 9))
def test_time_left_never_grows_by_itself(
    start: datetime, left: timedelta, quiet: Quiet, vacations: list[Span], parts: int
) -> None:
    end = runs_out(start, left, quiet, vacations)
    instants_between = [start + (end - start) * part / parts for part in range(parts + 1)]
    lefts = [max(left - used(start, at, vacations), NOTHING) for at in instants_between]
    assert lefts == sorted(lefts, reverse=True)
    assert lefts[-1] == NOTHING


@given(instants, lengths, quiets(), spans, st.randoms(use_true_random=False))
def test_the_order_of_vacations_does_not_matter(
    start: datetime, left: timedelta, quiet: Quiet, vacations: list[Span], random: object
) -> None:
    shuffled = list(vacations)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert runs_out(start, left, quiet, vacations) == runs_out(start, left, quiet, shuffled)
    assert used(start, start + left, vacations) == used(start, start + left, shuffled)


@given(instants, lengths, lengths, lengths)
def test_a_pause_keeps_the_time_left(start: datetime, left: timedelta, ran: timedelta, paused: timedelta) -> None:
    pause = start + min(ran, left)
    kept = left - used(start, pause)
    resumed = pause + paused
    assert runs_out(resumed, kept, Quiet()) - paused == runs_out(start, left, Quiet())


@given(instants, lengths, quiets(), spans, st.floats(0, 1))
def test_a_clock_read_and_started_again_runs_out_at_the_same_instant(
    start: datetime, left: timedelta, quiet: Quiet, vacations: list[Span], share: float
) -> None:
    end = runs_out(start, left, quiet, vacations)
    between = start + (end - start) * share
    rest = max(left - used(start, between, vacations), NOTHING)
    assert runs_out(between, rest, quiet, vacations) == end


@given(instants, lengths, quiets(), spans, st.lists(st.integers(0, 6), max_size=2, unique=True), st.floats(0, 1))
def test_no_clock_runs_on_days_off(
    start: datetime, left: timedelta, quiet: Quiet, vacations: list[Span], days: list[int], share: float
) -> None:
    resting = replace(quiet, days_off=tuple(days))
    stops = [*vacations, *resting.off(start, start + timedelta(days=120))]
    end = runs_out(start, left, resting, stops)
    assert end.astimezone(ZoneInfo(quiet.zone)).weekday() not in days
    assert end >= runs_out(start, left, quiet, vacations)
    between = start + (end - start) * share
    rest = max(left - used(start, between, [*vacations, *resting.off(start, between)]), NOTHING)
    assert runs_out(between, rest, resting, stops) == end


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Paris", "2026-03-29", 23),
        ("Europe/Paris", "2026-10-25", 25),
        ("Asia/Kolkata", "2026-03-29", 24),
    ],
)
def test_a_day_off_is_a_day_of_its_owner(zone: str, day: str, hours: int) -> None:
    noon = datetime.fromisoformat(day).replace(hour=6, tzinfo=UTC)
    [(begin, end)] = Quiet(zone, days_off=(6,)).off(noon, noon + HOUR)
    assert end - begin == hours * HOUR
    assert begin.astimezone(ZoneInfo(zone)).isoformat()[:16] == f"{day}T00:00"


@given(instants, quiets())
def test_a_reminder_due_in_quiet_hours_comes_before_them(instant: datetime, quiet: Quiet) -> None:
    before = quiet.before(instant)
    assert not quiet.covers(before)
    assert instant - timedelta(hours=12) <= before <= instant
    assert quiet.covers(instant) or before == instant


@given(lengths)
def test_an_increment_is_credited_up_to_the_cap(left: timedelta) -> None:
    pace = Pace(24 * HOUR, 8 * HOUR, 72 * HOUR)
    assert after_turn(pace, left) == min(left + 8 * HOUR, 72 * HOUR)
    assert after_turn(days_a_move(3), left) == 72 * HOUR


@pytest.mark.parametrize(
    ("zone", "start", "hours", "expected"),
    [
        ("Europe/Paris", "2026-03-28 20:00", 4, "2026-03-29 06:00"),  # the night is an hour shorter
        ("Europe/Paris", "2026-10-24 20:00", 4, "2026-10-25 07:00"),  # and an hour longer
        ("Europe/Paris", "2026-11-21 20:00", 4, "2026-11-22 07:00"),
        ("America/New_York", "2026-11-21 12:00", 4, "2026-11-21 16:00"),  # no time by day is protected
    ],
)
def test_a_deadline_at_night_moves_to_the_morning(zone: str, start: str, hours: int, expected: str) -> None:
    night = Quiet(zone, time(23), time(8) if zone == "Europe/Paris" else time(7))
    began = datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert runs_out(began, hours * HOUR, night) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


def test_skipped_hours_of_a_zone_end_the_night_later() -> None:
    """On that day the time 02:30 does not exist in Paris."""
    night = Quiet("Europe/Paris", time(22), time(2, 30))
    morning = night.over(datetime(2026, 3, 29, 0, 30, tzinfo=UTC))
    assert morning.astimezone(ZoneInfo("Europe/Paris")).time() in (time(3), time(3, 30))
