"""Signed links in mails: their holder can decide for one seat in one turn, without a log-in."""

from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from django.core.signing import BadSignature, Signer
from django.db import models
from django.urls import reverse
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.models import Game, Preferences, Restoration, Seat
from games.rules.base import TURN_ENDS
from games.services.clocks.moment import now
from games.services.outbox import site
from games.services.play import history
from games.services.play.history import Entry

MINUTE = timedelta(minutes=1)
LINK_LIFETIME = timedelta(days=30)
"""The maximum lifetime of a link; hardly any turn takes longer."""
MAX_TURN_DECISIONS = 20
"""The maximum number of decisions in a turn; the rules allow fewer."""
_signer = Signer(salt="games.links", sep=".")


class ForgedMoveLink(Exception):
    """The site never made this link, or its game no longer exists."""


class Closed(models.TextChoices):
    """Why a link no longer works."""

    AGED = "aged"
    OFF = "off"
    """The owner of its seat has switched off move links, or no longer has an account."""
    OVER = "over"
    """Its turn is over, or the game is."""
    CHANGED = "changed"
    """The owner of its seat has changed their password or address since the link was made."""
    LEFT = "left"
    """A bot plays for the owner of its seat."""
    LOST = "lost"
    """It was made after the backup that the site was restored from."""
    SUSPENDED = "suspended"
    """The owner of its seat is suspended."""


@dataclass(frozen=True)
class MoveLink:
    """The content of a token: the game, the seat, the turn and the action."""

    key: str
    """The key of the game."""
    seat: int
    number: int
    """The number of the next decision when the link was made."""
    turn: int
    """The number at which the turn began."""
    minute: int
    """When the link was made, in minutes since 1970."""
    action: str = ""
    """The draft to stage: decisions joined by `;`, or empty."""
    account: str = ""
    """A hash of the password and address of the seat's owner; empty in links of earlier versions."""
    epoch: int = 0
    """How often a restored backup had taken the game back."""

    @property
    def path(self) -> str:
        """The address on this site."""
        return reverse("link", args=[_signer.sign_object(astuple(self))])

    @property
    def plain(self) -> "MoveLink":
        """The link without an action, for deciding the whole turn."""
        return replace(self, action="")

    @property
    def made_at(self) -> datetime:
        return datetime.fromtimestamp(self.minute * 60, UTC)


def issue(game: Game, seat: Seat, action: str = "") -> str:
    """The absolute address that lets its holder decide for that seat in the current turn, with the action staged."""
    assert seat.index is not None  # the game has started
    assert seat.user is not None  # bots get no mails
    minute = int(now().timestamp()) // 60
    account = _account(seat.user)
    link = MoveLink(game.key, seat.index, game.number, game.turn_number, minute, action, account, game.epoch)
    return site.url(link.path)


def _account(user: User) -> str:
    """Eight hexadecimal digits that change with the user's password and address."""
    return salted_hmac("games.links", user.email, secret=user.password).hexdigest()[:8]


def read(token: str) -> MoveLink:
    """The link of a token; raises `ForgedMoveLink`."""
    try:
        return MoveLink(*_signer.unsign_object(token))
    except (BadSignature, TypeError) as error:
        raise ForgedMoveLink from error


def is_lost(link: MoveLink) -> bool:
    """Whether the link may have been made after the backup that the site was later restored from."""
    return Restoration.took_back(link.made_at, link.made_at + MINUTE)


def closed(link: MoveLink, game: Game) -> Closed | None:
    """Why the link does not work now; `None` if it does. The game must have been read with its seats."""
    seat = game.seat_set.all()[link.seat]
    if not (seat.user and seat.user.is_active and Preferences.of(seat.user).links):
        return Closed.OFF
    if link.account and link.account != _account(seat.user):
        return Closed.CHANGED
    if link.epoch != game.epoch and is_lost(link):
        return Closed.LOST
    if now() - link.made_at > LINK_LIFETIME:
        return Closed.AGED
    if not game.is_active or (game.to_act, game.turn_number) != (link.seat, link.turn):
        return Closed.OVER
    if seat.acting_bot:
        return Closed.LEFT
    return Closed.SUSPENDED if seat.user.is_suspended else None


def played(game: Game, link: MoveLink) -> list[Entry]:
    """The decisions made in the link's turn, as everybody at the table saw them."""
    moves = game.move_set.filter(number__gte=link.turn).order_by("number")[:MAX_TURN_DECISIONS]
    entries = history.since(game.title, takewhile(lambda move: move.seat == link.seat, moves), None)
    ends = (index + 1 for index, entry in enumerate(entries) if any(event.code in TURN_ENDS for event in entry.events))
    return entries[: next(ends, None)]
