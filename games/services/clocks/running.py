"""Whose clock runs: started when a turn begins, stopped by every decision, set anew when what it hangs on changes."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, time, timedelta
from typing import Any

import msgspec

from accounts.models import User, Vacation
from games.models import Game, Seat
from games.services.clocks import arithmetic
from games.services.clocks.arithmetic import DAY, NOTHING, Pace, Quiet, Span
from games.wording import times

HOUR = timedelta(hours=1)
PACES = {
    Game.Pace.FAST: Pace(bank=24 * HOUR, increment=8 * HOUR, cap=3 * DAY),
    Game.Pace.NORMAL: Pace(bank=3 * DAY, increment=12 * HOUR, cap=7 * DAY),
    Game.Pace.RELAXED: Pace(bank=5 * DAY, increment=24 * HOUR, cap=14 * DAY),
}
STOPPED: dict[str, Any] = {"clock_started_at": None, "deadline": None}
"""The fields of a game in which no clock runs."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A clock at an instant."""

    left: timedelta | None
    """`None` where there is no clock."""
    used: timedelta
    """Since the last decision, without the time in which the clock stood."""


def pace(game: Game) -> Pace | None:
    """How much time a seat of that game has; `None` without a clock."""
    return arithmetic.days_a_move(game.days) if game.days else PACES.get(Game.Pace(game.pace))


def agreed(game: Game) -> list[str]:
    """What a table with a clock agreed on, in sentences."""
    found = pace(game)
    return list(times.agreed(game, *astuple(found))) if found else []


def quiet_of(user: User) -> Quiet:
    """That person's quiet hours now; those of a running turn are kept with the game."""
    none = time(0)
    return Quiet(user.zone.key, user.quiet_from or none, user.quiet_until or none)


def vacations_of(game: Game, seat: Seat, since: datetime) -> Sequence[Span]:
    """When the owner of the seat is away from that instant on, as far as the table allows for it."""
    if not game.vacations:
        return ()
    vacations = Vacation.objects.filter(user=seat.user_id, ends_at__gt=since)
    return list(vacations.values_list("begins_at", "ends_at"))


def begin(game: Game, seat: Seat | None, number: int, at: datetime) -> dict[str, Any]:
    """The fields of a game in which that seat's turn begins with that decision; no seat if it is over. The clock of a
    program does not run, nor any in a pause."""
    fields = {"turn_number": number, "carried": NOTHING, "quiet": {}, **STOPPED}
    if seat is None or seat.user is None or seat.program or seat.bank is None:
        return fields
    quiet = quiet_of(seat.user)
    fields["quiet"] = msgspec.to_builtins(quiet)
    if game.paused_at is None:
        fields |= {"clock_started_at": at, "deadline": _runs_out(game, seat, at, quiet)}
    return fields


def read(game: Game, seat: Seat, at: datetime) -> Reading:
    """The clock of the seat to act."""
    start = game.clock_started_at
    if start is None:
        stands = seat.bank is not None and not seat.program and game.paused_at is not None
        return Reading(seat.bank, game.carried if stands else at - game.changed_at)
    # Two machines may differ by a little; no clock goes backwards for it.
    spent = max(arithmetic.used(start, at, vacations_of(game, seat, start)), NOTHING)
    assert seat.bank is not None
    return Reading(max(seat.bank - spent, NOTHING), game.carried + spent)


def deadline(game: Game, seat: Seat) -> datetime | None:
    """When the clock of the seat to act runs out, as things are now; `None` if it does not run."""
    if game.clock_started_at is None:
        return None
    return _runs_out(game, seat, game.clock_started_at, _kept(game))


def restart(game: Game, seat: Seat, at: datetime) -> dict[str, Any]:
    """The fields of a game in which the clock of the seat to act, which has been set, goes on."""
    return {"clock_started_at": at, "deadline": _runs_out(game, seat, at, _kept(game))}


def postponed(game: Game, seat: Seat, instant: datetime) -> datetime:
    """That instant, or the first one after it at which the clock of the seat to act may run out."""
    return arithmetic.runs_out(instant, NOTHING, _kept(game), vacations_of(game, seat, instant))


def _runs_out(game: Game, seat: Seat, start: datetime, quiet: Quiet) -> datetime:
    assert seat.bank is not None
    return arithmetic.runs_out(start, seat.bank, quiet, vacations_of(game, seat, start))


def _kept(game: Game) -> Quiet:
    return msgspec.convert(game.quiet, Quiet) if game.quiet else Quiet()
