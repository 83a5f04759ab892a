"""Signed links in mails that opt out without a log-in: of a kind of notice, of the mails about a game, or of
invitations to an address. They do not expire, and each can also undo what it did."""

from typing import Any, Final

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts.models import User
from games.models import NeverAgain, Seat
from games.services.clocks.moment import now
from games.services.outbox import preferences, site

UNSUBSCRIBE: Final = "unsubscribe"
MUTE: Final = "mute"
NEVER_AGAIN: Final = "never_again"
_signer = Signer(salt="games.optout", sep=".")


class ForgedOptOutLink(Exception):
    """The site never made this link, or its subject no longer exists."""


def unsubscribe_url(user: User, kind: str) -> str:
    """The address that switches off mails of that kind, or `preferences.ALL`, for the user."""
    return _url(UNSUBSCRIBE, user.pk, kind)


def mute_url(seat: Seat) -> str:
    """The address that switches off mails about the game for the user in that seat."""
    return _url(MUTE, seat.pk)


def never_again_url(address: str) -> str:
    """The address that stops invitations from this site to that mail address."""
    return _url(NEVER_AGAIN, address.lower())


def unsubscribed(token: str) -> tuple[User, str]:
    """The user and the kind of notice of an unsubscribe link. Raises `ForgedOptOutLink`."""
    pk, kind = _read(UNSUBSCRIBE, token)
    user = User.objects.filter(pk=pk).first()
    if user is None:
        raise ForgedOptOutLink
    return user, kind if kind in preferences.SWITCHABLE_KINDS else preferences.ALL


def muted(token: str) -> Seat:
    """The seat of a mute link. Raises `ForgedOptOutLink`."""
    [pk] = _read(MUTE, token)
    seat = Seat.objects.select_related("game", "user").filter(pk=pk).exclude(user__email="").first()
    if seat is None:
        raise ForgedOptOutLink
    return seat


def refused(token: str) -> str:
    """The mail address of a never-again link. Raises `ForgedOptOutLink`."""
    [address] = _read(NEVER_AGAIN, token)
    return str(address)


def is_refused(address: str) -> bool:
    """Whether the owner of that address wants no invitations."""
    return NeverAgain.objects.filter(address=address.lower()).exists()


def refuse(address: str, *, on: bool = True) -> None:
    """Stop invitations to that address, or allow them again (`on=False`)."""
    if on:
        NeverAgain.objects.get_or_create(address=address.lower(), defaults={"at": now()})
    else:
        NeverAgain.objects.filter(address=address.lower()).delete()


def _url(name: str, *facts: Any) -> str:
    return site.url(reverse(name, args=[_signer.sign_object([name, *facts])]))


def _read(name: str, token: str) -> list[Any]:
    try:
        facts: list[Any] = _signer.unsign_object(token)
    except (BadSignature, ValueError):
        raise ForgedOptOutLink from None
    if facts[0] != name:
        raise ForgedOptOutLink
    return facts[1:]
