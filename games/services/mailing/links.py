"""Signed links in mails: whoever holds one decides for one seat in one turn, without a log-in."""

from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from django.core.signing import BadSignature, Signer
from django.db import models
from django.urls import reverse

from games.models import Game, Preferences, Seat
from games.rules.base import TURN_ENDS
from games.services.clocks.moment import now
from games.services.outbox import site
from games.services.play import history
from games.services.play.history import Entry

AGE = timedelta(days=30)
"""How long a link works at most: hardly a turn takes longer."""
MOST = 20
"""Decisions of a turn; the rules allow for fewer."""
_signer = Signer(salt="games.links", sep=".")


class Forged(Exception):
    """Such a link was not made here, or what it is about is gone."""


class Closed(models.TextChoices):
    """Why a link no longer decides anything."""

    AGED = "aged"
    OFF = "off"
    """Its owner wants no such links, or has no account any more."""
    OVER = "over"
    """Its turn has been played, or the game is over."""
    LEFT = "left"
    """A bot plays on for its owner."""


@dataclass(frozen=True)
class Link:
    """What a token says: which seat of which game decides, in which turn."""

    key: str
    """Of the game."""
    seat: int
    number: int
    """At which the link was made: the decision that its action is."""
    turn: int
    """The number at which its turn began."""
    minute: int
    """When it was made, in minutes since 1970."""
    action: str = ""
    """To be staged, as a draft: one decision or several, joined by `;`; empty for none."""

    @property
    def path(self) -> str:
        """The address on this site."""
        return reverse("link", args=[_signer.sign_object(astuple(self))])

    @property
    def plain(self) -> "Link":
        """The same without an action: the address from which the whole turn is decided."""
        return replace(self, action="")

    @property
    def made_at(self) -> datetime:
        return datetime.fromtimestamp(self.minute * 60, UTC)


def issue(game: Game, seat: Seat, action: str = "") -> str:
    """The absolute address with which the holder decides for that seat in the present turn, with an action staged."""
    assert seat.index is not None  # the game has started
    minute = int(now().timestamp()) // 60
    return site.url(Link(game.key, seat.index, game.number, game.turn_number, minute, action).path)


def read(token: str) -> Link:
    """What the token says; raises `Forged`."""
    try:
        return Link(*_signer.unsign_object(token))
    except (BadSignature, TypeError) as error:
        raise Forged from error


def closed(link: Link, game: Game) -> Closed | None:
    """Why the link does not decide now; `None` if it does. For its game, read with the seats."""
    seat = game.seat_set.all()[link.seat]
    if not (seat.user and seat.user.is_active and Preferences.of(seat.user).links):
        return Closed.OFF
    if now() - link.made_at > AGE:
        return Closed.AGED
    if not game.is_active or (game.to_act, game.turn_number) != (link.seat, link.turn):
        return Closed.OVER
    return Closed.LEFT if seat.program else None


def played(game: Game, link: Link) -> list[Entry]:
    """The decisions of the link's turn, as anybody at the table was shown them."""
    moves = game.move_set.filter(number__gte=link.turn).order_by("number")[:MOST]
    entries = history.since(game.title, takewhile(lambda move: move.seat == link.seat, moves), None)
    ends = (index + 1 for index, entry in enumerate(entries) if any(event.code in TURN_ENDS for event in entry.events))
    return entries[: next(ends, None)]
