"""Notices owed to people. They are written in the transaction of their cause; `deliveries` sends them."""

import logging
import operator
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import reduce
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import Q, TextField, Value
from django.db.models.functions import Concat
from kombu.exceptions import OperationalError

from accounts.models import User
from games.models import Game, Notice, Preferences, Seat
from games.services.clocks import running
from games.services.clocks.moment import now

log = logging.getLogger(__name__)

Kind = Notice.Kind
UNFINISHED_DELAY = timedelta(minutes=20)
"""How long a turn may stay half done before its player gets a mail about it."""
LIFETIME = timedelta(days=30)
"""How long a closed notice is kept with its deliveries, but see `forget`."""
UNTRIED_LIFETIME = timedelta(days=7)
"""The same for a notice that no mail was ever tried for, such as a reminder that never fell due."""
FORGOTTEN_AT_ONCE = 1000
"""How many notices are deleted in one transaction, so that nobody waits for long."""
REQUEST_SECONDS = 60.0
"""Seconds after which a queued request to dispatch or deliver is dropped; the sweep queues new ones."""
FAREWELL = "farewell"
"""The key of the last mail to the owner of a deleted account. The notice is deleted when it is closed."""
OF_TURN = (Kind.TURN, Kind.UNFINISHED, Kind.REMINDER)
"""The kinds of notice about the current turn, which are void once it is over."""
CURRENT = ((Kind.TURN, "game__number"), (Kind.UNFINISHED, "game__number"), (Kind.REMINDER, "game__turn_number"))
"""The column of the game with which the keys of notices about its current turn go on after the game."""


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
    """Owe a notice to a user or an address, once for each key; it is due at once unless `due_at` is given."""
    when = {"due_at": due_at, "expires_at": expires_at}
    _keep([_notice(kind, recipient, key=key, address=address, game=game, facts=facts, **when)])
    if due_at is None:
        transaction.on_commit(dispatch_soon)


def owe_all(kind: Notice.Kind, game: Game, people: Iterable[User], key: str, **facts: Any) -> None:
    """Owe each of these people a notice about the game, due at once."""
    _keep([_notice(kind, user, key=key, game=game, facts=facts) for user in people])
    transaction.on_commit(dispatch_soon)


def offer(
    kind: Notice.Kind, recipient: User | None = None, *, key: str, address: str = "", game: Game, **facts: Any
) -> None:
    """Owe a user or an address the offer of a seat. It waits as long as the notice of a turn, and is dropped if the
    offer is withdrawn by then. A renewed offer is sent after all."""
    wishes = Preferences.of(recipient) if recipient else Preferences()
    due = now() + timedelta(minutes=wishes.delay)
    _keep([_notice(kind, recipient, key=key, address=address, game=game, due_at=due, facts=facts)])
    untold = Notice.objects.filter(recipient=recipient, address=address, key=key, outcome=Notice.Outcome.OUTDATED)
    untold.update(closed_at=None, outcome="", due_at=due, digest=None)


def turn_begins(game: Game, seat: Seat) -> None:
    """Owe the user in that seat a notice of the turn, and reminders while the clock runs."""
    if seat.user is None or seat.acting_bot:
        return
    wishes = Preferences.of(seat.user)
    due = now() + timedelta(minutes=wishes.delay)
    turn = _notice(Kind.TURN, seat.user, key=f"turn:{game.pk}:{game.number}", game=game, due_at=due)
    _keep([turn, *_reminders(game, seat, wishes)])


def turn_is_taken_back(game: Game, seat: Seat) -> None:
    """Owe the notices of the turn to a user who takes the seat back from a bot; those already sent are not repeated."""
    of_turn = Notice.objects.filter(recipient=seat.user_id, key__startswith=_reminder_key(game, ""))
    unsent = of_turn.filter(outcome=Notice.Outcome.OUTDATED, delivery_set=None)
    unsent.update(closed_at=None, outcome="")
    turn_begins(game, seat)
    deadline_moved(game, seat)


def turn_goes_on(game: Game, seat: Seat) -> None:
    """Owe the user in that seat a notice in case they forget that they must decide again in this turn. Its reminders
    stay."""
    _close(game, seat, (Kind.TURN, Kind.UNFINISHED))
    if seat.user and not seat.acting_bot:
        due = now() + UNFINISHED_DELAY
        key = f"unfinished:{game.pk}:{game.number}"
        _keep([_notice(Kind.UNFINISHED, seat.user, key=key, game=game, due_at=due)])


def clock_runs_again(game: Game, seat: Seat) -> None:
    """Owe the user in that seat another notice of what they have to decide, because a pause is over."""
    _close(game, seat, (Kind.TURN, Kind.UNFINISHED))
    if seat.user and not seat.acting_bot:
        kind = Kind.TURN if game.number == game.turn_number else Kind.UNFINISHED
        due = now() + timedelta(minutes=Preferences.of(seat.user).delay)
        key = f"{kind}:{game.pk}:{game.number}:{game.version}"
        _keep([_notice(kind, seat.user, key=key, game=game, due_at=due)])


def deadline_moved(game: Game, seat: Seat) -> None:
    """Move the reminders of the current turn to fit the new deadline. Those that fell due while the clock was stopped,
    and so were not written, are owed again."""
    if seat.user and not seat.user.is_guest:
        reminders = _reminders(game, seat, Preferences.of(seat.user))
        Notice.objects.bulk_create(
            reminders, update_conflicts=True, unique_fields=("recipient", "key"), update_fields=("due_at",)
        )
        moved = Notice.objects.filter(recipient=seat.user, key__in=[notice.key for notice in reminders])
        # A mail that may have been sent has attempts; a notice that was closed before it was due has no delivery.
        unwritten = moved.filter(outcome=Notice.Outcome.OUTDATED, delivery_set__attempts=0)
        unwritten.update(closed_at=None, outcome="")


def turn_is_over(game: Game, seat: Seat) -> None:
    """Close the notices about the turn that are still owed to the user in that seat."""
    _close(game, seat, OF_TURN)


def told_of_turn(game: Game, seat: Seat) -> bool:
    """Whether the user in that seat has been told of the current turn, or does not want to be."""
    owed = Notice.objects.filter(game=game, recipient=seat.user_id, closed_at=None)
    # A turn that goes on after a pause is told anew; its key ends with the version, that of a mere reminder does not.
    after_pause = Q(kind=Kind.UNFINISHED, key__startswith=f"{Kind.UNFINISHED}:{game.pk}:{game.number}:")
    return not owed.filter(Q(kind=Kind.TURN) | after_pause).exists()


def forget() -> int:
    """Delete old closed notices; return how many. A notice stays as long as its game runs, or its turn lasts if it is
    about a turn, because it keeps its recipient from being told twice."""
    at = now()
    untried = Q(closed_at__lte=at - UNTRIED_LIFETIME, delivery_set=None)
    # Each of these has its index, and leaves out the many notices of the last month that were sent. SQLite does not use
    # the index for all outcomes at once.
    old = (
        *(Q(closed_at__lte=at - LIFETIME, outcome=outcome) for outcome in Notice.Outcome.values),
        untried & Q(outcome__in=Notice.NEEDLESS),
        untried & Q(digest__isnull=False),
    )
    over = Q(game=None) | Q(game__status__in=(Game.Status.FINISHED, Game.Status.CANCELLED))
    current = (Q(kind=kind, key__startswith=_of_this_turn(kind, number)) for kind, number in CURRENT)
    past = Q(kind__in=OF_TURN) & ~reduce(operator.or_, current)
    forgotten = 0
    for rows in (Notice.objects.filter(some, over | past).values_list("pk", flat=True) for some in old):
        while found := list(rows[:FORGOTTEN_AT_ONCE]):
            Notice.objects.filter(pk__in=found).delete()
            forgotten += len(found)
    return forgotten


def _of_this_turn(kind: Notice.Kind, number: str) -> Concat:
    """The beginning of the keys of the notices of that kind about the turn that a game is at."""
    return Concat(Value(f"{kind}:"), "game_id", Value(":"), number, output_field=TextField())


def _notice(kind: Notice.Kind, recipient: User | None, **fields: Any) -> Notice:
    at = now()
    fields["due_at"] = fields.get("due_at") or at
    return Notice(kind=kind, recipient=recipient, created_at=at, **fields)


def _close(game: Game, seat: Seat, kinds: Iterable[Notice.Kind]) -> None:
    open_ = Notice.objects.filter(game=game, recipient=seat.user_id, kind__in=kinds, closed_at=None)
    if seat.user_id:
        open_.update(closed_at=now(), outcome=Notice.Outcome.OUTDATED)


def _keep(notices: list[Notice]) -> None:
    """Store the notices, except those to guests and anonymous users, who have no address."""
    sendable = [notice for notice in notices if notice.to]
    Notice.objects.bulk_create(sendable, ignore_conflicts=True)


def _reminders(game: Game, seat: Seat, wishes: Preferences) -> list[Notice]:
    """The reminders of the current turn: when a percentage of its time is left (`50`), or some hours before the
    deadline (`2h`). Those that fall into quiet hours come shortly before them."""
    start, end, user = game.clock_started_at, game.deadline, seat.user
    if end is None or user is None:
        return []
    assert start is not None  # by a constraint
    quiet = running.quiet_of(user)
    shares = [mark for mark in wishes.reminders if not mark.endswith("h")]
    left = dict(zip(shares, running.when_left(game, seat, map(int, shares)), strict=True))
    instants = {mark: left.get(mark) or end - timedelta(hours=int(mark[:-1])) for mark in wishes.reminders}
    dues = {mark: quiet.before(instant) for mark, instant in instants.items()}
    return [
        _notice(Kind.REMINDER, user, key=_reminder_key(game, mark), game=game, due_at=due)
        for mark, due in dues.items()
        if due > start
    ]


def _reminder_key(game: Game, mark: str) -> str:
    return f"reminder:{game.pk}:{game.turn_number}:{mark}"


def dispatch_soon() -> None:
    """Ask a worker to dispatch due notices. The sweep dispatches them too, so a failed broker costs only time."""
    try:
        current_app.send_task("games.tasks.dispatch", expires=REQUEST_SECONDS)
    except OperationalError:
        log.warning("No broker: mails wait for the sweep.")
