"""The market of Splendor as its reader sees it: cards, tokens, nobles. Plain values, each with the draft that a click
on it leads to."""

from dataclasses import dataclass
from typing import Literal

from games.boards.common import Link
from games.boards.gems import Coloured, Levelled, Means, Price, Trace


@dataclass(frozen=True, slots=True)
class After:
    """The reader's bonuses of the card's colour, points and tokens after the purchase."""

    bonuses: int
    points: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Card(Coloured, Levelled):
    """A face-up or reserved card."""

    id: str
    level: int
    slot: str
    """`T2-3` is the third place of level 2; empty for a card in hand."""
    kind: str
    points: int
    prices: tuple[Price, ...]
    """The colours of its cost; with printed prices `due` is the printed cost."""
    due: str
    """The price as a notation, `-` when free."""
    printed: str
    means: Means | None
    """The means of the player whose price is `due`; `None` with printed prices."""
    yours: bool
    """Whether that player is the reader."""
    payment: str
    """The chosen payment, or the one with the least gold; empty if the reader cannot pay."""
    after: After | None
    rivals: tuple[Means, ...]
    """The means of all seats, without the reader's if `means` holds them."""
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
        """The mark of the card: the state of `means`, or `far` if more than one token is missing; empty with
        printed prices."""
        if self.means is None:
            return ""
        return "far" if self.means.short > 1 else self.means.state


@dataclass(frozen=True, slots=True)
class Pile(Coloured):
    """The bank's tokens of one kind."""

    kind: str
    number: int
    left: int
    """The number left after the draft."""
    held: int | None
    """The number that the reader holds after the draft; `None` for a spectator."""
    picked: int
    """The number that the draft takes."""
    pair: bool
    """Whether the player to act may take two."""
    supply: int
    takers: tuple[int, ...]
    """The other seats that have taken some since the reader's last turn."""
    take: Link

    @property
    def height(self) -> int:
        """The number of tokens in the drawn stack."""
        return min(self.left, 4)


@dataclass(frozen=True, slots=True)
class Need(Coloured):
    """A noble's need in one colour, and the bonuses that each seat lacks for it, in the order of `Board.seats`."""

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
