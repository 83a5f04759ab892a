"""What pages tell of time at a running table: until when somebody must act, what everybody has left, and why a clock
stands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.models import Vacation
from games.models import Game, Seat
from games.services.clocks import arithmetic, running
from games.services.clocks.arithmetic import NOTHING, Span
from games.services.clocks.moment import now
from games.wording import times

LAST_HOURS = timedelta(hours=6)
"""Time left that is little."""


@dataclass(frozen=True)
class Deadline:
    """When the clock of the seat to act runs out."""

    at: datetime
    left: timedelta
    words: str
    """What is left: “2 h 40 min”."""
    instant: str
    """When, for the reader: “Thu 18:00”."""

    @property
    def seconds(self) -> int:
        return max(int(self.left.total_seconds()), 0)

    @property
    def is_near(self) -> bool:
        return self.left <= LAST_HOURS

    @property
    def iso(self) -> str:
        return self.at.isoformat(timespec="seconds")


def deadline(game: Game, acting: Seat) -> Deadline | None:
    """Until when that seat must act; `None` if no clock runs."""
    at = now()
    if game.deadline is None or acting.program:
        return None
    left = game.deadline - at
    return Deadline(game.deadline, left, times.left(left), times.instant(game.deadline, at))


def stands(game: Game, acting: Seat, back: datetime | None) -> str:
    """Why no clock runs, or none that matters: a pause, a vacation until then, time that is up."""
    if game.paused_at:
        return _("paused since %(time)s") % {"time": times.instant(game.paused_at, now())}
    if acting.program or acting.bank is None:
        return ""
    if back:
        return on_vacation(back)
    # The clock of a table of before clocks starts with its next turn.
    return "" if game.clock_started_at or acting.bank else _("time is up")


def on_vacation(back: datetime) -> str:
    """Until when somebody is away, for the reader."""
    return _("on vacation until %(time)s") % {"time": times.instant(back, now())}


def backs(games: Iterable[Game]) -> Mapping[int, datetime]:
    """Who at these running games, read with their seats, is on vacation now, by user: until when."""
    people = {seat.user_id for game in games if _rests(game) for seat in game.seat_set.all() if seat.user_id}
    at = now()
    away = Vacation.objects.filter(user__in=people, begins_at__lte=at, ends_at__gt=at).order_by("ends_at")
    return dict(away.values_list("user", "ends_at")) if people else {}


@dataclass(frozen=True)
class SeatTime:
    """The time of one seat."""

    left: timedelta | None
    """What is left; `None` without a clock."""
    back: datetime | None
    """Until when its owner is on vacation."""
    runs: bool = False
    """Whether that becomes less now."""

    @property
    def words(self) -> str:
        return "" if self.left is None else times.left(self.left)

    @property
    def seconds(self) -> int | None:
        """What is left of a clock that runs."""
        return int(self.left.total_seconds()) if self.runs and self.left is not None else None

    @property
    def note(self) -> str:
        """That its owner is away, as short as possible."""
        return _("on vacation until %(time)s") % {"time": times.day(self.back, now())} if self.back else ""


@dataclass(frozen=True)
class Times:
    """The clocks of a running game."""

    seats: tuple[SeatTime, ...]
    """By the index of the seat."""
    deadline: Deadline | None
    stands: str


def build(game: Game, seats: Sequence[Seat]) -> Times | None:
    """For a game read with these seats; `None` where nobody's time counts."""
    if game.to_act is None or (game.pace == Game.Pace.NONE and not game.paused_at):
        return None
    at, acting = now(), seats[game.to_act]
    away = _vacations(game, seats, game.clock_started_at or at)
    backs = {user: end for user, spans in away.items() for begin, end in spans if begin <= at < end}

    def time_of(seat: Seat) -> SeatTime:
        back = backs.get(seat.user_id or 0)
        if seat.program or seat.bank is None:
            return SeatTime(None, back)
        if seat is not acting or game.clock_started_at is None or game.deadline is None:
            return SeatTime(seat.bank, back)
        if back is None:
            return SeatTime(max(game.deadline - at, NOTHING), back, runs=True)
        used = arithmetic.used(game.clock_started_at, at, away[seat.user_id or 0])
        return SeatTime(max(seat.bank - used, NOTHING), back)

    back = backs.get(acting.user_id or 0)
    times_ = tuple(map(time_of, seats))
    return Times(times_, None if back else deadline(game, acting), stands(game, acting, back))


def _vacations(game: Game, seats: Sequence[Seat], since: datetime) -> Mapping[int, list[Span]]:
    """By user: those that are not over at that instant."""
    found: dict[int, list[Span]] = {}
    people = [seat.user for seat in seats if seat.user and (seat.user.away_until or since) > since]
    if people and _rests(game):
        for away in Vacation.objects.filter(user__in=people, ends_at__gt=since):
            found.setdefault(away.user_id, []).append((away.begins_at, away.ends_at))
    return found


def _rests(game: Game) -> bool:
    """Whether clocks there stand for whoever is on vacation."""
    return game.vacations and running.pace(game) is not None
