"""The moment that a board shows, from which its parts are built."""

from __future__ import annotations

from collections.abc import Sequence

from games.boards.common import Drafting, Link
from games.boards.duel.choice import RULES, Options, effect, read
from games.boards.duel.parts import Face
from games.boards.gems import GEMS, traces
from games.rules.base import Action, Event
from games.rules.duel.actions import Buy, Replenish, Reserve
from games.rules.duel.cards import CARDS, COLOURS, Card
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
    ) -> None:
        self.seen, self.before, self.reader = seen, before, seen.seat
        self.bonuses = [player.bonuses for player in seen.players]
        self.traces, self.takers = dict(traces(since, seen.seat, _looks)), _takers(since, seen.seat)
        self.drafting, self.options = Drafting(staged), Options(legal)
        self.staged = tuple(RULES.parse(notation) for notation in staged)
        self.choice = read(prefix, self.options, seen, self.drafting)
        self.text = self.drafting.to(prefix.strip() if self.choice.word else "")
        self.effect = (
            effect(seen, self.choice.action, self.reader)
            if self.choice.action is not None and self.reader is not None
            else None
        )
        self.faces: dict[tuple[str, str], Face] = {}
        """The faces built so far, by card and slot."""
        self.targets = ({target_of(action) for action in self.staged} | {self.choice.target}) - {""}

    def link(self, action: Action[State] | None) -> Link:
        """The draft with that action in hand."""
        return self.drafting.to(str(action)) if action else None

    @property
    def replenishing(self) -> Link:
        return next((self.link(action) for action in self.options.of(Replenish)), None)


def target_of(action: Action[State]) -> str:
    """The card or deck that the action buys or reserves."""
    match action:
        case Buy(card=target) | Reserve(target=target):
            return target
    return ""


def tint_of(card: Card) -> str:
    """The name of its drawing and colour."""
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
