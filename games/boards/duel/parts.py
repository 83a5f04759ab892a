"""The parts of a board of Splendor Duel: plain data for the templates, without words.

`draft` is the draft that a click leads to; `None` if a click does nothing. Kinds of tokens are the rules' letters
(`w`); gems are their names in drawings (`white`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from games.boards.common import Link, Option
from games.boards.gems import Amount, Coloured, Give, Kept, Level, Levelled, Means, Price, Trace
from games.rules.base import Action
from games.rules.duel.state import State

# --- cards ---


@dataclass(frozen=True, slots=True)
class Face(Levelled):
    """A visible card, as the reader sees it."""

    id: str
    level: int
    slot: str
    """`T2-3` is the third place of level 2; empty for a card in hand."""
    art: str
    tint: str
    points: int
    crowns: tuple[int, ...]
    """One entry for each crown, for templates to count."""
    abilities: tuple[str, ...]
    bonus: str
    """The gem of the bonus; empty for a joker, and for a card that gives only points."""
    bonus_kind: str
    double: bool
    joker: bool
    prices: tuple[Price, ...]
    free: bool
    means: Means | None
    """The means of the player whose prices are shown; `None` with printed prices."""
    yours: bool
    """Whether that player is the reader."""
    rivals: tuple[Means, ...]
    """The means of all seats, without the reader's if `means` holds them."""
    staged: bool
    """Whether the draft buys or reserves the card."""
    buy: Link
    """The draft that buys the card with the default payment."""
    payment: tuple[Amount, ...]
    """The default payment, whether possible now or not; missing tokens count as gold."""
    reserve: Link
    trace: Trace | None


@dataclass(frozen=True, slots=True)
class Royal:
    id: str
    points: int
    ability: str
    seal: str
    owner: int | None
    draft: Link
    chosen: bool


# --- seats ---


@dataclass(frozen=True, slots=True)
class Meter(Coloured):
    """The progress toward one of the three victories; `near` from seven tenths on."""

    name: str
    value: int
    goal: int
    percent: int
    near: bool
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Holding(Coloured):
    """The tokens and bonuses that a seat has of one kind; pearls and gold have no `bonus`. `before` is the number of
    tokens before the draft."""

    kind: str
    bonus: int | None
    tokens: int
    before: int


@dataclass(frozen=True, slots=True)
class Seat:
    index: int
    me: bool
    turn: bool
    meters: tuple[Meter, ...]
    holdings: tuple[Holding, ...]
    colour_points: tuple[Amount, ...]
    tokens: int
    limit: int
    privileges: int
    cards: int
    royals: tuple[Royal, ...]
    reserved: tuple[Kept[Face], ...]


# --- the token board ---


@dataclass(frozen=True, slots=True)
class Cell(Coloured):
    """A space. `act` names the effect of its draft: `take`, `drop`, `refuse` (the page then says why), `privilege`,
    `match` or `gold` (for a reserved card)."""

    name: str
    kind: str
    """The kind of its token; empty if there is none."""
    order: int
    """Its place in the order in which the bag fills the board."""
    act: str
    draft: Link
    chosen: int
    """1 to 3 for the chosen tokens, in the order of the line; otherwise 0."""
    joins: bool
    """Whether its token can join the line that has been started."""
    gone: str
    """The gem that the draft takes from this space."""
    taker: int | None
    """The other seat, if it has taken the token of this space since the reader's last turn."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line between the centres of two spaces, on a board of 100 by 100."""

    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a space cannot join the choice: `gold`, `empty`, `full` (three are chosen), `gap` (`by` is the space between,
    `by_gem` its gem) or `crooked`. `instead` is the draft that begins a new line on this space."""

    code: str
    space: str
    chosen: tuple[str, ...]
    by: str
    by_gem: str
    instead: Link


# --- the decision ---


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a turn: privilege, replenish or main action, in this order. `state` is `done`, `now`, `open` or
    `off`."""

    name: str
    state: str
    draft: Link
    gift: str
    """The source of a privilege for the opponent: `board`, `mine`, or empty for none."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The consequences of the choice, as far as they are known before it is played."""

    gift: str
    """As in `Step`."""
    next: str
    """The reader's next decision in the same turn: `attach`, `match`, `steal`, `royal`, `return`, `main`, or empty for
    none."""
    excess: int
    """The number of tokens to return at the end of the turn, as things stand."""
    tokens: int
    """The number of tokens that the reader then holds."""
    again: bool
    wins: bool
    reveals: bool
    """Whether something hidden is revealed, so that the draft ends here."""


@dataclass(frozen=True, slots=True)
class Payment:
    amounts: tuple[Amount, ...]
    draft: str
    chosen: bool
    default: bool


@dataclass(frozen=True, slots=True)
class Pick(Coloured):
    """A gem to choose: a colour for the joker (`number` counts the bonuses in it) or a token to steal (`number` counts
    those held)."""

    kind: str
    number: int
    draft: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Piece(Coloured):
    """One decision of the draft, in the form that wording needs. `tokens` are taken, paid, returned or stolen."""

    word: str
    action: Action[State] | None
    """`None` while the piece is incomplete."""
    tokens: tuple[Amount, ...] = ()
    spaces: tuple[str, ...] = ()
    card: Face | None = None
    level: int = 0
    """The level of the deck, for a blind reserve."""
    kind: str = ""
    royal: Royal | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision that the reader is asked for.

    `doing` is `over`; `look` (a spectator) or `wait` (the other seat decides); `main`, `privilege`; `attach`, `match`,
    `steal`, `royal` or `return`; or `done`, when the draft ends the turn and only the confirmation is left.
    """

    doing: str
    steps: tuple[Step, ...]
    staged: tuple[Piece, ...]
    piece: Piece | None
    """The choice so far."""
    refused: Refused | None
    effect: Effect | None
    gift: str
    """Where the privilege comes from that the draft gives to the opponent, `board` or `mine`; empty if it gives
    none."""
    cause: Piece | None
    """The decision that gives it."""
    payments: tuple[Payment, ...]
    change: Link
    """The draft that lists the payments, if there are several."""
    takes: bool
    """Whether the reader can take tokens."""
    choosing: bool
    """Whether the payments are listed."""
    gives: tuple[Give, ...]
    to_give: int
    """The number of tokens to return in this decision, whether they are chosen or not."""
    picks: tuple[Pick, ...]
    buyable: tuple[Face, ...]
    """The cards that the reader can buy now, those without gold first."""
    confirm: Link
    """The draft that can be confirmed: notations joined by `;`."""
    onward: Link
    """The draft with the choice staged, if another decision follows in the same turn."""
    undo: Link

    @property
    def is_untouched(self) -> bool:
        """Whether the reader has chosen nothing yet."""
        return not (self.piece or self.staged or self.refused)

    @property
    def is_picking(self) -> bool:
        """Whether one of a few things in the panel is to be picked."""
        picked = ("attach", "match", "steal", "royal", "return")
        return self.doing in picked or (self.piece is not None and self.piece.word == "reserve")

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The whole draft."""
        return (*self.staged, self.piece) if self.piece else self.staged


@dataclass(frozen=True, slots=True)
class Board:
    number: int
    """The number of the decision that a post is for."""
    draft: str
    """The current draft, as far as it leads to a legal decision."""
    seat: int | None
    """The reader's seat; `None` for a spectator."""
    to_act: int | None
    mine: bool
    """Whether the reader is to act."""
    phase: str
    extra_turn: bool
    hand: int
    """The number of cards that a seat may reserve."""
    seats: tuple[Seat, ...]
    """The seats, the reader's first."""
    levels: tuple[Level[Face], ...]
    """The levels, 3 first."""
    royals: tuple[Royal, ...]
    rows: tuple[tuple[Cell, ...], ...]
    line: Line | None
    """The line through the chosen tokens, if there are several."""
    privileges: tuple[int, ...]
    """One entry for each privilege above the board."""
    bag: tuple[Amount, ...]
    bag_total: int
    decision: Decision
    touched: tuple[str, ...]
    legal: tuple[Action[State], ...] = field(repr=False)
    option: Callable[[Action[State]], Option] = field(repr=False, compare=False)

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple(map(self.option, self.legal))

    def card(self, card: str) -> Face | None:
        """The visible card with that id, on the table or in a hand."""
        faces = [face for level in self.levels for face in level.places if face]
        faces += [kept.card for seat in self.seats for kept in seat.reserved if kept.card]
        return next((face for face in faces if face.id == card), None)
