"""The history of a game as a reader may know it: the ledger, and the observation after every decision."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from games.catalogue import TITLES
from games.models import Game, Move
from games.rules.base import TURN_ENDS, DamagedState, Event, InvariantError, Refusal, Step
from games.services.play.look import position
from games.services.play.record import stored_events


@dataclass(frozen=True)
class Entry:
    """A decision in the ledger, as a reader may know it."""

    move: Move
    events: tuple[Event, ...]
    """The events that the decision brought about, settled choices included."""

    @property
    def hides(self) -> bool:
        """Whether the decision brought about more than the reader may know."""
        return bool(stored_events(self.events) != self.move.events)


@dataclass(frozen=True)
class Turn:
    """A turn with its decisions."""

    seat: int
    round: int
    """From 1 on."""
    entries: list[Entry] = field(default_factory=list)


def turns(entries: Iterable[Entry]) -> list[Turn]:
    """The turns of a game, given all its decisions. A round is over when the turn returns to a seat that had one, or to
    a seat before it; an extra turn belongs to the same round."""
    found: list[Turn] = []
    ends: set[str] = set()
    for entry in entries:
        seat = entry.move.seat
        if not found:
            found.append(Turn(seat, 1))
        elif seat != found[-1].seat or ends:
            wraps = seat < found[-1].seat or (seat == found[-1].seat and "passed" in ends)
            found.append(Turn(seat, found[-1].round + wraps))
        found[-1].entries.append(entry)
        ends = {event.code for event in entry.events} & TURN_ENDS
    return found


def ledger(game: Game, seat: int | None, last: int | None = None) -> list[Entry]:
    """The decisions of the game as the reader in that seat may know them, oldest first; seat `None` is a spectator.
    With `last`, only the latest `last` decisions."""
    return since(game.title, reversed(Move.objects.filter(game=game).order_by("-number")[:last]), seat)


def since(title: str, moves: Iterable[Move], seat: int | None, left: int = 0, number: int | None = None) -> list[Entry]:
    """“Since your last turn”: the moves from number `left` up to but not including `number`, as the reader in that seat
    may know them. The strip above the board, its markers, lists and mails all use this."""
    show = TITLES[title].ruleset.show
    return [
        Entry(move, tuple(event for code, facts in move.events if (event := show(Event(code, **facts), seat))))
        for move in moves
        if left <= move.number and (number is None or move.number < number)
    ]


def observation_at(game: Game, seat: int | None, number: int) -> Any:
    """The observation of that seat after that many decisions; `None` if there were fewer, or if the game does not
    replay."""
    moves = list(game.move_set.order_by("number")[:number])
    steps = _steps(game, moves)
    if steps is None or len(moves) < number:
        return None
    step = next(islice(steps, number, None))
    return TITLES[game.title].ruleset.observe(step.state, seat)


def seed(game: Game) -> str:
    """The seed of a finished game as hexadecimal digits. Raises `PermissionError` before the end."""
    if game.status != Game.Status.FINISHED:
        raise PermissionError
    _ruleset, state = position(game)
    found: bytes = state.seed
    return found.hex()


def replays(game: Game) -> bool:
    """Whether replaying the recorded decisions from the seed produces the recorded events and the stored position."""
    try:
        _ruleset, state = position(game)
    except DamagedState:
        return False
    moves = list(game.move_set.order_by("number"))
    replayed = _steps(game, moves, check=True)
    if replayed is None:
        return False
    try:
        first, *steps = replayed
    except (Refusal, InvariantError):
        return False
    agree = all(move.events == stored_events(step.events) for move, step in zip(moves, steps, strict=True))
    return agree and bool((steps[-1] if steps else first).state == state)


def _steps(game: Game, moves: list[Move], *, check: bool = False) -> Iterator[Step[Any]] | None:
    if not game.replayable:
        return None
    ruleset, state = position(game)
    return ruleset.as_of(game.ruleset_version).replay(
        game.seats, state.seed, [move.notation for move in moves], check=check
    )
