"""The picture of Splendor: its table as a game for two begins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.boards.gems import GEMS, Amount, amounts, numeral
from games.boards.splendor.table import SEALS
from games.rules.splendor.cards import CARDS, COLOURS, KINDS, NOBLES
from games.rules.splendor.ruleset import Splendor


@dataclass(frozen=True, slots=True)
class Card:
    id: str
    slot: str
    art: str
    gem: str
    letter: str
    points: int
    cost: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Level:
    number: int
    back: str
    numeral: str
    left: int
    """The number of cards in the deck."""
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Noble:
    seal: str
    points: int
    needs: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    levels: tuple[Level, ...]
    """Level 3 first."""
    bank: tuple[Amount, ...]
    nobles: tuple[Noble, ...]


def opening(seed: bytes) -> Opening:
    """The set-up from a seed of 32 bytes."""
    rules = Splendor()
    market = rules.observe(rules.initial(2, seed), None)
    return Opening(
        levels=tuple(
            Level(number, f"back-{number}", numeral(number), left, tuple(_cards(number, row)))
            for number, (row, left) in reversed(list(enumerate(zip(market.rows, market.decks, strict=True), start=1)))
        ),
        bank=amounts(market.bank, KINDS),
        nobles=tuple(
            Noble(SEALS[noble], NOBLES[noble].prestige, amounts(NOBLES[noble].needs, COLOURS))
            for noble in market.nobles
        ),
    )


def _cards(level: int, row: Sequence[str | None]) -> Iterator[Card]:
    for place, name in enumerate(row, start=1):
        if name:
            card = CARDS[name]
            kind = COLOURS[card.bonus]
            art = f"art-{level}-{GEMS[kind]}"
            cost = amounts(card.cost, COLOURS)
            yield Card(name, f"T{level}-{place}", art, GEMS[kind], kind.upper(), card.prestige, cost)
