"""Vacations: clocks stop while their owners are away."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from django.db import transaction

from accounts.models import User, Vacation
from games.models import Game, Seat
from games.services.clocks import running
from games.services.clocks.arithmetic import DAY, NOTHING
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.versions import writing

T = TypeVar("T")
A_YEAR = 21 * DAY
"""How much of a year somebody may be on vacation."""


class VacationRefusal(Exception):
    """The vacation cannot begin; `code` says why."""

    def __init__(self, code: str) -> None:
        self.code = code


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
    """From now on the person's clocks stand for so many days. Raises `VacationRefusal`."""

    def act() -> Vacation:
        at = now()
        if days < 1 or vacation_of(user):
            raise VacationRefusal("on_vacation" if days >= 1 else "no_days")
        end = at + days * DAY
        _first, turn_of_year = _year(user, at)
        after = max(end - turn_of_year, NOTHING)
        if end - at - after > time_left(user, at) or (after and after > time_left(user, turn_of_year)):
            raise VacationRefusal("too_long")
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
    games = Game.objects.waiting_for(user).filter(vacations=True, clock_started_at__isnull=False)
    for _attempt in range(writing.ATTEMPTS):
        # Two clicks at once take each other's turn at the account.
        with suppress(writing.Moved), transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            done = act()
            for game in games:
                seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
                writing.change(game, deadline=running.deadline(game, seat))
                notices.deadline_moved(game, seat)
            return done
    raise writing.Stale


def _year(user: User, at: datetime) -> tuple[datetime, datetime]:
    """Where the year of that instant begins and ends for that person."""
    year = at.astimezone(user.zone).year
    first, last = (datetime(each, 1, 1, tzinfo=user.zone).astimezone(UTC) for each in (year, year + 1))
    return first, last
