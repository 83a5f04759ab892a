"""The pieces on the page of the rules of Splendor, each as the board draws it at printed prices."""

from dataclasses import dataclass, replace
from functools import cache

from games.boards.gems import Amount, amounts
from games.boards.pieces import Asked, Selection, Trait, select
from games.boards.splendor import table
from games.boards.splendor.market import Card, Noble
from games.boards.splendor.moment import RULES, Moment
from games.rules.splendor.cards import CARDS, COLOURS, KINDS, NOBLES
from games.rules.splendor.ruleset import supply

TRAITS: dict[str, Trait[Card]] = {
    "level": Trait(tuple("123"), lambda card: str(card.level)),
    "gives": Trait(tuple(COLOURS), lambda card: card.kind),
    "points": Trait(tuple("0123"), lambda card: str(min(card.points, 3))),
}
"""The filters; `3` points means 3 or more."""


@dataclass(frozen=True, slots=True)
class Supply:
    """The set-up for a number of players."""

    players: int
    gems: tuple[Amount, ...]
    nobles: int


@dataclass(frozen=True, slots=True)
class Pieces:
    supplies: tuple[Supply, ...]
    nobles: tuple[Noble, ...]
    cheap: Card
    """A card of level 1."""
    explained: Card
    """A card of level 2, for a player whose bonuses pay a part of one colour and all of another."""
    selection: Selection[Card]


def pieces(asked: Asked) -> Pieces:
    """All pieces, with the cards that pass the filters asked for."""
    return Pieces(
        supplies=tuple(Supply(seats, amounts(supply(seats), KINDS), seats + 1) for seats in RULES.seats),
        nobles=_nobles(),
        cheap=_cards()["1-green-03"],
        explained=_explained(_cards()["2-black-04"]),
        selection=select(_cards().values(), TRAITS, asked),
    )


def _moment() -> Moment:
    """The market as a spectator sees it, with printed prices."""
    seen = RULES.observe(RULES.initial(2, bytes(32)), None)
    return Moment(replace(seen, nobles=tuple(NOBLES)), (), (), "", seen, (), "printed")


@cache
def _cards() -> dict[str, Card]:
    now = _moment()
    return {name: table.face(now, name) for name in CARDS}


@cache
def _nobles() -> tuple[Noble, ...]:
    return tuple(table.nobles(_moment()))


def _explained(card: Card) -> Card:
    blue, green, red = card.prices
    prices = (blue, replace(green, due=green.printed - 2), replace(red, due=0))
    return replace(card, slot="T2-2", prices=prices)
