"""The parts of the board of Splendor besides the market: seats, the race, the decision, and the whole. Plain values,
each with the draft that a click on it leads to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from games.boards.common import Link, Option
from games.boards.gems import Amount, Coloured, Deck, Give, Kept, Level
from games.boards.splendor.market import Card, Noble, Pile
from games.rules.base import Action
from games.rules.hand import SIZE

LANE = 15
"""The height of a seat's lane on the drawn race ruler."""


@dataclass(frozen=True, slots=True)
class Hold(Coloured):
    """A seat's bonuses of one kind, and its tokens before and after the draft."""

    kind: str
    bonus: int
    tokens: int
    was: int


@dataclass(frozen=True, slots=True)
class Seat:
    index: int
    me: bool
    to_act: bool
    points: int
    holds: tuple[Hold, ...]
    tokens: int
    cards: int
    reserved: tuple[Kept[Card], ...]
    nobles: tuple[str, ...]

    @property
    def room(self) -> range:
        """A number for each card that the seat can still reserve."""
        return range(SIZE - len(self.reserved))


@dataclass(frozen=True, slots=True)
class Runner:
    """A seat's mark on the race ruler, which ends at the end mark. Every seat has its own lane, counted upwards from
    the ruler, so that marks of equal points do not overlap."""

    seat: int
    points: int
    distance: int
    lane: int

    @property
    def x(self) -> int:
        """The position of its crest on the drawn ruler, on which a point is 16 units long."""
        return 16 * self.distance

    @property
    def y(self) -> int:
        return -14 - LANE * self.lane


@dataclass(frozen=True, slots=True)
class Share(Coloured):
    """One kind of token in the payment for a card; one token less means one gold more, and vice versa."""

    kind: str
    number: int
    less: Link
    more: Link


@dataclass(frozen=True, slots=True)
class Payment:
    notation: str
    amounts: tuple[Amount, ...]
    choose: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One decision, in the form that wording needs."""

    word: str
    """The word of the action."""
    tokens: str = ""
    """The notation of the tokens taken, returned or paid; `-` for none."""
    target: str = ""
    """The card, deck or noble."""
    slot: str = ""
    """The place of the card; empty for one in hand."""
    level: int = 0
    """The level of the deck, for a blind reserve."""


Doing = Literal["over", "wait", "look", "main", "take", "buy", "pay", "reserve", "return", "noble", "done"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision that the reader is asked for, and the state of the draft.

    `doing` is `over`; `look` (a spectator) or `wait` (another seat is to act); `main` (nothing chosen), `take`, `buy`,
    `pay` (choosing a payment), `reserve`; `return`, `noble`; or `done`, when only the confirmation is left.
    """

    doing: Doing
    taken: str
    """The tokens that the draft takes, as a notation; empty for none."""
    missing: int
    """The number of tokens that can still be chosen for the piece in hand."""
    again: bool
    """Whether a second token of the chosen colour is possible."""
    total: int
    """The number of tokens that the reader holds after confirming the draft, before any return."""
    excess: int
    """The total number of tokens to return."""
    gives: tuple[Give, ...]
    card: Card | None
    deck: Deck | None
    gold: bool
    """Whether a gold token comes with a reservation."""
    shares: tuple[Share, ...]
    payments: tuple[Payment, ...]
    """All payments for the card, if there are several."""
    nobles: tuple[Noble, ...]
    passing: Link
    buyable: tuple[Card, ...]
    """The cards that the reader can buy, those without gold first."""
    pieces: tuple[Piece, ...]
    """The decisions that the confirmation posts."""
    confirm: Link
    onward: Link
    """The draft with the piece in hand staged, if another decision follows it."""
    undo: Link


@dataclass(frozen=True, slots=True)
class Board:
    number: int
    seat: int | None
    to_act: int | None
    mine: bool
    phase: str
    last_round: bool
    target: int
    """The points that start the last round."""
    limit: int
    """The number of tokens that a seat may keep."""
    hand: int
    """The number of cards that a seat may reserve."""
    draft: str
    levels: tuple[Level[Card], ...]
    """The levels 3, 2, 1."""
    bank: tuple[Pile, ...]
    nobles: tuple[Noble, ...]
    """The nobles on the table, then those claimed."""
    seats: tuple[Seat, ...]
    """The seats in turn order, the reader's first."""
    race: tuple[Runner, ...]
    decision: Decision
    touched: tuple[str, ...]
    legal: tuple[Action[Any], ...] = field(repr=False)
    option: Callable[[Action[Any]], Option] = field(repr=False, compare=False)

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple(map(self.option, self.legal))

    @property
    def race_height(self) -> int:
        """The height of the drawn ruler above its line."""
        return 3 + LANE * len(self.race)

    def card(self, name: str) -> Card | None:
        """The visible card of that id, on the table or reserved."""
        on_table = (card for level in self.levels for card in level.places)
        kept = (held.card for seat in self.seats for held in seat.reserved)
        return next((card for card in (*on_table, *kept) if card and card.id == name), None)
