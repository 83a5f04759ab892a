"""The moment that a board shows, from which its parts are built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random

from games.boards.common import Drafting, Link, Payer
from games.boards.duel.choice import RULES, Options, effect, read
from games.boards.duel.parts import Effect, Face
from games.boards.gems import GEMS, holder_of, payer_of, traces
from games.rules import tokens
from games.rules.base import Action, Event
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
from games.rules.duel.cards import CARDS, COLOURS, GOLD, KINDS, SPACES, Card
from games.rules.duel.state import Observation, State


class Moment:
    """The knowledge of one reader, their legal actions, and their choices so far."""

    def __init__(
        self,
        seen: Observation,
        legal: tuple[Action[State], ...],
        staged: tuple[str, ...],
        prefix: str,
        before: Observation,
        since: Sequence[Event],
        payer: Payer,
    ) -> None:
        self.seen, self.before, self.reader = seen, before, seen.seat
        self.bonuses = [player.bonuses for player in seen.players]
        self.traces, self.takers = dict(traces(since, seen.seat, _looks)), _takers(since, seen.seat)
        self.may_act, self.payer = bool(legal), payer_of(payer, seen.seat)
        self.drafting, self.options = Drafting(staged), Options(legal if payer == "me" else ())
        self.staged = tuple(RULES.parse(notation) for notation in staged)
        self.choice = read(prefix, self.options, seen, self.drafting)
        self.text = self.drafting.to(prefix.strip() if self.choice.word else "")
        self.effect = self.tried(self.choice.action) if self.choice.action is not None else None
        self._followed: dict[tuple[object, ...], bool] = {}
        self.faces: dict[tuple[str, str], Face] = {}
        """The faces built so far, by card and slot."""
        self.targets = ({target_of(action) for action in self.staged} | {self.choice.target}) - {""}

    @cached_property
    def _fitting(self) -> State:
        """A state that fits the observation."""
        return RULES.determinize(self.seen, Random(0))

    def tried(self, action: Action[State]) -> Effect:
        """The effect of a legal action of the reader."""
        assert self.reader is not None
        return effect(self._fitting, action, self.reader)

    def followed(self, action: Action[State]) -> bool:
        """Whether another decision of the same turn follows a legal action, and can be chosen before the confirmation.
        Of the actions that are alike in this respect, only one is tried out."""
        alike = _alike(action)
        if alike not in self._followed:
            effect = self.tried(action)
            self._followed[alike] = bool(effect.next) and not effect.reveals
        return self._followed[alike]

    def pays_for(self, card: str) -> int | None:
        """The seat whose price for the card is shown. Nobody but its holder can buy a reserved card."""
        return self.payer if self.payer is None else holder_of(card, self.seen.players, self.payer)

    @property
    def touched(self) -> tuple[str, ...]:
        """The controls touched for the piece in hand."""
        choice = self.choice
        if choice.action is not None:
            return tuple(touches_of(choice.action))
        if choice.word == UsePrivilege.word:
            return (choice.word,)
        given = tokens.spell(choice.given, KINDS) if any(choice.given) else ""
        return (choice.target,) if choice.target else (*given, *(SPACES[space] for space in choice.spaces))

    @property
    def undo(self) -> Link:
        """The draft without the token or space touched last, or without its last decision."""
        if self.choice.word:
            return self.drafting.to(self._shorter(self.choice.word, self.touched))
        if not self.staged:
            return None
        last = self.staged[-1]
        return self.drafting.instead(len(self.staged) - 1, self._shorter(last.word, tuple(touches_of(last))))

    def _shorter(self, word: str, touched: Sequence[str]) -> str:
        """The piece without the control touched last; empty if none is left."""
        rest = touched[:-1]
        if not rest or (word == Reserve.word and self.before.board.count(KINDS[GOLD]) == 1):
            return ""
        if word == Return.word:
            return f"{word} {''.join(rest)}"
        return " ".join(rest if word == UsePrivilege.word else (word, *rest))

    def link(self, action: Action[State] | None) -> Link:
        """The draft with that action in hand."""
        return self.drafting.to(str(action)) if action else None

    @property
    def given_away(self) -> str:
        """Where the privilege comes from that the staged decisions give to the opponent, `board` or `mine`; empty if
        they give none."""
        if self.reader is None:
            return ""
        before, after = (seen.players[1 - self.reader].privileges for seen in (self.before, self.seen))
        used = sum(isinstance(action, UsePrivilege) for action in self.staged)
        return "" if before == after else "mine" if self.seen.privileges == self.before.privileges + used else "board"

    @property
    def replenishing(self) -> Link:
        return next((self.link(action) for action in self.options.of(Replenish)), None)


def touches_of(action: Action[State]) -> Iterator[str]:
    """The controls that the reader touches to choose the action."""
    match action:
        case Take(spaces=spaces):
            yield from (SPACES[space] for space in spaces)
        case Reserve(target=target, gold=space):
            yield from (target, SPACES[space])
        case UsePrivilege(space=space):
            yield from (action.word, SPACES[space])
        case Match(space=space):
            yield SPACES[space]
        case Return(returned=returned):
            yield from tokens.spell(returned, KINDS)
        case Attach(colour=colour):
            yield COLOURS[colour]
        case Steal(kind=kind):
            yield KINDS[kind]
        case Buy(card=target) | ChooseRoyal(royal=target):
            yield target
        case _:
            yield action.word


def _alike(action: Action[State]) -> tuple[object, ...]:
    """Equal for actions that are followed by the same kind of decision: it does not matter which tokens are taken,
    returned or paid, only how many, or which card of a level is reserved."""
    match action:
        case Take(spaces=spaces):
            return Take, len(spaces)
        case Return():
            return (Return,)
        case Reserve(target=target):
            return Reserve, CARDS[target].level if target in CARDS else target
        case Buy(card=card):
            return Buy, card
    return (action,)


def target_of(action: Action[State]) -> str:
    """The card or deck that the action buys or reserves."""
    match action:
        case Buy(card=target) | Reserve(target=target):
            return target
    return ""


def tint_of(card: Card) -> str:
    """The name of the card's drawing and colour."""
    if card.bonus is not None:
        return GEMS[COLOURS[card.bonus]]
    return "wild" if card.joker else "none"


def _looks(name: str) -> tuple[int, str]:
    card = CARDS[name]
    return card.prestige, tint_of(card)


def _takers(since: Sequence[Event], reader: int | None) -> dict[str, int]:
    """The other seat that took the token, by space."""
    took = [event for event in since if event.code in ("took", "matched", "privilege_used")]
    return {
        space: int(event.facts["seat"])
        for event in took
        if event.facts["seat"] != reader
        for space in str(event.facts.get("spaces", event.facts.get("space"))).split()
    }
