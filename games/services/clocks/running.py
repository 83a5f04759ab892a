"""The running clock of a game: started by a turn, read by every decision, and set again when its deadline changes."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any, TypedDict

from accounts.models import User
from games.models import Game, Seat, Vacation
from games.rules import codec
from games.services.clocks import arithmetic
from games.services.clocks.arithmetic import DAY, NOTHING, Pace, Quiet, Span
from games.wording import times

HOUR = timedelta(hours=1)
PACES = {
    Game.Pace.FAST: Pace(bank=24 * HOUR, increment=8 * HOUR, cap=3 * DAY),
    Game.Pace.NORMAL: Pace(bank=3 * DAY, increment=12 * HOUR, cap=7 * DAY),
    Game.Pace.RELAXED: Pace(bank=5 * DAY, increment=24 * HOUR, cap=14 * DAY),
}


class ClockFields(TypedDict, total=False):
    """Fields of a game that say whose clock is running, or which bot is to act."""

    bot_to_act: str | None
    turn_number: int
    carried: timedelta
    quiet: dict[str, Any]
    clock_started_at: datetime | None
    deadline: datetime | None


STOPPED: ClockFields = {"clock_started_at": None, "deadline": None}
"""The fields of a game without a running clock."""


@dataclass(frozen=True)
class Reading:
    """The state of a clock at an instant."""

    left: timedelta | None
    """`None` without a clock."""
    used: timedelta
    """Time since the last decision, not counting the time in which the clock was stopped."""


def pace(game: Game) -> Pace | None:
    """The pace of the game; `None` without a clock."""
    return arithmetic.days_a_move(game.days) if game.days else PACES.get(Game.Pace(game.pace))


def agreed(game: Game) -> list[str]:
    """The terms of a table with a clock, in sentences."""
    found = pace(game)
    return list(times.agreed(game, *astuple(found))) if found else []


def quiet_of(user: User) -> Quiet:
    """The user's current quiet hours and days off; the game stores those of a running turn."""
    none = time(0)
    return Quiet(user.zone.key, user.quiet_from or none, user.quiet_until or none, tuple(user.days_off))


def stops(game: Game, seat: Seat, quiet: Quiet, start: datetime, end: datetime) -> Sequence[Span]:
    """The vacations of the seat's owner, and their days off between these instants; none if the table ignores
    them."""
    if not game.vacations:
        return ()
    # A user may have had many that are over.
    vacations = Vacation.objects.filter(user=seat.user_id, ends_at__gt=start).values_list("begins_at", "ends_at")
    return [*vacations, *quiet.off(start, end)]


def begin(game: Game, seat: Seat | None, number: int, at: datetime) -> ClockFields:
    """The fields of a game in which that seat's turn begins with that decision. Without a seat, the game is over. No
    clock runs for a bot or during a pause."""
    fields: ClockFields = {"turn_number": number, "carried": NOTHING, "quiet": {}, **STOPPED}
    fields["bot_to_act"] = (seat and seat.acting_bot) or None
    if seat is None or seat.user is None or seat.acting_bot or seat.bank is None:
        return fields
    quiet = quiet_of(seat.user)
    fields["quiet"] = codec.dump(quiet)
    if game.paused_at is None:
        fields |= {"clock_started_at": at, "deadline": _runs_out(game, seat, at, quiet)}
    return fields


def read(game: Game, seat: Seat, at: datetime) -> Reading:
    """Read the clock of the seat to act."""
    start = game.clock_started_at
    if start is None:
        stands = seat.bank is not None and not seat.acting_bot and game.paused_at is not None
        return Reading(seat.bank, game.carried if stands else at - game.changed_at)
    # The clocks of two machines may differ a little; the result must not be negative.
    spent = max(arithmetic.used(start, at, stops(game, seat, quiet_kept(game), start, at)), NOTHING)
    assert seat.bank is not None
    return Reading(max(seat.bank - spent, NOTHING), game.carried + spent)


def kept(game: Game, seat: Seat, at: datetime) -> Reading:
    """Read the clock of the seat to act in order to stop it. If its time is used up but quiet hours still put off the
    end, the player keeps the time until then, which everybody has seen."""
    clock = read(game, seat, at)
    if clock.left == NOTHING and game.deadline and game.deadline > at:
        spans = stops(game, seat, quiet_kept(game), at, game.deadline)
        return replace(clock, left=arithmetic.used(at, game.deadline, spans))
    return clock


def deadline(game: Game, seat: Seat) -> datetime | None:
    """When the clock of the seat to act runs out, with the current vacations; `None` if it does not run."""
    if game.clock_started_at is None:
        return None
    return _runs_out(game, seat, game.clock_started_at, quiet_kept(game))


def when_left(game: Game, seat: Seat, shares: Iterable[int]) -> list[datetime]:
    """When these percentages are left of the time that the running clock of the seat to act had when it started. Quiet
    hours, which only put off its end, do not count."""
    start, end, bank = game.clock_started_at, game.deadline, seat.bank
    assert start is not None
    assert end is not None
    assert bank is not None
    # Most clocks run without a stop.
    spans = stops(game, seat, quiet_kept(game), start, end) if end - start > bank else ()
    return [arithmetic.runs_out(start, bank * (100 - share) / 100, Quiet(), spans) for share in shares]


def restart(game: Game, seat: Seat, at: datetime) -> ClockFields:
    """The fields of a game in which the clock of the seat to act restarts with the time in its bank."""
    return {"clock_started_at": at, "deadline": _runs_out(game, seat, at, quiet_kept(game))}


def postponed(game: Game, seat: Seat, instant: datetime) -> datetime:
    """The instant itself, or the first one after it at which the clock of the seat to act may run out."""
    return _ends(game, seat, instant, NOTHING, quiet_kept(game))


def _runs_out(game: Game, seat: Seat, start: datetime, quiet: Quiet) -> datetime:
    assert seat.bank is not None
    return _ends(game, seat, start, seat.bank, quiet)


def _ends(game: Game, seat: Seat, start: datetime, left: timedelta, quiet: Quiet) -> datetime:
    # Two days off a week and a whole year's vacation end within this time.
    far = start + 2 * left + 60 * DAY
    return arithmetic.runs_out(start, left, quiet, stops(game, seat, quiet, start, far))


def quiet_kept(game: Game) -> Quiet:
    """The quiet hours and days off of the player to act, as they were when the turn began."""
    return codec.load(game.quiet, Quiet) if game.quiet else Quiet()
