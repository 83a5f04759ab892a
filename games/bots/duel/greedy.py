"""A simple bot for Splendor Duel, which considers only the action at hand."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.bots.wants import BUYING, Want, lacking, prospect, value
from games.rules import tokens
from games.rules.base import Action
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
from games.rules.duel.cards import CARDS, GOLD, KINDS, PEARL, ROYALS, Ability
from games.rules.duel.state import Observation, price
from games.rules.tokens import Tokens

PRIVILEGE = 0.5
"""The cost of giving the opponent a privilege."""
ABILITIES = {
    Ability.NONE: 0.0,
    Ability.ASSOCIATE: 0.0,
    Ability.TAKE_SAME_COLOUR: 0.5,
    Ability.TAKE_PRIVILEGE: 0.5,
    Ability.STEAL_TOKEN: 0.5,
    Ability.EXTRA_TURN: 1.0,
}
"""The worth of each ability, in prestige."""


class Greedy(Bot[Observation]):
    """Buys the card of the highest worth, spending a privilege if that makes it possible. Otherwise it takes the
    tokens, or the gold with a card, that bring the wanted cards nearest. It returns the tokens that it needs least."""

    def choose(self, seen: Observation, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        outlook = Outlook(seen)
        return max(legal, key=lambda action: (SCORES[type(action)](outlook, action), rng.random()))


def worth(card: str) -> float:
    """The worth of a card's prestige, crowns, bonuses and abilities."""
    found = CARDS[card]
    return found.prestige + found.crowns + found.bonus_count + sum(ABILITIES[ability] for ability in found.abilities)


class Outlook:
    """How the seat to act values the position."""

    def __init__(self, seen: Observation) -> None:
        assert seen.to_act is not None
        self.seen = seen
        self.me = seen.players[seen.to_act]
        bonuses = self.me.bonuses
        cards = [card for row in seen.pyramid for card in row if card is not None]
        cards += [held.card for held in self.me.reserved if held.card is not None]
        self.wants = {
            card: Want(worth(card), price(CARDS[card], bonuses))
            for card in cards
            if any(bonuses) or not CARDS[card].joker
        }
        self.values: dict[tuple[str, ...], float] = {}
        """The results of `holding` so far."""

    def holding(self, *gained: str) -> float:
        """The value of the tokens in hand and those gained."""
        if gained not in self.values:
            self.values[gained] = value(self.wants.values(), self.with_tokens(*gained))
        return self.values[gained]

    def with_tokens(self, *gained: str) -> Tokens:
        return tuple(number + gained.count(kind) for number, kind in zip(self.me.tokens, KINDS, strict=True))

    def buy(self, action: Buy) -> float:
        return BUYING + self.wants[action.card].worth

    def privilege(self, action: UsePrivilege) -> float:
        """Worth it only if it makes a card affordable."""
        before, after = self.me.tokens, self.with_tokens(self.seen.board[action.space])
        enabled = [
            want.worth for want in self.wants.values() if not lacking(want.due, after) and lacking(want.due, before)
        ]
        return BUYING + max(enabled) - 0.1 if enabled else -BUYING

    def replenish(self, action: Replenish) -> float:
        """Worth it only if nothing on the board helps."""
        return self.holding() + 0.1 - PRIVILEGE

    def take(self, action: Take) -> float:
        taken = [self.seen.board[space] for space in action.spaces]
        gift = taken.count(KINDS[PEARL]) == 2 or (len(taken) == 3 and len(set(taken)) == 1)
        return self.holding(*taken) - PRIVILEGE * gift

    def reserve(self, action: Reserve) -> float:
        """A gold, and preferably the card that is closest to affordable."""
        wanted = self.wants.get(action.target)
        nearness = prospect([wanted], self.with_tokens(KINDS[GOLD])) if wanted else 0
        return self.holding(KINDS[GOLD]) - 1 + 0.1 * nearness

    def returning(self, action: Return) -> float:
        return prospect(self.wants.values(), tokens.subtract(self.me.tokens, action.returned))

    def match(self, action: Match) -> float:
        return self.holding(self.seen.board[action.space])

    def steal(self, action: Steal) -> float:
        return self.holding(KINDS[action.kind])

    def attach(self, action: Attach) -> float:
        """Prefer the colour with the most prestige, since ten points of one colour win."""
        return self.me.colour_points[action.colour]

    def royal(self, action: ChooseRoyal) -> float:
        royal = ROYALS[action.royal]
        return royal.prestige + ABILITIES[royal.ability]


SCORES: Mapping[type[Action[Any]], Callable[[Outlook, Any], float]] = {
    Buy: Outlook.buy,
    UsePrivilege: Outlook.privilege,
    Replenish: Outlook.replenish,
    Take: Outlook.take,
    Reserve: Outlook.reserve,
    Return: Outlook.returning,
    Match: Outlook.match,
    Steal: Outlook.steal,
    Attach: Outlook.attach,
    ChooseRoyal: Outlook.royal,
}
