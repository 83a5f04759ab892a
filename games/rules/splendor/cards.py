"""The development cards and nobles of Splendor (R2), read from the data files; sources in `docs/SOURCES.md`."""

from dataclasses import dataclass
from pathlib import Path

from games.rules.data import COLUMNS, read_rows
from games.rules.tokens import Tokens

COLOURS = "wugrk"
"""White (diamond), blue (sapphire), green (emerald), red (ruby), black (onyx)."""
KINDS = COLOURS + "*"
GOLD = KINDS.index("*")
LEVELS = (1, 2, 3)

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Card:
    """A development card. `cost` counts the five colours; `bonus` is the index of its colour."""

    id: str
    level: int
    bonus: int
    prestige: int
    cost: Tokens


@dataclass(frozen=True, slots=True)
class Noble:
    """A noble tile. `needs` counts the bonuses required of each of the five colours; the id spells them: `3w3u3g`."""

    id: str
    name: str
    prestige: int
    needs: Tokens


def _counts(row: dict[str, str]) -> Tokens:
    return tuple(int(row[column]) for column in COLUMNS)


CARDS = {
    row["id"]: Card(
        row["id"],
        int(row["level"]),
        COLUMNS.index(row["bonus"]),
        int(row["prestige"]),
        _counts(row),
    )
    for row in read_rows(_DATA / "cards.csv")
}
NOBLES = {
    noble.id: noble
    for row in read_rows(_DATA / "nobles.csv")
    for noble in [Noble(row["id"].removeprefix("noble-"), row["name"], int(row["prestige"]), _counts(row))]
}
