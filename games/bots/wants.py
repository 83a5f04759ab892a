"""The value of tokens for the greedy bots: how much closer they bring the cards that the bot wants."""

from collections.abc import Iterable
from typing import NamedTuple

from games.rules.tokens import Tokens
from games.rules.trade import LIMIT

BUYING = 100.0
"""Above the score of all other actions: the bot buys a card whenever it can."""
EXCESS = 0.5
"""The cost of a token in hand above the limit."""


class Want(NamedTuple):
    """A card that the bot could buy later: its worth, in points of prestige, and its price in every kind but gold."""

    worth: float
    due: Tokens


def lacking(due: Tokens, held: Tokens) -> int:
    """How many tokens are missing for the price. Gold, the last kind held, stands for anything."""
    missing = -held[-1]
    # A generator would take twice as long.
    for price, number in zip(due, held, strict=False):
        if price > number:
            missing += price - number
    return max(0, missing)


def prospect(wants: Iterable[Want], held: Tokens) -> float:
    """The total worth of the wanted cards; a card counts less the more tokens it lacks."""
    return sum(worth / (1 + lacking(due, held)) ** 2 for worth, due in wants)


def value(wants: Iterable[Want], held: Tokens) -> float:
    """The value of holding these tokens, of which some may have to be returned."""
    return prospect(wants, held) - EXCESS * max(0, sum(held) - LIMIT)
