"""The facts that mails are written from. `games.services.mailing.letters` gathers them for one reader, and they hold
nothing that this reader may not know."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.catalogue import TITLES
from games.mails.parts import LabelledLine
from games.models import Game
from games.rules.base import Action
from games.wording import phrases


@dataclass(frozen=True, slots=True)
class Table:
    """A table, for a reader who has a seat or is offered one."""

    game: Game
    names: Sequence[str]
    """The players' names, in turn order once the game has begun."""
    reader: int | None
    """The index of the reader among them."""
    url: str
    now: datetime
    has_account: bool = True
    """Whether the reader has an account."""

    @property
    def title(self) -> str:
        return TITLES[self.game.title].ruleset.name

    @property
    def others(self) -> list[str]:
        return [name for place, name in enumerate(self.names) if place != self.reader]

    @property
    def opponents(self) -> str:
        """“Ana and Ben”."""
        return phrases.join(self.others)

    @property
    def called(self) -> str:
        """The name of the table, or its short key. Readers without an account get the key, so that hosts cannot send
        them words."""
        return self.game.called if self.has_account else self.game.short_key


@dataclass(frozen=True, slots=True)
class Offers:
    """Decisions that the reader can make, each with the address that stages it; addresses are empty if the reader wants
    no links."""

    purchases: Sequence[tuple[Any, str]] = ()
    """Cards of the board."""
    takes: Sequence[tuple[Any, str]] = ()
    """Boards that have a take as their draft."""
    actions: Sequence[tuple[Action[Any], str]] = ()
    """Other actions."""
    anything: str = ""
    """The address for deciding with nothing staged."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision that waits for the reader."""

    table: Table
    points: Sequence[int]
    """The points of each seat."""
    board: Any
    since: Sequence[LabelledLine]
    """The moves and incidents since the reader's last decision, numbered."""
    offers: Offers
    note: str
    """The reader's private note."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A player has run out of time."""

    table: Table
    seat: int
    """The seat of that player."""
    back_by: datetime | None
    """Until when the player can return and still win; `None` if they cannot return, or can at any time."""
    again: str
    """The address of the new table, if the game was never begun and is dealt again, and the reader has a seat there or
    is invited."""
    has_seat: bool = False
    """Whether the reader has a seat at the new table."""
    is_invited: bool = False
    """Whether the absent player is invited to it."""


@dataclass(frozen=True, slots=True)
class InvitationFacts:
    """An offered seat."""

    table: Table
    by: str
    """The user name of the person who invites."""
    accept: str
    """The address for answering."""
    agreed: Sequence[str]
    """The table's terms about time, one sentence each."""
    rated: bool
    """Whether the game is rated, if nobody plays as a guest."""
    free: int
    """The number of free seats."""
    again: bool
    """Whether this is a reminder."""
    stranger: bool
    """Whether the reader has no account."""


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """A finished game."""

    table: Table
    headline: str
    how: str
    facts: str
    """The number of moves, the duration and the date of the end."""
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    """The standing, the best first."""
    rating: str
    """The reader's new rating and the change; empty if the game did not count."""
    aim: str
