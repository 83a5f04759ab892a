"""The jewel cards, royal cards and board of Splendor Duel (D2), from the data files; sources in `docs/SOURCES.md`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from games.rules.data import COLUMNS, read_rows
from games.rules.tokens import Tokens

COLOURS = "wugrk"
"""White, blue, green, red, black: the gems."""
KINDS = COLOURS + "p*"
PEARL, GOLD = KINDS.index("p"), KINDS.index("*")
LEVELS = (1, 2, 3)

_DATA = Path(__file__).parent / "data"


class Ability(StrEnum):
    """The effect of a card that has just been purchased or taken (D48-D60)."""

    NONE = "none"
    EXTRA_TURN = "extra_turn"
    TAKE_SAME_COLOUR = "take_same_color"
    TAKE_PRIVILEGE = "take_privilege"
    STEAL_TOKEN = "steal_token"
    ASSOCIATE = "associate"


@dataclass(frozen=True, slots=True)
class Card:
    """A jewel card. `cost` counts the five colours and pearls. `bonus` is the index of a colour. It is `None` for a
    joker, whose colour is chosen on purchase, and for a card that gives prestige only."""

    id: str
    level: int
    bonus: int | None
    bonus_count: int
    prestige: int
    crowns: int
    abilities: tuple[Ability, ...]
    cost: Tokens

    @property
    def joker(self) -> bool:
        """Whether the card is attached to another one (D50)."""
        return Ability.ASSOCIATE in self.abilities


@dataclass(frozen=True, slots=True)
class Royal:
    """A royal card (D66): prestige without a colour, and an ability."""

    id: str
    prestige: int
    ability: Ability


CARDS = {
    row["id"]: Card(
        id=row["id"],
        level=int(row["level"]),
        bonus=COLUMNS.index(row["bonus"]) if row["bonus"] in COLUMNS else None,
        bonus_count=int(row["bonus_count"]),
        prestige=int(row["prestige"]),
        crowns=int(row["crowns"]),
        abilities=tuple(map(Ability, row["ability"].split("+"))),
        cost=tuple(int(row[column]) for column in (*COLUMNS, "pearl")),
    )
    for row in read_rows(_DATA / "cards.csv")
}
ROYALS = {
    name: Royal(name, int(row["prestige"]), Ability(row["ability"]))
    for row in read_rows(_DATA / "royals.csv")
    for name in [row["id"].removeprefix("royal-")]
}

SIDE = 5
SPIRAL = tuple(
    (int(row["row"]) - 1) * SIDE + int(row["col"]) - 1
    for row in sorted(read_rows(_DATA / "board.csv"), key=lambda row: int(row["order"]))
)
"""The spaces in the order in which the board is filled, from the centre. Their numbers count row by row from the top
left."""
SPACES = tuple(f"{row}{column}" for row in "abcde" for column in range(1, SIDE + 1))
"""The notation of each space: rows a to e from the top, columns 1 to 5 from the left."""


def _lines() -> dict[tuple[int, ...], None]:
    """Every line of one to three consecutive spaces in a row, column or diagonal (D28), each from the top left."""
    lines: dict[tuple[int, ...], None] = {}
    for length in (1, 2, 3):
        for row in range(SIDE):
            for column in range(SIDE):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                    if last_row < SIDE and 0 <= last_column < SIDE:
                        step = down * SIDE + right
                        lines[tuple(row * SIDE + column + step * index for index in range(length))] = None
    return lines


LINES = tuple(_lines())
"""Every line, its spaces in ascending order."""
