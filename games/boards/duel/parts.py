"""What a board of Splendor Duel is made of: plain data for the templates, without words.

`draft` is the text that a click leads to, `None` where nothing may be done. Kinds of tokens are the rules' letters
(`w`), gems their names in drawings (`white`).
"""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.base import Action
from games.rules.duel.state import State

Draft = str | None


@dataclass(frozen=True, slots=True)
class Amount:
    kind: str
    gem: str
    number: int


# --- cards ---


@dataclass(frozen=True, slots=True)
class Price:
    """What a card asks for of one kind: `mine` is left after the reader's bonuses, a spectator's is as printed."""

    kind: str
    gem: str
    printed: int
    bonus: int
    mine: int
    paid: int
    """How much of it the default payment covers with tokens of that kind."""
    gold: int
    """How much of it gold pays for."""


@dataclass(frozen=True, slots=True)
class Means:
    """Whether a player can pay for a card with what lies before it.

    `state` is `buy`, `gold` (with `gold` gold tokens), `short` (by `short` tokens; `kind` if all are of one kind)
    or `joker` (no card with a bonus to attach it to).
    """

    seat: int
    state: str
    gold: int = 0
    short: int = 0
    kind: str = ""
    gem: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """Another seat took what lay here before: `bought` or `reserved`."""

    seat: int
    verb: str
    points: int
    tint: str
    """The gem of its bonus, `wild` or `none`."""


@dataclass(frozen=True, slots=True)
class Face:
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
    buy: Draft
    """With the default payment."""
    payment: tuple[Amount, ...]
    """The default payment, whether it can be made now or not; what is short counts as gold."""
    reserve: Draft
    trace: Trace | None

    @property
    def numeral(self) -> str:
        return "I" * self.level


@dataclass(frozen=True, slots=True)
class Deck:
    level: int
    name: str
    left: int
    draft: Draft
    staged: bool

    @property
    def numeral(self) -> str:
        return "I" * self.level


@dataclass(frozen=True, slots=True)
class Level:
    number: int
    deck: Deck
    places: tuple[Face | None, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A reserved card: `card` is `None` if it is hidden from the reader, `blind` if it is hidden from the others."""

    level: int
    blind: bool
    card: Face | None

    @property
    def numeral(self) -> str:
        return "I" * self.level


@dataclass(frozen=True, slots=True)
class Royal:
    id: str
    points: int
    ability: str
    seal: str
    owner: int | None
    draft: Draft
    chosen: bool


# --- seats ---


@dataclass(frozen=True, slots=True)
class Meter:
    """One of the three ways to win; `near` from seven tenths on."""

    name: str
    value: int
    goal: int
    percent: int
    near: bool
    gem: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a seat has of one kind; pearls and gold have no `bonus`. `before` is the number before the draft."""

    kind: str
    gem: str
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
    kept: tuple[Kept, ...]


# --- the token board ---


@dataclass(frozen=True, slots=True)
class Cell:
    """A space. `act` says what its draft does: `take`, `drop`, `refuse` (the page then says why), `privilege`,
    `match` or `gold` (the one that comes with a reserved card)."""

    name: str
    kind: str
    gem: str
    """Empty if no token lies there."""
    order: int
    """The how-manieth space it is to be filled from the bag."""
    act: str
    draft: Draft
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
    instead: Draft


# --- the decision ---


@dataclass(frozen=True, slots=True)
class Step:
    """Privilege, replenish, main action, in this order. `state` is `done`, `now`, `open` or `off`."""

    name: str
    state: str
    draft: Draft
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
class Give:
    """One kind of token in the return picker."""

    kind: str
    gem: str
    held: int
    left: int
    """If what is given is returned."""
    given: int
    more: Draft
    less: Draft


@dataclass(frozen=True, slots=True)
class Pick:
    """A gem to choose: a colour for the joker (`number` bonuses of it) or a token to steal (`number` held)."""

    kind: str
    gem: str
    number: int
    draft: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Piece:
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
    gem: str = ""
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
    change: Draft
    """Leads to the list of payments, if there are several."""
    choosing: bool
    """Whether the payments are listed."""
    gives: tuple[Give, ...]
    to_give: int
    """Tokens still to be chosen in the return picker."""
    picks: tuple[Pick, ...]
    buyable: tuple[Face, ...]
    """The cards that can be bought now, those without gold first."""
    actions: tuple[Action[State], ...]
    """What the confirmation plays."""
    confirm: Draft
    """The draft that may be confirmed: notations joined by `;`."""
    onward: Draft
    """Takes the choice as made, where another decision follows in the same turn."""
    undo: Draft
    clear: Draft


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
    levels: tuple[Level, ...]
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

    def card(self, card: str) -> Face | None:
        """The card with that id, if the reader sees it on the table or in a hand."""
        faces = [face for level in self.levels for face in level.places if face]
        faces += [kept.card for seat in self.seats for kept in seat.kept if kept.card]
        return next((face for face in faces if face.id == card), None)
