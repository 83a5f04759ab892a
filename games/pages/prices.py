"""The prices that a board shows: the reader's, those of another player, or the printed ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import pgettext

from games.boards.common import Payer

MOST_NAMES = 2
"""The maximum number of names that fit on a line."""


@dataclass(frozen=True)
class Choice:
    """A link to the board with some prices."""

    words: str
    address: str
    is_shown: bool
    crest: int | None = None
    """The seat whose crest stands for the words."""


@dataclass(frozen=True)
class Prices:
    """The prices on a board, and the ways to others."""

    choices: tuple[Choice, ...]
    """The first one shows the board as usual."""
    payer: Payer
    name: str
    """The name of the player whose prices are shown; empty for the reader's and the printed ones."""

    @property
    def here(self) -> str:
        """The address of this board if the prices are not the usual ones."""
        return "" if self.payer == "me" else next(choice.address for choice in self.choices if choice.is_shown)

    @property
    def back(self) -> str:
        """The address of the board as usual."""
        return self.choices[0].address


def asked(text: str, seats: int, reader: int | None) -> Payer:
    """The payer that an address names; the usual one if it names none."""
    if text == "printed" and reader is not None:
        return "printed"
    return int(text) if text in map(str, range(seats)) and text != str(reader) else "me"


def build(reader: int | None, draft: str, payer: Payer, names: Sequence[str]) -> Prices:
    """The prices for a reader of a board with these names of seats. Links keep the draft."""
    others = _after(reader, len(names))

    def choice(words: str, other: Payer) -> Choice:
        facts = {"draft": draft, "prices": "" if other == "me" else other}
        query = urlencode({name: fact for name, fact in facts.items() if fact != ""})
        crest = other if isinstance(other, int) and len(others) > MOST_NAMES else None
        return Choice(words, f"?{query}", other == payer, crest)

    players = [choice(names[seat], seat) for seat in others]
    printed = pgettext("prices", "printed")
    if reader is None:
        choices = [choice(printed, "me"), *players]
    else:
        choices = [choice(pgettext("prices", "me"), "me"), *players, choice(printed, "printed")]
    return Prices(tuple(choices), payer, names[payer] if isinstance(payer, int) else "")


def _after(reader: int | None, seats: int) -> list[int]:
    """The other seats in turn order from the reader's on; all for a spectator."""
    return list(range(seats)) if reader is None else [(reader + turn) % seats for turn in range(1, seats)]
