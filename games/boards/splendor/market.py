"""What lies on the table of Splendor, as its reader sees it: cards, tokens, nobles. Plain values, each with the draft
that a click on it leads to."""

from dataclasses import dataclass
from typing import Literal

from games.boards.common import Link
from games.boards.gems import Coloured, Levelled, Means, Trace


@dataclass(frozen=True, slots=True)
class Price(Coloured):
    """A line of a card's cost, in one colour."""

    kind: str
    printed: int
    bonus: int
    due: int
    """Printed less bonus: my price."""
    held: int
    paid: int
    """With tokens of this colour; the rest with gold."""
    gold: int


@dataclass(frozen=True, slots=True)
class After:
    """What the reader has after the purchase: bonuses of the card's colour, points, tokens."""

    bonuses: int
    points: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Card(Coloured, Levelled):
    """A face-up or reserved card."""

    id: str
    level: int
    slot: str
    """`T2-3`: level 2, third place; empty for a card in hand."""
    kind: str
    points: int
    prices: tuple[Price, ...]
    """The colours that are printed on it; without a seat `due` is the printed price."""
    due: str
    """The price as a notation, `-` when free."""
    printed: str
    means: Means | None
    """The reader's; a spectator has none."""
    payment: str
    """What is paid: as chosen, or with the least gold; empty if the card is out of reach."""
    after: After | None
    rivals: tuple[Means, ...]
    """The others'."""
    buy: Link
    pay: Link
    """The draft that lists the payments, if there are several."""
    reserve: Link
    chosen: Literal["", "buy", "reserve"]
    trace: Trace | None

    @property
    def art(self) -> str:
        return f"art-{self.level}-{self.gem}"

    @property
    def free(self) -> bool:
        return self.due == "-"

    @property
    def state(self) -> str:
        """How the card is marked: also `far`, when more than one token is missing; empty for a spectator."""
        if self.means is None:
            return ""
        return "far" if self.means.short > 1 else self.means.state


@dataclass(frozen=True, slots=True)
class Pile(Coloured):
    """The supply of one kind of token."""

    kind: str
    number: int
    left: int
    """With what the draft takes, pays and returns."""
    held: int | None
    """By the reader, after the draft."""
    picked: int
    """Taken by the draft."""
    pair: bool
    """Whether two may be taken, by anybody whose turn it is."""
    supply: int
    takers: tuple[int, ...]
    """The other seats that took some since the reader's last turn."""
    take: Link

    @property
    def height(self) -> int:
        """Coins that the stack shows."""
        return min(self.left, 4)


@dataclass(frozen=True, slots=True)
class Need(Coloured):
    """One colour that a noble asks for, and what each seat lacks of it, in the order of `Board.seats`."""

    kind: str
    number: int
    lacking: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Noble:
    id: str
    points: int
    seal: str
    needs: tuple[Need, ...]
    owner: int | None
    choose: Link
    chosen: bool
