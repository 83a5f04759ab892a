"""What a reader may see of a position: the one door for everything that is shown."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Seat
from games.models.position import Position
from games.rules.base import Action, Refusal, Ruleset, Step


class NotYours(Exception):
    """The actor does not decide for the seat to act."""


@dataclass(frozen=True)
class Look:
    """What one reader sees of a game, with the decisions it has staged tried out."""

    seat: int | None
    """The reader's seat, `None` for a spectator."""
    seen: Any
    """The observation with the staged decisions tried out."""
    before: Any
    """The observation without them."""
    legal: list[Action[Any]]
    """All options and variants after the staged decisions; empty unless the reader is to act."""
    staged: tuple[str, ...]
    """Complete decisions that reveal nothing and leave the reader to act, in order."""
    prefix: str
    """The piece of the draft after them, a decision or the beginning of one."""


def look(game: Game, user: User | AnonymousUser, draft: str = "") -> Look:
    """The one door to a position for everything that is shown; who may look at all is asked before.

    The draft is notations joined by `;`. Of it is kept what is legal; its last piece may be the beginning of one."""
    seat = seat_of(game, user)
    ruleset, state = position(game)
    if not game.is_active:
        # Who resigned may have left the turn open.
        state = replace(state, to_act=None, phases=())
    before = ruleset.observe(state, seat)
    if seat is None or seat != state.to_act or _program_acts(game):
        return Look(seat, before, before, [], (), "")
    state, staged, prefix = _stage(ruleset, state, draft)
    return Look(seat, ruleset.observe(state, seat), before, ruleset.all_actions(state), staged, prefix)


def offer(game: Game, seat: Seat, *, variants: bool) -> tuple[Any, list[Action[Any]]]:
    """What a program in that seat, which is to act, sees and may choose from."""
    ruleset, state = position(game)
    legal = ruleset.all_actions(state) if variants else ruleset.legal_actions(state)
    return ruleset.observe(state, seat.index), legal


def _program_acts(game: Game) -> bool:
    """Whether a bot decides now, for its own seat or for a person who is away."""
    return any(seat.program for seat in game.seat_set.all() if seat.index == game.to_act)


def seat_of(game: Game, user: User | AnonymousUser) -> int | None:
    """The index of the reader's seat, `None` for a spectator."""
    return next((seat.index for seat in game.seat_set.all() if seat.user_id and seat.user_id == user.pk), None)


def position(game: Game) -> tuple[Ruleset[Any, Any], Any]:
    """The ruleset and the state, for the modules of this package alone."""
    ruleset = TITLES[game.title].ruleset
    return ruleset, ruleset.load(Position.objects.get(game=game).state)


def _stage(ruleset: Ruleset[Any, Any], state: Any, draft: str) -> tuple[Any, tuple[str, ...], str]:
    """Try out what of the draft is complete: the state then, these decisions, and what is left."""
    *pieces, prefix = (piece.strip() for piece in draft.split(";"))
    staged: list[str] = []
    for piece in pieces:
        step = _try(ruleset, state, piece)
        if step is None:
            return state, tuple(staged), ""
        if not _goes_on(state, step):
            return state, tuple(staged), str(step.played[0])
        staged.append(str(step.played[0]))
        state = step.state
    step = _try(ruleset, state, prefix)
    if step and _goes_on(state, step) and not _extensible(ruleset, state, prefix):
        staged.append(str(step.played[0]))
        return step.state, tuple(staged), ""
    return state, tuple(staged), prefix


def _try(ruleset: Ruleset[Any, Any], state: Any, piece: str) -> Step[Any] | None:
    try:
        return ruleset.apply(state, ruleset.parse(piece))
    except Refusal:
        return None


def _goes_on(state: Any, step: Step[Any]) -> bool:
    """Whether the same turn goes on, and its next decision can be made now already."""
    return step.state.to_act == state.to_act and not step.ends_turn and not step.reveals


def _extensible(ruleset: Ruleset[Any, Any], state: Any, piece: str) -> bool:
    """Whether the piece may be the beginning of a longer decision, written in any order."""
    letters = Counter(piece)
    return any(letters < Counter(str(action)) for action in ruleset.legal_actions(state))
