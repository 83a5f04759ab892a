"""Writing the rows of a game: compare-and-set on its version, incidents, and the nudge to a worker after the commit."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from celery import current_app
from django.db import OperationalError as DatabaseError
from django.db import transaction
from kombu.exceptions import OperationalError

from games.models import Game, Incident
from games.services.clocks.moment import now
from games.services.versions import polls

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 20
REQUEST_SECONDS = 60.0
"""Seconds after which a queued request to tend a game, or to think, is dropped; the sweep queues new ones."""
DEADLOCK = "40P01"
"""PostgreSQL's code for a deadlock."""
T = TypeVar("T")


class Moved(Exception):
    """The game has changed since it was read; read it again."""


class Stale(Exception):
    """The request is about an earlier position of the game."""


def attempt(game: Game, work: Callable[[], T], *, just_read: bool = False) -> T:
    """Do work that reads the game, decides, and writes it in a transaction. Repeats it from the start if the game
    changed in the meantime; raises `Stale` after too many attempts. A game that was just read is not read again for the
    first one."""
    for attempt in range(MAX_ATTEMPTS):
        if attempt or not just_read:
            game.refresh_from_db()
        with suppress(Moved):
            return work()
    raise Stale


def change(game: Game, **fields: Any) -> None:
    """Write these fields if the game has not changed since it was read; otherwise raise `Moved`. Every transaction that
    changes a game calls this first."""
    fields["version"] = game.version + 1
    if not Game.objects.filter(pk=game.pk, version=game.version).update(**fields):
        raise Moved
    for name, value in fields.items():
        setattr(game, name, value)
    transaction.on_commit(lambda: polls.remember_written(game))


@contextmanager
def moved_by_deadlock() -> Iterator[None]:
    """Raise `Moved` if PostgreSQL ends the transaction because another one waits for it in turn."""
    try:
        yield
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", "") != DEADLOCK:
            raise
        raise Moved from error


def record(game: Game, kind: str, seat: int | None = None, **facts: Any) -> None:
    """Record an incident at the current number of the game."""
    Incident.objects.create(game=game, after_number=game.number, kind=kind, seat=seat, facts=facts, at=now())


def tend_soon(game: Game) -> None:
    """After the commit, ask a worker to tend the game. The sweep tends it too, so a failed broker costs only time."""

    def send() -> None:
        try:
            current_app.send_task("games.tasks.tend", [game.pk], expires=REQUEST_SECONDS)
        except OperationalError:
            log.warning("No broker: game %s waits for the sweep.", game.pk)

    transaction.on_commit(send)
