"""Games whose clocks run while a test travels through time."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import time_machine

from accounts.models import User
from games.models import Game, Seat
from games.services import play, tables

START = datetime(2026, 5, 4, 12, tzinfo=UTC)
"""A Monday, in UTC."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@contextmanager
def at(instant: datetime) -> Iterator[None]:
    with time_machine.travel(instant, tick=False):
        yield


def begun(people: list[User], title: str = "splendor", bots: int = 0, **plan: object) -> Game:
    """A game of these people, the first of whom made the table; it begins now."""
    game = tables.create(people[0], tables.Plan(title, len(people) + bots, ["greedy"] * bots, **plan))  # type: ignore[arg-type]
    for user in people[1:]:
        tables.join(game, user)
    game.refresh_from_db()
    return game


def acting(game: Game) -> Seat:
    game.refresh_from_db()
    return Seat.objects.select_related("user").get(game=game, index=game.to_act)


def decide(game: Game, *, prefer: str = "") -> Seat:
    """The seat to act, whoever plays it, does the first thing that is legal, or that begins so; who that was."""
    seat = acting(game)
    actor = play.PROGRAM if seat.program else play.Actor(seat.user)
    _seen, legal = play.offer(game, seat, variants=False)
    notations = sorted(map(str, legal), key=lambda text: (not text.startswith(prefer), text))
    play.submit(game, actor, game.number, notations[:1])
    game.refresh_from_db()
    return seat


def take_turn(game: Game) -> Seat:
    """Decisions until the turn is over."""
    turn = game.turn_number
    seat = acting(game)
    while game.is_active and game.turn_number == turn:
        decide(game)
    return seat


def each_began(game: Game) -> None:
    """Everybody has made a first move."""
    for _seat in range(game.seats):
        take_turn(game)
