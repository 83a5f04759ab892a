"""What makes clocks stand or gives them more time: pauses that all agree to, time that others give, vacations."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from django.db import transaction

from accounts.models import User, Vacation
from games.models import Game, Incident, Seat
from games.services import notices, play, rows, turns
from games.services.clock import DAY, NOTHING
from games.services.moment import now

T = TypeVar("T")
A_YEAR = 21 * DAY
"""How much of a year somebody may be on vacation."""
GIFT = DAY
"""How much time one gives at once."""


class NotPossible(Exception):
    """What was asked cannot be done now; `code` says why."""

    def __init__(self, code: str) -> None:
        self.code = code


# --- pauses ---


def ask(game: Game, user: User) -> None:
    """The person wants a pause; it begins when all who are still in the game want it. Raises `NotPossible`, and
    `play.NotYours` for who is not."""

    def act() -> None:
        seats, mine = _seats(game, user)
        if mine.wants_pause or game.paused_at:
            return
        if turns.pace(game) is None:
            raise NotPossible("no_clock")
        others = [seat for seat in seats if seat is not mine and _is_in(seat)]
        agreed = all(seat.wants_pause for seat in others)
        with transaction.atomic():
            at, acting = now(), seats[game.to_act or 0]
            if agreed:
                clock = turns.read(game, acting, at)
                rows.change(game, paused_at=at, carried=clock.used, **turns.STOPPED)
                Seat.objects.filter(pk=acting.pk).update(bank=clock.left)
            else:
                rows.change(game)
            Seat.objects.filter(pk=mine.pk).update(wants_pause=True)
            rows.record(game, "paused" if agreed else "asked_pause", mine.index)

    rows.attempt(game, act)


def resume(game: Game, user: User) -> None:
    """The person ends the pause, or takes back the wish for one. Raises `play.NotYours`."""

    def act() -> None:
        seats, mine = _seats(game, user)
        if not game.paused_at and not any(seat.wants_pause for seat in seats):
            return
        with transaction.atomic():
            Seat.objects.filter(game=game).update(wants_pause=False)
            if game.paused_at is None:
                rows.change(game)
                return
            acting = seats[game.to_act or 0]
            game.paused_at = None
            runs = acting.bank is not None and not acting.program
            rows.change(game, paused_at=None, **(turns.restart(game, acting, now()) if runs else {}))
            rows.record(game, "resumed", mine.index)
            notices.deadline_moved(game, acting)

    rows.attempt(game, act)


# --- more time ---


def more_time(game: Game, user: User) -> None:
    """The person gives the seat to act a day more, once for each decision. Raises `NotPossible`, `play.NotYours`."""

    def act() -> None:
        seats, mine = _seats(game, user)
        acting = seats[game.to_act or 0]
        if acting is mine:
            raise NotPossible("own_clock")
        if acting.bank is None or acting.program:
            raise NotPossible("no_clock")
        given = Incident.objects.filter(game=game, kind="gave_time", seat=mine.index, after_number=game.number)
        if given.exists():
            return
        with transaction.atomic():
            acting.bank += GIFT
            if game.clock_started_at:
                rows.change(game, deadline=turns.deadline(game, acting))
            elif game.paused_at:
                rows.change(game)
            else:
                # It had run out, and the others wait.
                rows.change(game, **turns.restart(game, acting, now()))
            Seat.objects.filter(pk=acting.pk).update(bank=acting.bank)
            rows.record(game, "gave_time", mine.index, to=acting.index)
            notices.deadline_moved(game, acting)

    rows.attempt(game, act)


# --- vacations ---


def vacation_of(user: User) -> Vacation | None:
    """The one that the person is on now."""
    at = now()
    return Vacation.objects.filter(user=user, begins_at__lte=at, ends_at__gt=at).order_by("ends_at").last()


def time_left(user: User, at: datetime) -> timedelta:
    """What is left of the year's vacation in which that instant lies, by the calendar of the person's zone."""
    first, last = _year(user, at)
    left = A_YEAR
    for begin, end in Vacation.objects.filter(user=user, ends_at__gt=first).values_list("begins_at", "ends_at"):
        left -= max(min(end, last) - max(begin, first), NOTHING)
    return max(left, NOTHING)


def days_left(user: User, at: datetime) -> float:
    """The same in days."""
    return time_left(user, at) / DAY


def begin_vacation(user: User, days: int) -> Vacation:
    """From now on the person's clocks stand for so many days. Raises `NotPossible`."""

    def act() -> Vacation:
        at = now()
        if days < 1 or vacation_of(user):
            raise NotPossible("on_vacation" if days >= 1 else "no_days")
        end = at + days * DAY
        _first, turn_of_year = _year(user, at)
        after = max(end - turn_of_year, NOTHING)
        if end - at - after > time_left(user, at) or (after and after > time_left(user, turn_of_year)):
            raise NotPossible("too_long")
        User.objects.filter(pk=user.pk).update(away_until=end)
        return Vacation.objects.create(user=user, begins_at=at, ends_at=end)

    return _with_deadlines(user, act)


def end_vacation(user: User) -> None:
    """The person is back, and the clocks go on."""

    def act() -> None:
        at = now()
        if Vacation.objects.filter(user=user, begins_at__lte=at, ends_at__gt=at).update(ends_at=at):
            User.objects.filter(pk=user.pk).update(away_until=at)

    _with_deadlines(user, act)


def _with_deadlines(user: User, act: Callable[[], T]) -> T:
    """Do that, and set the deadlines anew that hang on it, all or nothing."""
    running = Game.objects.waiting_for(user).filter(vacations=True, clock_started_at__isnull=False)
    for _attempt in range(rows.ATTEMPTS):
        # Two clicks at once take each other's turn at the account.
        with suppress(rows.Moved), transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            done = act()
            for game in running:
                seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
                rows.change(game, deadline=turns.deadline(game, seat))
                notices.deadline_moved(game, seat)
            return done
    raise rows.Stale


def _year(user: User, at: datetime) -> tuple[datetime, datetime]:
    """Where the year of that instant begins and ends for that person."""
    year = at.astimezone(user.zone).year
    first, last = (datetime(each, 1, 1, tzinfo=user.zone).astimezone(UTC) for each in (year, year + 1))
    return first, last


# --- who sits there ---


def _seats(game: Game, user: User) -> tuple[list[Seat], Seat]:
    """The seats of a running game in turn order, and that person's, who is still in it."""
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("index"))
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is None or not game.is_active or not _is_in(mine):
        raise play.NotYours
    return seats, mine


def _is_in(seat: Seat) -> bool:
    """Whether a person plays there."""
    return seat.user_id is not None and not seat.program
