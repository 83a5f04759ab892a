"""Tokens as a tuple of counts, one for each of the title's kinds in order; gold is the last.

Kinds are named by one character: w white, u blue, g green, r red, k black, p pearl, * gold.
"""

from collections.abc import Iterator
from operator import add as plus
from operator import le, sub

from games.rules.base import BadNotation

Tokens = tuple[int, ...]


def spell(tokens: Tokens, kinds: str) -> str:
    """The notation: `wug` is one white, one blue and one green; `-` is none."""
    return "".join(kind * number for kind, number in zip(kinds, tokens, strict=True)) or "-"


def parse(text: str, kinds: str) -> Tokens:
    """The counts of a notation, whose characters may come in any order; raises `BadNotation`."""
    tokens = tuple(text.count(kind) for kind in kinds)
    if text != "-" and (not text or text.strip(kinds)):
        raise BadNotation("bad_tokens", text=text[:40])
    return tokens


def single(index: int, kinds: str) -> Tokens:
    """One token of the kind with that index."""
    return tuple(int(other == index) for other in range(len(kinds)))


def add(these: Tokens, those: Tokens) -> Tokens:
    return tuple(map(plus, these, those))


def subtract(these: Tokens, those: Tokens) -> Tokens:
    return tuple(map(sub, these, those))


def within(these: Tokens, those: Tokens) -> bool:
    """Whether no count of these exceeds that of those."""
    return all(map(le, these, those))


def selections(held: Tokens, size: int) -> Iterator[Tokens]:
    """Every way to pick `size` of the tokens held."""
    if not held:
        if size == 0:
            yield ()
        return
    for number in range(min(held[0], size), -1, -1):
        for rest in selections(held[1:], size - number):
            yield (number, *rest)


def least_gold(due: Tokens, held: Tokens) -> Tokens:
    """The payment with the least gold: every token held that is due, and gold for the rest even if it is not held.

    `due` counts every kind but gold, `held` and the payment all kinds.
    """
    paid = tuple(map(min, due, held))
    return (*paid, sum(due) - sum(paid))


def payments(due: Tokens, held: Tokens) -> Iterator[Tokens]:
    """Every exact payment, least gold first. Gold can stand for anything."""
    total, gold = sum(due), held[-1]
    usable = tuple(map(min, due, held))
    least = total - sum(usable)
    for spent in range(least, min(gold, total) + 1):
        for paid in selections(usable, total - spent):
            yield (*paid, spent)
