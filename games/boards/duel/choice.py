"""Reads drafts and finds the drafts that clicks lead to, using nothing but the legal actions.

The piece in hand may be incomplete, complete, or complete but extensible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.boards import common
from games.boards.common import Drafting
from games.boards.duel.parts import Effect, Refused
from games.boards.gems import GEMS
from games.rules import tokens
from games.rules.base import Action, BadNotation
from games.rules.duel.actions import (
    Attach,
    Buy,
    ChooseRoyal,
    Match,
    Replenish,
    Reserve,
    Return,
    Steal,
    Take,
    UsePrivilege,
)
from games.rules.duel.cards import GOLD, KINDS, LINES, SPACES
from games.rules.duel.ruleset import Duel
from games.rules.duel.state import EMPTY, Observation, Phase, State
from games.rules.tokens import Tokens
from games.rules.trade import LIMIT

RULES = Duel()
OPEN = (Phase.TURN, Phase.MANDATORY)
"""The phases in which the reader chooses an action."""


@dataclass(frozen=True, slots=True)
class InHand:
    """The piece in hand. `action` is set once it is complete and legal."""

    word: str = ""
    action: Action[State] | None = None
    spaces: tuple[int, ...] = ()
    target: str = ""
    """The id of a card, or a deck."""
    given: Tokens = (0,) * len(KINDS)
    kind: str = ""
    royal: str = ""
    choosing: bool = False
    """Whether the reader is choosing the payment."""
    refused: Refused | None = None


class Options(common.Options):
    """The legal actions by the controls that the reader touches."""

    def __init__(self, actions: Sequence[Action[State]]) -> None:
        super().__init__(actions)
        self.lines = tuple(sorted(self.of(Take), key=lambda take: len(take.spaces)))
        self.privileges = {privilege.space: privilege for privilege in self.of(UsePrivilege)}
        self.golds: dict[str, dict[int, Reserve]] = {}
        """Reservations by card or deck, and by space of the gold."""
        for reserve in self.of(Reserve):
            self.golds.setdefault(reserve.target, {})[reserve.gold] = reserve
        self.purchases: dict[str, list[Buy]] = {}
        """Purchases by card; the default payment comes first."""
        for buy in self.of(Buy):
            self.purchases.setdefault(buy.card, []).append(buy)
        self.returns = tuple(self.of(Return))
        self.matches = {match.space: match for match in self.of(Match)}

    def line(self, spaces: Iterable[int]) -> Take | None:
        """The shortest line that contains these spaces: it adds the middle between two ends."""
        wanted = set(spaces)
        return next((take for take in self.lines if wanted.issubset(take.spaces)), None)

    def without(self, spaces: Sequence[int], space: int) -> Take | None:
        """The line left when a chosen space is dropped; if that is the middle, only the first end."""
        rest = [other for other in spaces if other != space]
        line = self.line(rest) if rest else None
        return self.line(rest[:1]) if line and space in line.spaces else line

    def returnable(self, given: Tokens) -> bool:
        """Whether some legal return includes these tokens."""
        return any(tokens.within(given, action.returned) for action in self.returns)


def read(text: str, options: Options, seen: Observation, drafting: Drafting) -> InHand:
    """The piece in hand, as far as it is legal."""
    word, _, rest = text.strip().partition(" ")
    if word == Take.word and options.lines:
        return _take(rest, options, seen, drafting)
    if word == Buy.word:
        return _buy(rest, options)
    if word == Reserve.word:
        return _reserve(rest, options)
    if word == Return.word and options.returns:
        return _return(rest, options)
    if word == UsePrivilege.word and options.privileges:
        space = SPACES.index(rest) if rest in SPACES else -1
        privilege = options.privileges.get(space)
        return InHand(word, privilege, spaces=(space,) if privilege else ())
    action = next((action for action in options.all if str(action) == f"{word} {rest}".strip()), None)
    if isinstance(action, Match):
        return InHand(word, action, spaces=(action.space,))
    if isinstance(action, Attach | Steal):
        return InHand(word, action, kind=rest)
    if isinstance(action, ChooseRoyal):
        return InHand(word, action, royal=rest)
    if isinstance(action, Replenish):
        return InHand(word, action)
    return InHand()


def _take(text: str, options: Options, seen: Observation, drafting: Drafting) -> InHand:
    line: Take | None = None
    for name in text.split():
        if name not in SPACES:
            break
        chosen, space = line.spaces if line else (), SPACES.index(name)
        longer = options.line((*chosen, space))
        if longer is None:
            refused = _refused(chosen, space, options, seen.board, drafting)
            return InHand(Take.word if line else "", line, spaces=chosen, refused=refused)
        line = longer
    return InHand(Take.word, line, spaces=line.spaces) if line else InHand()


def _refused(chosen: tuple[int, ...], space: int, options: Options, board: str, drafting: Drafting) -> Refused:
    between = -1
    if board[space] == KINDS[GOLD]:
        code = "gold"
    elif board[space] == EMPTY:
        code = "empty"
    elif len(chosen) == 3:
        code = "full"
    else:
        code = "crooked"
        line = next((line for line in LINES if {*chosen, space}.issubset(line)), None)
        if line:
            code, between = "gap", next(other for other in line if board[other] in (EMPTY, KINDS[GOLD]))
    instead = options.line([space])
    return Refused(
        code=code,
        space=SPACES[space],
        chosen=tuple(SPACES[other] for other in chosen),
        by=SPACES[between] if between >= 0 else "",
        by_gem=GEMS.get(board[between], "") if between >= 0 else "",
        instead=drafting.to(str(instead)) if instead and chosen else None,
    )


def _buy(text: str, options: Options) -> InHand:
    card, equals, payment = (part.strip() for part in text.partition("="))
    purchases = options.purchases.get(card)
    if not purchases:
        return InHand()
    if equals and not payment:
        return InHand(Buy.word, target=card, choosing=True)
    if not payment:
        return InHand(Buy.word, purchases[0], target=card)
    try:
        action = Buy.parse(text)
    except BadNotation:
        return InHand(Buy.word, purchases[0], target=card)
    return InHand(Buy.word, action if action in purchases else purchases[0], target=card)


def _reserve(text: str, options: Options) -> InHand:
    target, _, space = text.partition(" ")
    golds = options.golds.get(target)
    if not golds:
        return InHand()
    action = golds.get(SPACES.index(space)) if space in SPACES else None
    return InHand(Reserve.word, action, spaces=(action.gold,) if action else (), target=target)


def _return(text: str, options: Options) -> InHand:
    given: Tokens = (0,) * len(KINDS)
    for kind in text:
        more = tokens.add(given, tokens.single(KINDS.index(kind), KINDS)) if kind in KINDS else given
        given = more if options.returnable(more) else given
    action = next((action for action in options.returns if action.returned == given), None)
    return InHand(Return.word, action, given=given)


def effect(state: State, action: Action[State], reader: int) -> Effect:
    """The effect of the action in a state that fits the reader's observation. Any fitting state will do, because the
    effect includes only what all of them share."""
    step = RULES.apply(state, action)
    after, gift = step.state, ""
    for event in step.events:
        if event.facts.get("seat") == 1 - reader:
            gift = {"privilege_gained": "board", "privilege_taken_over": "mine"}.get(event.code, gift)
    mine = after.to_act == reader
    again = mine and any(event.code == "extra_turn" for event in step.events)
    held = sum(after.players[reader].tokens)
    return Effect(
        gift=gift,
        next=("main" if after.phases[0] in OPEN else str(after.phases[0])) if mine else "",
        excess=max(0, held - LIMIT) if mine and Phase.RETURN in after.phases else 0,
        tokens=held,
        again=again,
        wins=after.to_act is None,
        reveals=step.reveals,
    )
