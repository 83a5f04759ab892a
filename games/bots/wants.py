"""What the greedy bots make of tokens: how near they bring the cards that one wants."""

from collections.abc import Iterable
from typing import NamedTuple

from games.rules.tokens import Tokens


class Want(NamedTuple):
    """A card that could be bought one day: its worth, in prestige or what is as good, and what is due for it in all
    kinds but gold."""

    worth: float
    due: Tokens


def lacking(due: Tokens, held: Tokens) -> int:
    """How many tokens are missing for that price, gold, the last kind held, standing for anything."""
    missing = sum(price - number for price, number in zip(due, held, strict=False) if price > number)
    return max(0, missing - held[-1])


def prospect(wants: Iterable[Want], held: Tokens) -> float:
    """The worth of all wanted cards, each the less the more tokens it lacks."""
    return sum(worth / (1 + lacking(due, held)) ** 2 for worth, due in wants)
