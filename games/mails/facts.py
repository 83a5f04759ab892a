"""What mails are written from: gathered by `games.services.letters` for one reader, and nothing that this reader may
not know."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.catalogue import TITLES
from games.mails.parts import Row
from games.models import Game
from games.rules.base import Action
from games.wording import common


@dataclass(frozen=True, slots=True)
class Table:
    """A table, for somebody who sits there or may."""

    game: Game
    names: Sequence[str]
    """Who sits there, in turn order once the game has begun."""
    reader: int | None
    """The reader's place among them."""
    url: str
    now: datetime

    @property
    def title(self) -> str:
        return TITLES[self.game.title].ruleset.name

    @property
    def others(self) -> list[str]:
        return [name for place, name in enumerate(self.names) if place != self.reader]

    @property
    def opponents(self) -> str:
        """“Ana and Ben”."""
        return common.join(self.others)

    @property
    def key(self) -> str:
        return self.game.short_key


@dataclass(frozen=True, slots=True)
class Offers:
    """What the reader might play, each with the address that stages it; all are empty where links are not wanted."""

    purchases: Sequence[tuple[Any, str]] = ()
    """Cards of the board."""
    takes: Sequence[tuple[Any, str]] = ()
    """Boards with a take as their draft."""
    actions: Sequence[tuple[Action[Any], str]] = ()
    """Anything else."""
    anything: str = ""
    """Where to decide with nothing staged."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision that waits for the reader."""

    table: Table
    points: Sequence[int]
    """By seat."""
    board: Any
    since: Sequence[Row]
    """What happened since the reader's last decision, numbered."""
    offers: Offers
    plan: str
    """The reader's own."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody's time is up."""

    table: Table
    seat: int
    """Whose."""
    back_by: datetime | None
    """Until when that person may come back as if nothing had happened; `None` if not at all, or at any time."""
    again: str
    """The address of the new table, where the game was never begun."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat that is offered."""

    table: Table
    by: str
    """The user name of who invites."""
    accept: str
    """Where to answer."""
    agreed: Sequence[str]
    """What the table agreed on about time, a sentence each."""
    free: int
    """Seats."""
    again: bool
    """Whether the reader was told before."""
    stranger: bool
    """Whether the reader is known by address only."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game that is over."""

    table: Table
    headline: str
    how: str
    facts: str
    """How long it was, and when it ended."""
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    """The standing, the best first."""
    aim: str
