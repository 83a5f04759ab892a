"""What a board of Splendor Duel is made of: plain data for the templates, without words.

`draft` is the text that a click leads to, `None` where nothing may be done. Kinds of tokens are the rules' letters
(`w`), gems their names in drawings (`white`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from games.boards.common import Link, Option
from games.boards.gems import Amount, Coloured, Kept, Level, Levelled, Means, Trace
from games.rules.base import Action
from games.rules.duel.state import State

# --- cards ---


@dataclass(frozen=True, slots=True)
class Price(Coloured):
    """What a card asks for of one kind: `mine` is left after the reader's bonuses, a spectator's is as printed."""

    kind: str
    printed: int
    bonus: int
    mine: int
    paid: int
    """How much of it the default payment covers with tokens of that kind."""
    gold: int
    """How much of it gold pays for."""


@dataclass(frozen=True, slots=True)
class Face(Levelled):
    """A card face up, as the reader sees it."""

    id: str
    level: int
    slot: str
    """`T2-3` for the third place of level 2; empty for a card in hand."""
    art: str
    tint: str
    points: int
    crowns: tuple[int, ...]
    """One entry for each crown, for templates to count."""
    abilities: tuple[str, ...]
    bonus: str
    """The gem of the bonus; empty for a joker and for a card that gives points only."""
    bonus_kind: str
    double: bool
    joker: bool
    cost: tuple[Price, ...]
    free: bool
    mine: Means | None
    """The reader's means; a spectator has none."""
    others: tuple[Means, ...]
    staged: bool
    """Whether the draft buys or reserves it."""
    buy: Link
    """With the default payment."""
    payment: tuple[Amount, ...]
    """The default payment, whether it can be made now or not; what is short counts as gold."""
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
    """One of the three ways to win; `near` from seven tenths on."""

    name: str
    value: int
    goal: int
    percent: int
    near: bool
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Holding(Coloured):
    """What a seat has of one kind; pearls and gold have no `bonus`. `before` is the number before the draft."""

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
    kept: tuple[Kept[Face], ...]


# --- the token board ---


@dataclass(frozen=True, slots=True)
class Cell(Coloured):
    """A space. `act` says what its draft does: `take`, `drop`, `refuse` (the page then says why), `privilege`,
    `match` or `gold` (the one that comes with a reserved card)."""

    name: str
    kind: str
    """Empty if no token lies there."""
    order: int
    """The how-manieth space it is to be filled from the bag."""
    act: str
    draft: Link
    chosen: int
    """1 to 3 for the tokens of the present choice, in the order of the line; else 0."""
    gone: str
    """The gem that the draft has taken from here."""
    taker: int | None
    """The other seat, if it took from here since the reader's last turn."""


@dataclass(frozen=True, slots=True)
class Line:
    """From the middle of one space to that of another, on a board of 100 by 100."""

    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a space cannot join the choice: `gold`, `empty`, `full` (three are chosen), `gap` (`by` is the space in
    between, `by_gem` what lies there) or `crooked`. `instead` begins a new line there."""

    code: str
    space: str
    chosen: tuple[str, ...]
    by: str
    by_gem: str
    instead: Link


# --- the decision ---


@dataclass(frozen=True, slots=True)
class Step:
    """Privilege, replenish, main action, in this order. `state` is `done`, `now`, `open` or `off`."""

    name: str
    state: str
    draft: Link
    gift: str
    """Where a privilege for the opponent would come from: `board`, `mine`, or empty for none."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What the choice leads to, besides what it says, as far as that is known before it is played."""

    gift: str
    """As in `Step`."""
    next: str
    """The decision that the reader takes next in the same turn, or empty: `attach`, `match`, `steal`, `royal`,
    `return` or `main`."""
    excess: int
    """Tokens to return at the end of this turn, as it stands."""
    tokens: int
    """What the reader then holds."""
    again: bool
    wins: bool
    reveals: bool
    """Whether something hidden comes to light, so that the draft ends here."""


@dataclass(frozen=True, slots=True)
class Payment:
    amounts: tuple[Amount, ...]
    draft: str
    chosen: bool
    default: bool


@dataclass(frozen=True, slots=True)
class Give(Coloured):
    """One kind of token in the return picker."""

    kind: str
    held: int
    left: int
    """If what is given is returned."""
    given: int
    more: Link
    less: Link


@dataclass(frozen=True, slots=True)
class Pick(Coloured):
    """A gem to choose: a colour for the joker (`number` bonuses of it) or a token to steal (`number` held)."""

    kind: str
    number: int
    draft: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Piece(Coloured):
    """One decision of the draft, in what words need. `tokens` are taken, paid, returned or stolen."""

    word: str
    action: Action[State] | None
    """`None` while unfinished."""
    tokens: tuple[Amount, ...] = ()
    spaces: tuple[str, ...] = ()
    card: Face | None = None
    level: int = 0
    """The deck of a blind reserve."""
    kind: str = ""
    royal: Royal | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the reader is asked.

    `doing` is `over`; `look` (a spectator) or `wait` (the other seat decides); `main`, `privilege`; `attach`, `match`,
    `steal`, `royal` or `return`; or `done`, when the draft ends the turn and only the confirmation is left.
    """

    doing: str
    steps: tuple[Step, ...]
    staged: tuple[Piece, ...]
    piece: Piece | None
    """What is chosen so far."""
    refused: Refused | None
    effect: Effect | None
    payments: tuple[Payment, ...]
    change: Link
    """Leads to the list of payments, if there are several."""
    choosing: bool
    """Whether the payments are listed."""
    gives: tuple[Give, ...]
    to_give: int
    """Tokens still to be chosen in the return picker."""
    picks: tuple[Pick, ...]
    buyable: tuple[Face, ...]
    """The cards that can be bought now, those without gold first."""
    confirm: Link
    """The draft that may be confirmed: notations joined by `;`."""
    onward: Link
    """Takes the choice as made, where another decision follows in the same turn."""
    undo: Link
    clear: Link

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The whole draft."""
        return (*self.staged, self.piece) if self.piece else self.staged


@dataclass(frozen=True, slots=True)
class Board:
    number: int
    """Of the decision that a post is for."""
    draft: str
    """As it stands, as far as it leads somewhere."""
    seat: int | None
    """The reader's."""
    to_act: int | None
    mine: bool
    """Whether the reader decides."""
    phase: str
    extra_turn: bool
    seats: tuple[Seat, ...]
    """The reader's first."""
    levels: tuple[Level[Face], ...]
    """Level 3 first."""
    royals: tuple[Royal, ...]
    rows: tuple[tuple[Cell, ...], ...]
    line: Line | None
    """Through the chosen tokens, if there are several."""
    privileges: tuple[int, ...]
    """One entry for each above the board."""
    bag: tuple[Amount, ...]
    bag_total: int
    decision: Decision
    legal: tuple[Action[State], ...] = field(repr=False)
    option: Callable[[Action[State]], Option] = field(repr=False, compare=False)

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple(map(self.option, self.legal))

    def card(self, card: str) -> Face | None:
        """The card with that id, if the reader sees it on the table or in a hand."""
        faces = [face for level in self.levels for face in level.places if face]
        faces += [kept.card for seat in self.seats for kept in seat.kept if kept.card]
        return next((face for face in faces if face.id == card), None)
