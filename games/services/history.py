"""Looking back: what a reader was shown of each decision, and every position as that reader's seat knew it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move, Position
from games.rules.base import Event, Step
from games.services import play


@dataclass(frozen=True)
class Entry:
    """A decision in the ledger, as a reader may know it."""

    move: Move
    events: tuple[Event, ...]
    """What came of it, settled choices included."""
    points: int
    """How much the score of its seat rose."""
    tokens: int
    """How many tokens that seat held afterwards."""


def ledger(game: Game, user: User | AnonymousUser) -> list[Entry]:
    """All decisions of the game, oldest first. Empty for a game that no longer replays."""
    ruleset, seat = TITLES[game.title].ruleset, play.seat_of(game, user)
    moves = list(game.move_set.order_by("number"))
    steps = _steps(game, moves)
    if steps is None:
        return []
    before = ruleset.observe(next(steps).state, None)
    entries = []
    for move, step in zip(moves, steps, strict=True):
        shown = (ruleset.show(event, seat) for event in step.events)
        after = ruleset.observe(step.state, None)
        gained = after.players[move.seat].points - before.players[move.seat].points
        held = sum(after.players[move.seat].tokens)
        entries.append(Entry(move, tuple(event for event in shown if event), gained, held))
        before = after
    return entries


def since(entries: list[Entry], seat: int | None) -> list[Entry]:
    """What the others decided since that seat did last; nothing for a spectator."""
    mine = [index for index, entry in enumerate(entries) if entry.move.seat == seat]
    return entries[mine[-1] + 1 :] if mine else entries if seat is not None else []


def observation_at(game: Game, user: User | AnonymousUser, number: int) -> Any:
    """What the reader's seat knew after that many decisions; `None` if there were fewer, or none replay."""
    ruleset, seat = TITLES[game.title].ruleset, play.seat_of(game, user)
    moves = list(game.move_set.order_by("number")[:number])
    steps = _steps(game, moves)
    if steps is None or len(moves) < number:
        return None
    step = next(islice(steps, number, None))
    return ruleset.observe(step.state, seat)


def seed(game: Game) -> str:
    """The seed of a game that is over, as hexadecimal digits; it stays secret before."""
    if game.status != Game.Status.FINISHED:
        raise PermissionError
    found: bytes = TITLES[game.title].ruleset.load(Position.objects.get(game=game).state).seed
    return found.hex()


def replays(game: Game) -> bool:
    """Whether the recorded decisions lead from the seed to the stored position."""
    state = TITLES[game.title].ruleset.load(Position.objects.get(game=game).state)
    steps = _steps(game, list(game.move_set.order_by("number")), check=True)
    if steps is None:
        return False
    *_, last = steps
    return bool(last.state == state)


def _steps(game: Game, moves: list[Move], *, check: bool = False) -> Iterator[Step[Any]] | None:
    if not game.replayable:
        return None
    ruleset = TITLES[game.title].ruleset
    seed = ruleset.load(Position.objects.get(game=game).state).seed
    return ruleset.replay(game.seats, seed, [move.notation for move in moves], check=check)
