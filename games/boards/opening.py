"""The picture on the first page: both titles after the set-up for two players."""

from dataclasses import dataclass
from typing import NamedTuple

from games.boards.gems import GEMS
from games.rules.duel.ruleset import Duel
from games.rules.splendor.cards import CARDS, COLOURS, KINDS, NOBLES
from games.rules.splendor.ruleset import Splendor
from games.rules.tokens import Tokens


class Count(NamedTuple):
    gem: str
    number: int


@dataclass(frozen=True, slots=True)
class Card:
    art: str
    gem: str
    letter: str
    points: int
    cost: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Level:
    number: int
    back: str
    numeral: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Noble:
    seal: str
    points: int
    needs: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    levels: tuple[Level, ...]
    """Splendor's market, level 3 first."""
    bank: tuple[Count, ...]
    nobles: tuple[Noble, ...]
    spaces: tuple[str, ...]
    """The gem on each space of Duel's board, row by row."""


def deal(seed: bytes) -> Opening:
    """Set up both titles from one seed of 32 bytes."""
    splendor, duel = Splendor(), Duel()
    market = splendor.observe(splendor.initial(2, seed), None)
    board = duel.observe(duel.initial(2, seed), None).board
    return Opening(
        levels=tuple(
            Level(number, f"back-{number}", "I" * number, tuple(_card(card) for card in row if card))
            for number, row in reversed(list(enumerate(market.rows, start=1)))
        ),
        bank=_counts(market.bank, KINDS),
        nobles=tuple(
            Noble(
                f"seal-{list(NOBLES).index(noble)}",
                NOBLES[noble].prestige,
                _counts(NOBLES[noble].needs, COLOURS),
            )
            for noble in market.nobles
        ),
        spaces=tuple(GEMS[kind] for kind in board),
    )


def _card(name: str) -> Card:
    card = CARDS[name]
    kind = COLOURS[card.bonus]
    return Card(
        f"art-{card.level}-{GEMS[kind]}",
        GEMS[kind],
        kind.upper(),
        card.prestige,
        _counts(card.cost, COLOURS),
    )


def _counts(tokens: Tokens, kinds: str) -> tuple[Count, ...]:
    return tuple(Count(GEMS[kind], number) for kind, number in zip(kinds, tokens, strict=True) if number)
