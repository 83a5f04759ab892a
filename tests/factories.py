"""What tests are made with: people, tables and games, positions, and the time that passes."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib import import_module
from random import Random
from typing import Any
from unittest.mock import patch

import time_machine
from django.test import Client

from accounts.models import User
from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Incident, Notice, Seat
from games.models.position import Position
from games.rules.base import Ruleset
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.tables import tables
from games.services.work import sweep

As = Callable[[User | None], Client]
"""The fixture `as_`."""
START = datetime(2026, 5, 4, 12, tzinfo=UTC)
"""A Monday, in UTC."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NEW = {
    "title": "splendor",
    "seats": "3",
    "bots": "0",
    "strength": "medium",
    "admission": "link",
    "invited": "",
    "audience": "link",
    "pace": "fast",
}
"""The form for a new table, filled in."""
SPECIAL = ("privilege", "payment")
"""What makes a position of another kind than that of its phase: that this can be done with it, or that a card can be
paid for in several ways."""
QUOTAS: dict[str, dict[str, int]] = {
    "splendor": {"main": 10, "payment": 2, "return": 6, "noble": 2},
    "duel": {"turn": 4, "privilege": 2, "payment": 1, "mandatory": 3}
    | dict.fromkeys(("attach", "match", "steal", "royal", "return"), 2),
}
"""How many positions of each kind a batch has."""
BATCHES = 10
COMMON = ("main", "turn")
LONGEST = 150
"""Decisions of a game at most."""


# --- people, and the time that passes ---


def person(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "correct horse")


@contextmanager
def at(instant: datetime) -> Iterator[None]:
    with time_machine.travel(instant, tick=False):
        yield


# --- games ---


def begun(people: list[User], title: str = "splendor", bots: int = 0, **spec: object) -> Game:
    """A game of these people, the first of whom made the table; it begins now."""
    game = tables.create(people[0], tables.TableSpec(title, len(people) + bots, ["greedy"] * bots, **spec))  # type: ignore[arg-type]
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
    actor = play.BOT if seat.acting_bot else play.Actor(seat.user)
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


def table(people: list[User], **spec: object) -> Game:
    """A game that began at START; everybody has made a first move."""
    with at(START):
        game = begun(people, **spec)  # type: ignore[arg-type]
        each_began(game)
    return game


def told_all() -> None:
    """All mails that are owed have gone out."""
    Notice.objects.filter(closed_at=None, due_at__lte=now()).update(closed_at=now(), outcome="sent")


def post() -> None:
    """What the workers do with all mails that are due."""
    for notice in Notice.objects.due(now()):
        deliveries.deliver(notice.pk)


def run_out(game: Game) -> Seat:
    """The time of the seat to act is up, and the sweep sees it; whose that was."""
    seat = acting(game)
    assert game.deadline is not None
    with at(game.deadline):
        told_all()
        sweep.sweep()
    game.refresh_from_db()
    seat.refresh_from_db()
    return seat


def kinds(game: Game) -> list[str]:
    return list(Incident.objects.filter(game=game).order_by("pk").values_list("kind", flat=True))


def must_return(game: Game) -> bool:
    """Whether a blind reserve brings gold to who holds ten tokens already: one is to be returned in the same turn."""
    seat = acting(game)
    seen, legal = play.offer(game, seat, variants=False)
    return sum(seen.players[seat.index].tokens) == 10 and seen.bank[-1] > 0 and "reserve L1" in map(str, legal)


# --- games that hide something, the same for ever: dealt from a number, played by chance ---


def deal(title: str, people: Sequence[User], seed: int) -> Game:
    """A game of those people that has just begun; anyone may watch it."""
    with patch.object(secrets, "token_bytes", Random(seed).randbytes):
        game = tables.create(people[0], tables.TableSpec(title, len(people), audience="anyone"))
    for person in people[1:]:
        tables.join(game, person)
    game.refresh_from_db()
    return game


def play_on(game: Game, seed: int, decisions: int) -> None:
    """So many decisions more, fewer if the game ends: half of the reserves that there may be come from a deck."""
    rng = Random(seed)
    for _ in range(decisions):
        if not game.is_active:
            return
        legal = [str(action) for action in play.look(game, actor(game)).legal]
        blind = [text for text in legal if text.startswith("reserve L")]
        buys = [text for text in legal if text.startswith("buy")]
        choice = rng.choice(blind if blind and rng.random() < 0.5 else buys or legal)
        play.submit(game, play.Actor(actor(game)), game.number, [choice])


def actor(game: Game) -> User:
    """The person who is to act."""
    user = Seat.objects.select_related("user").get(game=game, index=game.to_act).user
    assert user is not None
    return user


def ruleset(game: Game) -> Ruleset[Any, Any]:
    return TITLES[game.title].ruleset


def state(game: Game) -> Any:
    """Everything about the position, secrets included."""
    return ruleset(game).load(Position.objects.get(game=game).state)


def play_well(game: Game, seed: int, decisions: int = 1) -> None:
    """So many decisions more, as the plain bot makes them, fewer if the game ends; some cards are reserved blind."""
    rng = Random(seed)
    for _ in range(decisions):
        if not game.is_active:
            return
        seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
        seen, legal = play.offer(game, seat, variants=False)
        blind = [action for action in legal if str(action).startswith("reserve L")]
        lucky = blind and rng.random() < 0.1
        bot = TITLES[game.title].bot("greedy")
        action = rng.choice(blind) if lucky else bot.choose(seen, legal, rng, Limit())
        play.submit(game, play.Actor(seat.user), game.number, [str(action)])
        game.refresh_from_db()


# --- positions ---


def kind(title: str, state: Any) -> str:
    """Which of the kinds above the position is."""
    options = TITLES[title].ruleset.legal_actions(state)
    if any(any(option.variants(state)) for option in options):
        return "payment"
    return "privilege" if any(option.word == "privilege" for option in options) else str(state.phases[0])


@cache
def positions(title: str, batch: int) -> tuple[Any, ...]:
    """The states of that batch, the same for ever: from games of all numbers of seats, at all stages."""
    ruleset, greedy = TITLES[title].ruleset, TITLES[title].bot("greedy")
    rng, number = Random(f"{title} {batch}"), batch
    found: dict[str, list[Any]] = {phase: [] for phase in QUOTAS[title]}
    while any(len(found[phase]) < quota for phase, quota in QUOTAS[title].items()):
        number += 1
        state = ruleset.initial(ruleset.seats[number % len(ruleset.seats)], rng.randbytes(32))
        whim = rng.choice((0.1, 1))
        while state.to_act is not None and state.number < LONGEST:
            what = kind(title, state)
            if len(found[what]) < QUOTAS[title][what] and rng.random() < (0.05 if what in COMMON else 0.5):
                found[what].append(state)
            options = ruleset.legal_actions(state)
            if rng.random() < whim:
                # Purchases first, so that cards, crowns and nobles come together.
                buys = [option for option in options if option.word == "buy"]
                action = rng.choice(buys if buys and rng.random() < 0.7 else options)
            else:
                action = greedy.choose(ruleset.observe(state, state.to_act), options, rng, Limit())
            state = ruleset.apply(state, action).state
    return tuple(state for states in found.values() for state in states)


def put(game: Game, state: Any) -> None:
    """The position on the table of that game, which has as many seats; what was played there is forgotten."""
    assert len(state.players) == game.seats
    game.move_set.all().delete()
    game.seat_set.update(seen_number=state.number)
    Position.objects.filter(game=game).update(state=TITLES[game.title].ruleset.dump(state))
    Game.objects.filter(pk=game.pk).update(
        status=Game.Status.ACTIVE, number=state.number, to_act=state.to_act, version=game.version + 1
    )
    game.refresh_from_db()


def lay(game: Game, user: User, mine: str = "", theirs: str = "", **lines: str) -> None:
    """The position of those lines, see `tests.rules.positions`, with `_` for the spaces in their names; that person is
    to act and has what is `mine`. Decisions are counted from 0 again."""
    ruleset = TITLES[game.title].ruleset
    position = import_module(f"tests.rules.positions.{game.title}").position
    seat = Seat.objects.get(game=game, user=user).index
    assert seat is not None
    owned = {f"seat {seat}": mine, f"seat {1 - seat}": theirs, "to act": str(seat)}
    state = position(2, bytes(32), {name.replace("_", " "): text for name, text in lines.items()} | owned)
    assert ruleset.faults(state) == []
    game.move_set.all().delete()
    game.seat_set.update(seen_number=0)
    Position.objects.filter(game=game).update(state=ruleset.dump(state))
    Game.objects.filter(pk=game.pk).update(number=0, to_act=seat, version=game.version + 1)
    game.refresh_from_db()
