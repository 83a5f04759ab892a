"""Makes people, tables, games and positions for tests, and lets time pass."""

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
"""The data of a filled-in form for a new table."""
SPECIAL = ("privilege", "payment")
"""Kinds of position besides the phases: those with a legal privilege, and those with several payments for a card."""
QUOTAS: dict[str, dict[str, int]] = {
    "splendor": {"main": 10, "payment": 2, "return": 6, "noble": 2},
    "duel": {"turn": 4, "privilege": 2, "payment": 1, "mandatory": 3}
    | dict.fromkeys(("attach", "match", "steal", "royal", "return"), 2),
}
"""The number of positions of each kind in a batch."""
BATCHES = 10
COMMON = ("main", "turn")
MAX_GAME_ACTIONS = 150
"""The maximum number of decisions of a game."""


# --- people, and the time that passes ---


def person(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "correct horse")


@contextmanager
def at(instant: datetime) -> Iterator[None]:
    with time_machine.travel(instant, tick=False):
        yield


# --- games ---


def begun(people: list[User], title: str = "splendor", bots: int = 0, **spec: object) -> Game:
    """A game of these people that begins now, with the first as its host."""
    game = tables.create(people[0], tables.TableSpec(title, len(people) + bots, ["greedy"] * bots, **spec))  # type: ignore[arg-type]
    for user in people[1:]:
        tables.join(game, user)
    game.refresh_from_db()
    return game


def acting(game: Game) -> Seat:
    game.refresh_from_db()
    return Seat.objects.select_related("user").get(game=game, index=game.to_act)


def decide(game: Game, *, prefer: str = "") -> Seat:
    """Let the seat to act, user or bot, play its first legal action, or the first one that begins with `prefer`; return
    the seat."""
    seat = acting(game)
    actor = play.BOT if seat.acting_bot else play.Actor(seat.user)
    _seen, legal = play.offer(game, seat, variants=False)
    notations = sorted(map(str, legal), key=lambda text: (not text.startswith(prefer), text))
    play.submit(game, actor, game.number, notations[:1])
    game.refresh_from_db()
    return seat


def take_turn(game: Game) -> Seat:
    """Make decisions until the turn is over."""
    turn = game.turn_number
    seat = acting(game)
    while game.is_active and game.turn_number == turn:
        decide(game)
    return seat


def each_began(game: Game) -> None:
    """Let everybody make a first move."""
    for _seat in range(game.seats):
        take_turn(game)


def table(people: list[User], **spec: object) -> Game:
    """A game that began at START and in which everybody has made a first move."""
    with at(START):
        game = begun(people, **spec)  # type: ignore[arg-type]
        each_began(game)
    return game


def told_all(*, reminders: bool = True) -> None:
    """Mark all due notices as sent, except mails about accounts; without `reminders`, those stay as they are."""
    due = Notice.objects.filter(closed_at=None, due_at__lte=now()).exclude(kind="account")
    (due if reminders else due.exclude(kind="reminder")).update(closed_at=now(), outcome="sent")


def post() -> None:
    """Do the workers' work with all due mails."""
    for notice in Notice.objects.due(now()):
        deliveries.deliver(notice.pk)


def run_out(game: Game, *, reminders: bool = True) -> Seat:
    """Let the seat to act run out of time, and let the sweep notice; return the seat. Without `reminders`, the player
    was told of the turn but not reminded of it."""
    seat = acting(game)
    assert game.deadline is not None
    with at(game.deadline):
        told_all(reminders=reminders)
        sweep.sweep()
    game.refresh_from_db()
    seat.refresh_from_db()
    return seat


def kinds(game: Game) -> list[str]:
    return list(Incident.objects.filter(game=game).order_by("pk").values_list("kind", flat=True))


def must_return(game: Game) -> bool:
    """Whether the player to act, with ten tokens, can reserve blind and take gold, and must then return a token."""
    seat = acting(game)
    seen, legal = play.offer(game, seat, variants=False)
    return sum(seen.players[seat.index].tokens) == 10 and seen.bank[-1] > 0 and "reserve L1" in map(str, legal)


# --- games with hidden cards: dealt from a number and played at random, always the same ---


def deal(title: str, people: Sequence[User], seed: int) -> Game:
    """A game of these people that has just begun and that anybody may watch."""
    with patch.object(secrets, "token_bytes", Random(seed).randbytes):
        game = tables.create(people[0], tables.TableSpec(title, len(people), audience="anyone"))
    for person in people[1:]:
        tables.join(game, person)
    game.refresh_from_db()
    return game


def play_on(game: Game, seed: int, decisions: int) -> None:
    """Make that many more decisions, or fewer if the game ends; half of the possible reserves are blind."""
    rng = Random(seed)
    for _ in range(decisions):
        if not game.is_active:
            return
        user = actor(game)
        legal = [str(action) for action in play.look(game, user).legal]
        blind = [text for text in legal if text.startswith("reserve L")]
        buys = [text for text in legal if text.startswith("buy")]
        choice = rng.choice(blind if blind and rng.random() < 0.5 else buys or legal)
        play.submit(game, play.Actor(user), game.number, [choice])


def actor(game: Game) -> User:
    """The user who is to act."""
    user = Seat.objects.select_related("user").get(game=game, index=game.to_act).user
    assert user is not None
    return user


def ruleset(game: Game) -> Ruleset[Any, Any]:
    return TITLES[game.title].ruleset


def state(game: Game) -> Any:
    """Everything about the position, secrets included."""
    return ruleset(game).load(Position.objects.get(game=game).state)


def play_well(game: Game, seed: int, decisions: int = 1) -> None:
    """Let the greedy bot make that many more decisions, or fewer if the game ends; some cards are reserved blind."""
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


def to_the_end(title: str, state: Any, rng: Random) -> list[tuple[Any, Any]]:
    """The positions from this one to the end if greedy bots play, each with the action chosen there."""
    ruleset, bot = TITLES[title].ruleset, TITLES[title].bot("greedy")
    steps = []
    while state.to_act is not None:
        action = bot.choose(ruleset.observe(state, state.to_act), ruleset.legal_actions(state), rng, Limit())
        steps.append((state, action))
        state = ruleset.apply(state, action).state
    return steps


def play_until(game: Game, left: int) -> None:
    """Play greedily for all seats, until about `left` decisions remain and a turn begins."""
    for at, action in to_the_end(game.title, state(game), Random(1))[:-left]:
        play.submit(game, play.Actor(acting(game).user), at.number, [str(action)])
        game.refresh_from_db()
    while game.number != game.turn_number:
        play_well(game, 1)


# --- positions ---


def kind(title: str, state: Any) -> str:
    """The kinds that the position belongs to."""
    options = TITLES[title].ruleset.legal_actions(state)
    if any(any(option.variants(state)) for option in options):
        return "payment"
    return "privilege" if any(option.word == "privilege" for option in options) else str(state.phases[0])


@cache
def positions(title: str, batch: int) -> tuple[Any, ...]:
    """The states of that batch, always the same, from all stages of games with all numbers of seats."""
    ruleset, greedy = TITLES[title].ruleset, TITLES[title].bot("greedy")
    rng, number = Random(f"{title} {batch}"), batch
    found: dict[str, list[Any]] = {phase: [] for phase in QUOTAS[title]}
    while any(len(found[phase]) < quota for phase, quota in QUOTAS[title].items()):
        number += 1
        state = ruleset.initial(ruleset.seats[number % len(ruleset.seats)], rng.randbytes(32))
        whim = rng.choice((0.1, 1))
        while state.to_act is not None and state.number < MAX_GAME_ACTIONS:
            what = kind(title, state)
            if len(found[what]) < QUOTAS[title][what] and rng.random() < (0.05 if what in COMMON else 0.5):
                found[what].append(state)
            options = ruleset.legal_actions(state)
            if rng.random() < whim:
                # Prefer purchases, so that players collect cards, crowns and nobles.
                buys = [option for option in options if option.word == "buy"]
                action = rng.choice(buys if buys and rng.random() < 0.7 else options)
            else:
                action = greedy.choose(ruleset.observe(state, state.to_act), options, rng, Limit())
            state = ruleset.apply(state, action).state
    return tuple(state for states in found.values() for state in states)


def put(game: Game, state: Any) -> None:
    """Put the position into that game, which has the same number of seats, and delete the game's moves."""
    assert len(state.players) == game.seats
    game.move_set.all().delete()
    game.seat_set.update(seen_number=state.number)
    Position.objects.filter(game=game).update(state=TITLES[game.title].ruleset.dump(state))
    Game.objects.filter(pk=game.pk).update(
        status=Game.Status.ACTIVE, number=state.number, to_act=state.to_act, version=game.version + 1
    )
    game.refresh_from_db()


def lay(game: Game, user: User, mine: str = "", theirs: str = "", **lines: str) -> None:
    """Put the position of these lines into the game; see `tests.rules.positions`. Names of lines have `_` for spaces.
    The user is to act and has the fields of `mine`, the next seat those of `theirs`. The game's number becomes 0
    again."""
    ruleset = TITLES[game.title].ruleset
    position = import_module(f"tests.rules.positions.{game.title}").position
    seat = Seat.objects.get(game=game, user=user).index
    assert seat is not None
    owned = {f"seat {seat}": mine, f"seat {(seat + 1) % game.seats}": theirs, "to act": str(seat)}
    state = position(game.seats, bytes(32), {name.replace("_", " "): text for name, text in lines.items()} | owned)
    assert ruleset.faults(state) == []
    game.move_set.all().delete()
    game.seat_set.update(seen_number=0)
    Position.objects.filter(game=game).update(state=ruleset.dump(state))
    Game.objects.filter(pk=game.pk).update(number=0, to_act=seat, version=game.version + 1)
    game.refresh_from_db()
