"""Writing rows of a game: compare-and-set on its version, and what is told to the worker after the commit."""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from games.models import Game, Incident
from games.services.clocks.moment import now
from games.services.versions import polls

log = logging.getLogger(__name__)

ATTEMPTS = 20
T = TypeVar("T")


class Moved(Exception):
    """Somebody else changed the game in the meantime: read again."""


class Stale(Exception):
    """What was asked is about an earlier position of the game."""


def attempt(game: Game, work: Callable[[], T]) -> T:
    """Do work that reads the game, decides, and writes it in a transaction; again from the start whenever somebody
    else changed the game in the meantime. Raises `Stale` if that does not end."""
    for _attempt in range(ATTEMPTS):
        game.refresh_from_db()
        with suppress(Moved):
            return work()
    raise Stale


def change(game: Game, **fields: Any) -> None:
    """Write those fields if nobody changed the game since it was read; raises `Moved` otherwise. First in every
    transaction that changes anything of a game."""
    fields["version"] = game.version + 1
    if not Game.objects.filter(pk=game.pk, version=game.version).update(**fields):
        raise Moved
    for name, value in fields.items():
        setattr(game, name, value)
    transaction.on_commit(lambda: polls.changed(game))


def record(game: Game, kind: str, seat: int | None = None, **facts: Any) -> None:
    """Keep an incident, after the decision that the game stands at."""
    Incident.objects.create(game=game, after_number=game.number, kind=kind, seat=seat, facts=facts, at=now())


def nudge(game: Game) -> None:
    """After the commit, have a worker do what the game is owed. The sweep does it too, so a broker that is down
    costs time only."""

    def send() -> None:
        try:
            current_app.send_task("games.tasks.tend", [game.pk])
        except OperationalError:
            log.warning("No broker: game %s waits for the sweep.", game.pk)

    transaction.on_commit(send)
