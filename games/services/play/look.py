"""The only way to show a position: as its reader may see it."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.boards.common import BETWEEN
from games.catalogue import TITLES
from games.models import Game, Seat
from games.models.position import Position
from games.rules.base import Action, Refusal, Ruleset, Step


class NotYours(Exception):
    """The actor may not decide for the seat to act."""


@dataclass(frozen=True)
class Look:
    """The view of one reader, with their staged decisions tried out."""

    seat: int | None
    """The reader's seat; `None` for a spectator."""
    seen: Any
    """The observation after the staged decisions."""
    before: Any
    """The observation before them."""
    legal: list[Action[Any]]
    """All options and variants after the staged decisions; empty unless the reader is to act."""
    staged: tuple[str, ...]
    """Complete decisions, in order, that reveal nothing and after which the reader is still to act."""
    prefix: str
    """The rest of the draft: a decision, or the beginning of one."""


def look(game: Game, user: User | AnonymousUser, draft: str = "") -> Look:
    """The user's view of the game. The caller checks first whether the user may see the game at all.

    `draft` holds notations joined by `;`, the last of which may be incomplete. Only its legal part is kept.
    """
    seat = game.index_of(user)
    ruleset, state = position(game)
    if not game.is_active:
        # A player may have resigned in the middle of a turn.
        state = replace(state, to_act=None, phases=())
    before = ruleset.observe(state, seat)
    if seat is None or seat != state.to_act or game.is_turn_of_bot:
        return Look(seat, before, before, [], (), "")
    return try_out(ruleset, state, seat, draft)


def try_out(ruleset: Ruleset[Any, Any], state: Any, seat: int, draft: str) -> Look:
    """The view of the seat to act, with the legal part of its draft tried out."""
    before = ruleset.observe(state, seat)
    state, staged, prefix = _stage(ruleset, state, draft)
    return Look(seat, ruleset.observe(state, seat), before, ruleset.all_actions(state), staged, prefix)


def offer(game: Game, seat: Seat, *, variants: bool) -> tuple[Any, list[Action[Any]]]:
    """The observation and the legal actions for a bot in that seat, which is to act."""
    ruleset, state = position(game)
    legal = ruleset.all_actions(state) if variants else ruleset.legal_actions(state)
    return ruleset.observe(state, seat.index), legal


def position(game: Game) -> tuple[Ruleset[Any, Any], Any]:
    """The ruleset and the state of the game. Only modules of this package may call this."""
    ruleset = TITLES[game.title].ruleset
    return ruleset, ruleset.load(Position.objects.get(game=game).state)


def _stage(ruleset: Ruleset[Any, Any], state: Any, draft: str) -> tuple[Any, tuple[str, ...], str]:
    """Try out the complete decisions of the draft; return the state after them, their notations, and the rest."""
    *pieces, prefix = (piece.strip() for piece in draft.split(BETWEEN))
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
    """Whether the turn continues and its next decision can be staged already."""
    return step.state.to_act == state.to_act and not step.ends_turn and not step.reveals


def _extensible(ruleset: Ruleset[Any, Any], state: Any, piece: str) -> bool:
    """Whether the piece may be the beginning of a longer decision, written in any order."""
    letters = Counter(piece)
    return any(letters < Counter(str(action)) for action in ruleset.legal_actions(state))
