"""The picture of Splendor: its table as a game for two begins."""

from dataclasses import dataclass

from games.boards.gems import GEMS, Amount, amounts, numeral
from games.boards.splendor.table import SEALS
from games.rules.splendor.cards import CARDS, COLOURS, KINDS, NOBLES
from games.rules.splendor.ruleset import Splendor


@dataclass(frozen=True, slots=True)
class Card:
    id: str
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
            Level(number, f"back-{number}", numeral(number), tuple(_card(card) for card in row if card))
            for number, row in reversed(list(enumerate(market.rows, start=1)))
        ),
        bank=amounts(market.bank, KINDS),
        nobles=tuple(
            Noble(SEALS[noble], NOBLES[noble].prestige, amounts(NOBLES[noble].needs, COLOURS))
            for noble in market.nobles
        ),
    )


def _card(name: str) -> Card:
    card = CARDS[name]
    kind = COLOURS[card.bonus]
    art = f"art-{card.level}-{GEMS[kind]}"
    return Card(name, art, GEMS[kind], kind.upper(), card.prestige, amounts(card.cost, COLOURS))
