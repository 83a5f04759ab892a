"""A simple bot for Splendor, which considers only the action at hand."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.bots.wants import BUYING, Want, prospect, value
from games.rules import tokens
from games.rules.base import Action
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import CARDS, GOLD, KINDS, NOBLES
from games.rules.splendor.state import Observation, SeenPlayer, price
from games.rules.tokens import Tokens

GOLD_TOKEN = tokens.single(GOLD, KINDS)


class Greedy(Bot[Observation]):
    """Buys the card of the highest worth. Otherwise it takes the tokens, or the gold with a card, that bring the wanted
    cards nearest. It returns the tokens that it needs least."""

    def choose(self, seen: Observation, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        outlook = Outlook(seen)
        return max(legal, key=lambda action: (SCORES[type(action)](outlook, action), rng.random()))


class Outlook:
    """How the seat to act values the position."""

    def __init__(self, seen: Observation) -> None:
        assert seen.to_act is not None
        self.seen = seen
        self.me = seen.players[seen.to_act]
        bonuses = self.me.bonuses
        cards = [card for row in seen.rows for card in row if card is not None]
        cards += [held.card for held in self.me.reserved if held.card is not None]
        self.wants = {card: Want(self.worth(card), price(CARDS[card], bonuses)) for card in cards}
        self.values: dict[Tokens, float] = {}
        """The results of `holding` so far."""

    def worth(self, card: str) -> float:
        """The card's prestige, plus 1 for its bonus, plus 0.4 for every noble that still needs it."""
        bonus = CARDS[card].bonus
        asked = sum(NOBLES[noble].needs[bonus] > self.me.bonuses[bonus] for noble in self.seen.nobles)
        return CARDS[card].prestige + 1 + 0.4 * asked

    def holding(self, held: Tokens) -> float:
        """The value of holding these tokens."""
        if held not in self.values:
            self.values[held] = value(self.wants.values(), held)
        return self.values[held]

    def buy(self, action: Buy) -> float:
        return BUYING + self.wants[action.card].worth

    def take(self, action: Take) -> float:
        return self.holding(tokens.add(self.me.tokens, action.taken))

    def reserve(self, action: Reserve) -> float:
        """A gold, if one is left, and preferably the card that is closest to affordable."""
        gold = GOLD_TOKEN if self.seen.bank[GOLD] else (0,) * len(KINDS)
        held = tokens.add(self.me.tokens, gold)
        wanted = self.wants.get(action.target)
        return self.holding(held) - 1 + (0.1 * prospect([wanted], held) if wanted else 0)

    def returning(self, action: Return) -> float:
        return self.holding(tokens.subtract(self.me.tokens, action.returned))

    def noble(self, action: ChooseNoble) -> float:
        """Prefer the noble that another seat is nearest to earning."""
        others = [player for player in self.seen.players if player is not self.me]
        return -min(self.distance(action.noble, player) for player in others)

    @staticmethod
    def distance(noble: str, player: SeenPlayer) -> int:
        """The number of bonuses that the player lacks for the noble."""
        return sum(max(0, need - bonus) for need, bonus in zip(NOBLES[noble].needs, player.bonuses, strict=True))


SCORES: Mapping[type[Action[Any]], Callable[[Outlook, Any], float]] = {
    Buy: Outlook.buy,
    Take: Outlook.take,
    Reserve: Outlook.reserve,
    Return: Outlook.returning,
    ChooseNoble: Outlook.noble,
    Pass: lambda outlook, action: 0.0,
}
