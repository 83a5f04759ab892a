"""Vacations, which stop the clocks of their owners."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from django.db import transaction

from accounts.models import User
from games.models import Game, Seat, Vacation
from games.services.clocks import running
from games.services.clocks.arithmetic import DAY, NOTHING
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.versions import writing

T = TypeVar("T")
MAX_VACATION_A_YEAR = 21 * DAY
"""The vacation that a user can take per year."""
MAX_AHEAD = 365 * DAY
"""How far ahead a vacation can begin."""


class VacationRefusal(Exception):
    """The vacation cannot begin; `code` says why."""

    def __init__(self, code: str) -> None:
        self.code = code


def vacation_of(user: User) -> Vacation | None:
    """The user's current vacation."""
    at = now()
    return Vacation.objects.filter(user=user, begins_at__lte=at, ends_at__gt=at).order_by("ends_at").last()


def time_left(user: User, at: datetime) -> timedelta:
    """The vacation left in the year of that instant, by the calendar of the user's time zone."""
    first, last = _year(user, at)
    left = MAX_VACATION_A_YEAR
    for begin, end in Vacation.objects.filter(user=user).values_list("begins_at", "ends_at"):
        left -= max(min(end, last) - max(begin, first), NOTHING)
    return max(left, NOTHING)


def planned_by(user: User) -> Vacation | None:
    """The user's vacation that has not begun yet."""
    return Vacation.objects.filter(user=user, begins_at__gt=now()).first()


def begin_vacation(user: User, days: int, begins_at: datetime | None = None) -> Vacation:
    """Begin a vacation of that many days, or plan one; the user's clocks stop during it. A user has one at a time.
    Raises `VacationRefusal`."""

    def act() -> Vacation:
        at = now()
        begin = begins_at or at
        if days < 1 or vacation_of(user):
            raise VacationRefusal("on_vacation" if days >= 1 else "no_days")
        if planned_by(user):
            raise VacationRefusal("planned")
        if not at <= begin <= at + MAX_AHEAD:
            raise VacationRefusal("past" if begin < at else "too_far")
        end = begin + days * DAY
        _first, turn_of_year = _year(user, begin)
        after = max(end - turn_of_year, NOTHING)
        if end - begin - after > time_left(user, begin) or (after and after > time_left(user, turn_of_year)):
            raise VacationRefusal("too_long")
        return Vacation.objects.create(user=user, begins_at=begin, ends_at=end)

    return _with_deadlines(user, act)


def begin_automatically(game: Game, seat: Seat, begins_at: datetime) -> bool:
    """Begin a day of vacation at the instant at which the clock of that seat ran out, and tell its user; it is shorter
    if less is left, if the year ends, or if a planned vacation begins. Returns whether it began: the user must want
    that, and the table allow it."""
    user = seat.user
    if user is None or user.is_suspended or not user.automatic_vacation or not game.vacations:
        return False

    if _automatic_end(user, begins_at) is None:
        return False

    def act() -> bool:
        # A move that is being made waits; one that was made ends the attempt.
        if not Game.objects.select_for_update(no_key=True).filter(pk=game.pk, version=game.version).first():
            return False
        if Vacation.objects.filter(user=user, begins_at__lte=begins_at, ends_at__gt=begins_at).exists():
            return True  # it has begun for another game meanwhile
        end = _automatic_end(user, begins_at)
        if end is None:
            return False
        away = Vacation.objects.create(user=user, begins_at=begins_at, ends_at=end)
        notices.owe(notices.Kind.VACATION, user, key=f"vacation:{away.pk}", game=game, vacation=away.pk)
        return True

    return _with_deadlines(user, act)


def _automatic_end(user: User, begins_at: datetime) -> datetime | None:
    """The end of a vacation that begins by itself at that instant; `None` if no time is left."""
    _first, turn_of_year = _year(user, begins_at)
    planned = planned_by(user)
    ends = [begins_at + min(DAY, time_left(user, begins_at)), turn_of_year]
    end = min([*ends, planned.begins_at] if planned else ends)
    return end if end > begins_at else None


def wish(user: User, *, days_off: list[int], automatic_vacation: bool) -> None:
    """Store when the user's clocks stop by themselves. Days off count from the user's next turn on."""
    User.objects.filter(pk=user.pk).update(days_off=days_off, automatic_vacation=automatic_vacation)


def end_vacation(user: User) -> None:
    """End the user's vacation; their clocks run again."""

    def act() -> None:
        at = now()
        Vacation.objects.filter(user=user, begins_at__lte=at, ends_at__gt=at).update(ends_at=at)

    _with_deadlines(user, act)


def cancel_vacation(user: User) -> bool:
    """Cancel the user's vacation that has not begun yet; return whether there was one."""

    def act() -> bool:
        return Vacation.objects.filter(user=user, begins_at__gt=now()).delete()[0] > 0

    return _with_deadlines(user, act)


def _with_deadlines(user: User, act: Callable[[], T]) -> T:
    """Change the user's vacation, and set the end of their absence and the deadlines that depend on it, in one
    transaction."""
    games = Game.objects.waiting_for(user).filter(vacations=True, clock_started_at__isnull=False)
    for _attempt in range(writing.MAX_ATTEMPTS):
        # The lock on the account makes simultaneous clicks wait for each other.
        with suppress(writing.Moved), writing.moved_by_deadlock(), transaction.atomic():
            # A stronger lock could wait for a transaction that has changed a game and now writes to its players.
            away_until = User.objects.select_for_update(no_key=True).get(pk=user.pk).away_until
            done = act()
            at = now()
            last = Vacation.objects.filter(user=user, ends_at__gt=at).order_by("ends_at").last()
            if last or (away_until and away_until > at):
                User.objects.filter(pk=user.pk).update(away_until=last.ends_at if last else at)
            for game in games.order_by("pk"):
                seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
                writing.change(game, deadline=running.deadline(game, seat))
                notices.deadline_moved(game, seat)
            return done
    raise writing.Stale


def _year(user: User, at: datetime) -> tuple[datetime, datetime]:
    """The beginning and the end of the year of that instant, in the user's time zone."""
    year = at.astimezone(user.zone).year
    first, last = (datetime(each, 1, 1, tzinfo=user.zone).astimezone(UTC) for each in (year, year + 1))
    return first, last
