"""The hints for a first game that titles share, as codes and facts; `games.wording.lessons` makes sentences."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.rules import tokens
from games.rules.base import CodeAndFacts
from games.rules.hand import SIZE, SeenHand
from games.rules.tokens import Tokens
from games.rules.trade import LIMIT

FULL = LIMIT - 2
"""The number of tokens from which a player should buy or reserve."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A card that a player could buy, now or later."""

    card: str
    slot: str
    """Its place as boards name it, `T2-1`; empty for a reserved card."""
    lack: Tokens
    """The tokens of each kind but gold that the player still needs for it."""
    short: int
    """How many of them the player's gold cannot replace; 0 if the player can buy it."""

    def spelled(self, kinds: str) -> str:
        """The tokens that the player lacks, as a notation."""
        return tokens.spell(self.lack, kinds[:-1])


def wanted(
    rows: Iterable[Sequence[str | None]], hand: SeenHand, held: Tokens, due: Callable[[str], Tokens]
) -> list[Wanted]:
    """The cards on the table and in the player's hand, nearest first. `held` are the player's tokens, gold last; `due`
    gives the price of a card for the player, without gold."""
    places = [
        (card, f"T{level}-{place}")
        for level, row in enumerate(rows, 1)
        for place, card in enumerate(row, 1)
        if card is not None
    ]
    places += [(reserved.card, "") for reserved in hand if reserved.card is not None]
    found = []
    for card, slot in places:
        lack = tuple(max(0, price - number) for price, number in zip(due(card), held[:-1], strict=True))
        found.append(Wanted(card, slot, lack, max(0, sum(lack) - held[-1])))
    return sorted(found, key=lambda each: (each.short, sum(each.lack), max(each.lack)))


def to_buy(cards: Sequence[Wanted], points: Mapping[str, int], owned: Sequence[object]) -> CodeAndFacts | None:
    """The hint to buy the card with the most points, or if none has points, any card. `owned` are the player's cards;
    `None` if the player can buy nothing."""
    buyable = [each for each in cards if not each.short]
    if not buyable:
        return None
    best = max(buyable, key=lambda each: points[each.card])
    if points[best.card]:
        return CodeAndFacts("points", slot=best.slot, points=points[best.card])
    return CodeAndFacts("bonus" if owned else "first", slot=best.slot)


def to_collect(cards: Sequence[Wanted], held: Tokens, kinds: str, hand: SeenHand, there: Tokens) -> CodeAndFacts | None:
    """The hint for a player who can buy nothing: what to collect. `there` are the tokens that lie on the table."""
    if sum(held) >= FULL:
        return CodeAndFacts("full", number=sum(held))
    if not cards:
        return None
    nearest = cards[0]
    facts = {"slot": nearest.slot, "lack": nearest.spelled(kinds)}
    if sum(nearest.lack) == 1 and there[-1] and len(hand) < SIZE and not any(map(min, nearest.lack, there)):
        return CodeAndFacts("gold", **facts)
    return CodeAndFacts("collect" if any(held) else "begin", **facts)
