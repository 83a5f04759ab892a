"""The pieces on the page of the rules of Splendor Duel, each as the board draws it at printed prices."""

from dataclasses import dataclass, replace
from functools import cache

from games.boards.duel.build import ORDER
from games.boards.duel.cards import face, royal_card
from games.boards.duel.choice import RULES
from games.boards.duel.moment import Moment
from games.boards.duel.parts import Face, Royal
from games.boards.pieces import Asked, Selection, Trait, select
from games.rules.duel.cards import CARDS, COLOURS, ROYALS, SIDE, SPACES, Ability

ABILITIES = tuple(str(ability) for ability in Ability if ability != Ability.NONE)
TRAITS: dict[str, Trait[Face]] = {
    "level": Trait(tuple("123"), lambda card: str(card.level)),
    "gives": Trait((*COLOURS, "wild", "none"), lambda card: [card.bonus_kind or card.tint]),
    "points": Trait(tuple("0123"), lambda card: str(min(card.points, 3))),
    "crowns": Trait(tuple("123"), lambda card: str(len(card.crowns))),
    "ability": Trait(ABILITIES, lambda card: card.abilities),
}
"""The filters; `3` points means 3 or more."""


@dataclass(frozen=True, slots=True)
class Pieces:
    abilities: tuple[str, ...]
    royals: tuple[Royal, ...]
    spiral: tuple[tuple[int, ...], ...]
    """The order in which the spaces are filled, row by row."""
    cheap: Face
    """A card of level 1."""
    explained: Face
    """A card of level 2 with an ability, for a player whose bonuses pay one of its colours."""
    crowned: Face
    """A card with two crowns."""
    joker: Face
    """A joker of level 1 with a point."""
    selection: Selection[Face]


def pieces(asked: Asked) -> Pieces:
    """All pieces, with the cards that pass the filters asked for."""
    cards = _cards()
    explained = cards["2-green-03"]
    blue, *others = explained.prices
    return Pieces(
        abilities=ABILITIES,
        royals=tuple(royal_card(_moment(), name) for name in ROYALS),
        spiral=tuple(tuple(ORDER[row + column] for column in range(SIDE)) for row in range(0, len(SPACES), SIDE)),
        cheap=cards["1-red-03"],
        explained=replace(explained, slot="T2-1", prices=(replace(blue, due=0), *others)),
        crowned=cards["3-white-01"],
        joker=cards["1-wild-04"],
        selection=select(cards.values(), TRAITS, asked),
    )


@cache
def _moment() -> Moment:
    """The table as a spectator sees it, with printed prices."""
    seen = RULES.observe(RULES.initial(2, bytes(32)), None)
    return Moment(seen, (), (), "", seen, (), "printed")


@cache
def _cards() -> dict[str, Face]:
    return {name: face(_moment(), name, "") for name in CARDS}
