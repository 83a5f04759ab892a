"""A plain player of Splendor, who looks no further than the action at hand."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.bots.wants import Want, prospect
from games.rules import tokens
from games.rules.base import Action
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import CARDS, GOLD, KINDS, NOBLES
from games.rules.splendor.state import Observation, SeenPlayer, price
from games.rules.tokens import Tokens
from games.rules.trade import LIMIT

BUYING = 100.0
"""Above the score of anything else: a card is bought whenever one can be."""
EXCESS = 0.5
"""What a token in hand above the limit costs."""
GOLD_TOKEN = tokens.single(GOLD, KINDS)


class Greedy(Bot[Observation]):
    """Buys the card of the most worth, else takes the tokens, or the gold with a card, that bring the wanted cards
    nearest, and returns those that serve them least."""

    def choose(self, seen: Observation, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        outlook = Outlook(seen)
        return max(legal, key=lambda action: (SCORES[type(action)](outlook, action), rng.random()))


class Outlook:
    """What the seat to act makes of the position."""

    def __init__(self, seen: Observation) -> None:
        assert seen.to_act is not None
        self.seen = seen
        self.me = seen.players[seen.to_act]
        bonuses = self.me.bonuses
        cards = [card for row in seen.rows for card in row if card is not None]
        cards += [held.card for held in self.me.reserved if held.card is not None]
        self.wants = {card: Want(self.worth(card), price(CARDS[card], bonuses)) for card in cards}

    def worth(self, card: str) -> float:
        """Prestige, something for the bonus, and more for every noble who still asks for it."""
        bonus = CARDS[card].bonus
        asked = sum(NOBLES[noble].needs[bonus] > self.me.bonuses[bonus] for noble in self.seen.nobles)
        return CARDS[card].prestige + 1 + 0.4 * asked

    def holding(self, held: Tokens) -> float:
        """How good it is to hold these tokens."""
        return prospect(self.wants.values(), held) - EXCESS * max(0, sum(held) - LIMIT)

    def buy(self, action: Buy) -> float:
        return BUYING + self.wants[action.card].worth

    def take(self, action: Take) -> float:
        return self.holding(tokens.add(self.me.tokens, action.taken))

    def reserve(self, action: Reserve) -> float:
        """A gold, if one is left, and of the cards rather the one that is nearest."""
        gold = GOLD_TOKEN if self.seen.bank[GOLD] else (0,) * len(KINDS)
        held = tokens.add(self.me.tokens, gold)
        wanted = self.wants.get(action.target)
        return self.holding(held) - 1 + (0.1 * prospect([wanted], held) if wanted else 0)

    def returning(self, action: Return) -> float:
        return self.holding(tokens.subtract(self.me.tokens, action.returned))

    def noble(self, action: ChooseNoble) -> float:
        """Rather the one who is nearest to another seat."""
        others = [player for player in self.seen.players if player is not self.me]
        return -min(self.distance(action.noble, player) for player in others)

    @staticmethod
    def distance(noble: str, player: SeenPlayer) -> int:
        """How many bonuses the player lacks for the noble."""
        return sum(max(0, need - bonus) for need, bonus in zip(NOBLES[noble].needs, player.bonuses, strict=True))


SCORES: Mapping[type[Action[Any]], Callable[[Outlook, Any], float]] = {
    Buy: Outlook.buy,
    Take: Outlook.take,
    Reserve: Outlook.reserve,
    Return: Outlook.returning,
    ChooseNoble: Outlook.noble,
    Pass: lambda outlook, action: 0.0,
}
