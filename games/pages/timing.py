"""Times on the page of a running game: the deadline, the time that each player has left, and why a clock is stopped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games.models import Game, Seat, Vacation
from games.services.clocks import arithmetic, running
from games.services.clocks.arithmetic import NOTHING, Span
from games.services.clocks.moment import now
from games.wording import times

NEAR_DEADLINE = timedelta(hours=6)
"""A deadline is near when no more time than this is left."""


@dataclass(frozen=True)
class Deadline:
    """When the clock of the seat to act runs out."""

    at: datetime
    left: timedelta
    words: str
    """The time left: “2 h 40 min”."""
    instant: str
    """The instant in the reader's time zone: “Thu 18:00”."""

    @property
    def seconds(self) -> int:
        return max(int(self.left.total_seconds()), 0)

    @property
    def is_near(self) -> bool:
        return self.left <= NEAR_DEADLINE

    @property
    def iso(self) -> str:
        return self.at.isoformat(timespec="seconds")


def deadline(game: Game, acting: Seat) -> Deadline | None:
    """The deadline of that seat; `None` if no clock runs."""
    at = now()
    if game.deadline is None or acting.acting_bot:
        return None
    left = game.deadline - at
    return Deadline(game.deadline, left, times.left(left), times.instant(game.deadline, at))


def stands(game: Game, acting: Seat, back: datetime | None) -> str:
    """The reason why the clock is stopped, in words: a pause, a vacation until `back`, or no time left."""
    if game.paused_at:
        return _("paused since %(time)s") % {"time": times.instant(game.paused_at, now())}
    if acting.acting_bot or acting.bank is None:
        return ""
    if back:
        return on_vacation(back)
    # In games older than clocks, the clock starts with the next turn.
    return "" if game.clock_started_at or acting.bank else _("out of time")


def on_vacation(back: datetime) -> str:
    """The words for a vacation that lasts until then."""
    return _("on vacation until %(time)s") % {"time": times.instant(back, now())}


def backs(games: Iterable[Game]) -> Mapping[int, datetime]:
    """The ends of the players' current vacations in these running games, by user. The games must have been read with
    their seats."""
    at = now()
    users = (seat.user for game in games if _rests(game) for seat in game.seat_set.all())
    people = {user.pk for user in users if user and (user.away_until or at) > at}
    away = Vacation.objects.filter(user__in=people, begins_at__lte=at, ends_at__gt=at).order_by("ends_at")
    return dict(away.values_list("user", "ends_at")) if people else {}


@dataclass(frozen=True)
class SeatTime:
    """The clock of one seat."""

    left: timedelta | None
    """The time left; `None` without a clock."""
    back: datetime | None
    """The end of its owner's current vacation."""
    runs: bool = False
    """Whether the clock is running."""

    @property
    def words(self) -> str:
        return "" if self.left is None else times.left(self.left)

    @property
    def seconds(self) -> int | None:
        """The seconds left on a running clock; `None` if it is stopped or out of time."""
        return int(self.left.total_seconds()) if self.runs and self.left and self.left > NOTHING else None

    @property
    def remark(self) -> str:
        """A short remark that its owner is away."""
        return _("on vacation until %(time)s") % {"time": times.day(self.back, now())} if self.back else ""


@dataclass(frozen=True)
class Times:
    """The clocks of a running game."""

    seats: tuple[SeatTime, ...]
    """The clocks by index of the seat."""
    deadline: Deadline | None
    stands: str


def build(game: Game, seats: Sequence[Seat]) -> Times | None:
    """The clocks of a game read with these seats; `None` without clocks."""
    if game.to_act is None or (game.pace == Game.Pace.NONE and not game.paused_at):
        return None
    at, acting = now(), seats[game.to_act]
    away = _vacations(game, seats, game.clock_started_at or at)
    backs = {user: end for user, spans in away.items() for begin, end in spans if begin <= at < end}

    def time_of(seat: Seat) -> SeatTime:
        back = backs.get(seat.user_id or 0)
        if seat.acting_bot or seat.bank is None:
            return SeatTime(None, back)
        if seat is not acting or game.clock_started_at is None or game.deadline is None:
            return SeatTime(seat.bank, back)
        if back is None:
            return SeatTime(max(game.deadline - at, NOTHING), back, runs=True)
        off = running.quiet_kept(game).off(game.clock_started_at, at)
        used = arithmetic.used(game.clock_started_at, at, [*away[seat.user_id or 0], *off])
        return SeatTime(max(seat.bank - used, NOTHING), back)

    back = backs.get(acting.user_id or 0)
    times_ = tuple(map(time_of, seats))
    return Times(times_, None if back else deadline(game, acting), stands(game, acting, back))


def _vacations(game: Game, seats: Sequence[Seat], since: datetime) -> Mapping[int, list[Span]]:
    """The vacations that are not over at that instant, by user."""
    found: dict[int, list[Span]] = {}
    people = [seat.user for seat in seats if seat.user and (seat.user.away_until or since) > since]
    if people and _rests(game):
        for away in Vacation.objects.filter(user__in=people, ends_at__gt=since):
            found.setdefault(away.user_id, []).append((away.begins_at, away.ends_at))
    return found


def _rests(game: Game) -> bool:
    """Whether vacations stop the clocks of this game."""
    return game.vacations and running.pace(game) is not None
