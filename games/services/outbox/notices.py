"""What people are owed by mail, noted in the transaction of what brings it about; `deliveries` tells it."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from accounts.models import User
from games.models import Game, Notice, Preferences, Seat
from games.services.clocks import running
from games.services.clocks.arithmetic import Quiet
from games.services.clocks.moment import now

log = logging.getLogger(__name__)

Kind = Notice.Kind
UNFINISHED = timedelta(minutes=20)
"""How long a turn may lie half done before it is mailed."""
OF_TURN = (Kind.TURN, Kind.UNFINISHED, Kind.REMINDER)
"""The kinds that are about the present turn, and nothing once it is over."""


def owe(
    kind: Notice.Kind,
    recipient: User | None = None,
    *,
    key: str,
    address: str = "",
    game: Game | None = None,
    due_at: datetime | None = None,
    expires_at: datetime | None = None,
    **facts: Any,
) -> None:
    """A person, or whoever reads an address, is to be told, once for each key; at once unless said when."""
    when = {"due_at": due_at, "expires_at": expires_at}
    _note([_notice(kind, recipient, key=key, address=address, game=game, facts=facts, **when)])
    if due_at is None:
        transaction.on_commit(nudge)


def owe_all(kind: Notice.Kind, game: Game, people: Iterable[User], key: str, **facts: Any) -> None:
    """Each of them is to be told that about the game, at once."""
    _note([_notice(kind, user, key=key, game=game, facts=facts) for user in people])
    transaction.on_commit(nudge)


def offer(
    kind: Notice.Kind, recipient: User | None = None, *, key: str, address: str = "", game: Game, **facts: Any
) -> None:
    """A person, or whoever reads an address, may sit down: told after as long as a turn waits, unless that is taken
    back by then. If it was, and is offered again, it is told after all."""
    wishes = Preferences.of(recipient) if recipient else Preferences()
    due = now() + timedelta(minutes=wishes.delay)
    _note([_notice(kind, recipient, key=key, address=address, game=game, due_at=due, facts=facts)])
    untold = Notice.objects.filter(recipient=recipient, address=address, key=key, outcome=Notice.Outcome.OUTDATED)
    untold.update(closed_at=None, outcome="", due_at=due)


def turn_begins(game: Game, seat: Seat) -> None:
    """The person in that seat is to act: to be told, and reminded while the clock runs."""
    if seat.user is None or seat.program:
        return
    wishes = Preferences.of(seat.user)
    due = now() + timedelta(minutes=wishes.delay)
    turn = _notice(Kind.TURN, seat.user, key=f"turn:{game.pk}:{game.number}", game=game, due_at=due)
    _note([turn, *_reminders(game, seat.user, wishes)])


def turn_is_taken_back(game: Game, seat: Seat) -> None:
    """The same for a person who plays on instead of a bot; what was sent of that very turn is not sent again."""
    of_turn = Notice.objects.filter(recipient=seat.user_id, key__startswith=_reminder_key(game, ""))
    unsent = of_turn.filter(outcome=Notice.Outcome.OUTDATED, delivery_set=None)
    unsent.update(closed_at=None, outcome="")
    turn_begins(game, seat)
    deadline_moved(game, seat)


def turn_goes_on(game: Game, seat: Seat) -> None:
    """The person in that seat has decided, and must decide on: to be told if that is forgotten."""
    if seat.user and not seat.program:
        due = now() + UNFINISHED
        key = f"unfinished:{game.pk}:{game.number}"
        _note([_notice(Kind.UNFINISHED, seat.user, key=key, game=game, due_at=due)])


def deadline_moved(game: Game, seat: Seat) -> None:
    """Reminders of the present turn come when it is time for them now."""
    if seat.user:
        reminders = _reminders(game, seat.user, Preferences.of(seat.user))
        Notice.objects.bulk_create(
            reminders, update_conflicts=True, unique_fields=("recipient", "key"), update_fields=("due_at",)
        )


def turn_is_over(game: Game, seat: Seat) -> None:
    """What the person in that seat was still to be told about the turn is no longer needed."""
    open_ = Notice.objects.filter(game=game, recipient=seat.user_id, kind__in=OF_TURN, closed_at=None)
    if seat.user_id:
        open_.update(closed_at=now(), outcome=Notice.Outcome.OUTDATED)


def told_of_turn(game: Game, seat: Seat) -> bool:
    """Whether the person in that seat has been told of the present turn, as far as they want to be."""
    owed = Notice.objects.filter(game=game, recipient=seat.user_id, kind=Kind.TURN, closed_at=None)
    return not owed.exists()


def _notice(kind: Notice.Kind, recipient: User | None, **fields: Any) -> Notice:
    at = now()
    fields["due_at"] = fields.get("due_at") or at
    return Notice(kind=kind, recipient=recipient, created_at=at, **fields)


def _note(notices: list[Notice]) -> None:
    Notice.objects.bulk_create(notices, ignore_conflicts=True)


def _reminders(game: Game, user: User, wishes: Preferences) -> list[Notice]:
    start, end = game.clock_started_at, game.deadline
    if start is None or end is None:
        return []
    quiet = running.quiet_of(user)
    dues = {mark: _reminded_at(mark, start, end, quiet) for mark in wishes.reminders}
    return [
        _notice(Kind.REMINDER, user, key=_reminder_key(game, mark), game=game, due_at=due)
        for mark, due in dues.items()
        if due > start
    ]


def _reminder_key(game: Game, mark: str) -> str:
    return f"reminder:{game.pk}:{game.turn_number}:{mark}"


def _reminded_at(mark: str, start: datetime, end: datetime, quiet: Quiet) -> datetime:
    """At so many percent of the time that is left at the start, or so many hours before the end (`2h`); what would
    come in quiet hours comes before them."""
    before = timedelta(hours=int(mark[:-1])) if mark.endswith("h") else (end - start) * int(mark) / 100
    return quiet.before(end - before)


def nudge() -> None:
    """Have a worker see what is due; the sweep does it too, so a broker that is down costs time only."""
    try:
        current_app.send_task("games.tasks.dispatch")
    except OperationalError:
        log.warning("No broker: mails wait for the sweep.")
