"""What the boards of all titles share: how they are built, what a draft is, and what the reader may decide now.

A draft is what a reader has staged, in one text for the address: decisions joined by `;`, as in `take wug;return k`.
What stands before the last `;` is complete and tried out; what follows is the piece in hand, complete or not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from games.rules.base import Action, Event

BETWEEN = ";"
"""Stands between the pieces of a draft."""

Link = str | None
"""The draft that a click leads to; `None` where nothing may be done."""

A = TypeVar("A", bound=Action[Any])


def split(draft: str) -> tuple[list[str], str]:
    """The staged decisions and the piece in hand, which may be empty."""
    *staged, piece = (text.strip() for text in draft.split(BETWEEN))
    return [text for text in staged if text], piece


def join(pieces: Iterable[object]) -> str:
    """The draft of these decisions; with an empty text at the end, all of them are staged."""
    return BETWEEN.join(map(str, pieces))


@dataclass(frozen=True, slots=True)
class Drafting:
    """The decisions tried out, to which a link adds a piece."""

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
    """The legal actions, by their kind; each title adds what its reader touches."""

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
    """A decision that the reader may make now. `pieces` are the decisions of the draft with it as the last, in what the
    words of that title need."""

    moves: str
    """What the confirmation of the draft with this decision posts."""
    touches: tuple[str, ...]
    """What the reader touches to make it, by the names that controls have: kinds of tokens, spaces, a card, a deck."""
    payment: str
    """The notation of what is paid for the card; empty where there is no choice of it."""
    pieces: tuple[Any, ...]


class Decision(Protocol):
    """What the reader is asked, and how far the draft has come."""

    @property
    def doing(self) -> str:
        """`over`, `look` (a spectator), `wait` (another seat is to act), or what the title asks."""

    @property
    def confirm(self) -> Link:
        """The draft that may be confirmed: notations joined by `;`."""

    @property
    def undo(self) -> Link:
        """The draft without what was chosen last."""


class Board(Protocol):
    """What the templates of a title draw for one reader at one moment."""

    @property
    def number(self) -> int:
        """Decisions made before the draft: what a post names."""

    @property
    def draft(self) -> str:
        """As it stands, as far as it leads somewhere."""

    @property
    def seat(self) -> int | None:
        """The reader's, `None` for a spectator."""

    @property
    def to_act(self) -> int | None: ...

    @property
    def mine(self) -> bool:
        """Whether the reader decides."""

    @property
    def decision(self) -> Decision: ...

    @property
    def options(self) -> Sequence["Option"]:
        """What the reader may decide now, variants included."""

    def card(self, name: str) -> object | None:
        """What the page shows larger under that name, if the reader sees it."""


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
    ) -> Board:
        """The board for one reader: `seen` is what it knows after the decisions `staged` were tried out, `before` what
        it knew without them; `legal` are all options and variants now, none when another is to act; `prefix` is the
        piece of the draft in hand, complete or not. `since` are the events that the reader was shown since the last
        turn."""
