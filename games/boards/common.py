"""The interface of the boards of all titles: how they are built, drafts, and the decisions that a reader can make.

A draft holds the reader's staged decisions as one text for the address, joined by `;`: `take wug;return k`. The pieces
before the last `;` are complete and tried out. The piece after it is in hand, complete or not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, cast

from games.rules.base import Action, Event

BETWEEN = ";"
"""The separator between the pieces of a draft."""

Link = str | None
"""The draft that a click leads to; `None` if a click does nothing."""

Payer = int | Literal["me", "printed"]
"""The prices that a board shows: those of a seat, the reader's own, or the printed ones. A spectator's own are the
printed ones."""

A = TypeVar("A", bound=Action[Any])


def split(draft: str) -> tuple[list[str], str]:
    """The staged decisions and the piece in hand, which may be empty."""
    *staged, piece = (text.strip() for text in draft.split(BETWEEN))
    return [text for text in staged if text], piece


def join(pieces: Iterable[object]) -> str:
    """The draft with these pieces; if the last one is empty, all decisions are staged."""
    return BETWEEN.join(map(str, pieces))


@dataclass(frozen=True, slots=True)
class Drafting:
    """The staged decisions, to which a link adds a piece."""

    staged: tuple[str, ...]

    def to(self, piece: str) -> str:
        """The draft with that piece in hand."""
        return join((*self.staged, piece))

    def on(self, piece: str) -> str:
        """The draft with that piece staged."""
        return join((*self.staged, piece, ""))

    def instead(self, index: int, piece: str = "") -> str:
        """The draft with that piece in hand instead of the decision staged there and those after it."""
        return join((*self.staged[:index], piece))


class Options:
    """The legal actions by kind; each title adds look-ups by the controls that its reader touches."""

    def __init__(self, actions: Sequence[Action[Any]]) -> None:
        self.all = tuple(actions)
        self._kinds: dict[type, list[Action[Any]]] = {}
        for action in actions:
            self._kinds.setdefault(type(action), []).append(action)

    def of(self, kind: type[A]) -> list[A]:
        """The legal actions of that kind."""
        return cast(list[A], self._kinds.get(kind, []))


@dataclass(frozen=True, slots=True)
class Option:
    """A decision that the reader can make now. `pieces` are the decisions of the draft, with this one last, in the form
    that the title's wording needs."""

    moves: str
    """The notations that are posted when the draft with this decision is confirmed."""
    touches: tuple[str, ...]
    """The names of the controls that the reader touches to make it: kinds of tokens, spaces, a card, a deck."""
    payment: str
    """The notation of the payment for the card; empty if the decision has none."""
    pieces: tuple[Any, ...]
    draft: str
    """The draft with this decision staged, or in hand if it can still be changed."""
    follows: bool
    """Whether another decision of the same turn follows, which is chosen before the confirmation."""
    fills: bool = False
    """Whether some of its controls suffice: the two ends of a line take its middle too."""


class Decision(Protocol):
    """The decision that the reader is asked for, and the state of the draft."""

    @property
    def doing(self) -> str:
        """`over`, `look` (a spectator), `wait` (another seat is to act), or a step of the title."""

    @property
    def confirm(self) -> Link:
        """The draft that can be confirmed: notations joined by `;`."""

    @property
    def undo(self) -> Link:
        """The draft without the last choice."""


class Board(Protocol):
    """Everything that the templates of a title draw for one reader at one moment."""

    @property
    def number(self) -> int:
        """The number of decisions made before the draft, which a post names."""

    @property
    def draft(self) -> str:
        """The current draft, as far as it leads to a legal decision."""

    @property
    def seat(self) -> int | None:
        """The reader's seat; `None` for a spectator."""

    @property
    def to_act(self) -> int | None: ...

    @property
    def mine(self) -> bool:
        """Whether the reader is to act."""

    @property
    def decision(self) -> Decision: ...

    @property
    def options(self) -> Sequence["Option"]:
        """The decisions that the reader can make now, variants included."""

    @property
    def touched(self) -> Sequence[str]:
        """The controls touched for the piece in hand."""

    def card(self, name: str) -> object | None:
        """The card that the page shows in large under that name; `None` if the reader does not see it."""


class Build(Protocol):
    """The function of a title that builds its boards."""

    def __call__(
        self,
        seen: Any,
        legal: Sequence[Action[Any]],
        staged: Sequence[str],
        prefix: str,
        before: Any = None,
        *,
        since: Sequence[Event] = (),
        payer: Payer = "me",
    ) -> Board:
        """The board for one reader. `seen` is the observation after the decisions `staged`, `before` the one without
        them. `legal` are all options and variants now, none if another seat is to act. `prefix` is the piece of the
        draft in hand, complete or not. `since` are the events shown to the reader since their last turn. A board with
        other prices than the reader's offers no decision."""
