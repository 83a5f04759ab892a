"""Signed links with which whoever reads a mail gets less of them, without a log-in: no more of a kind, none about a
game, none from strangers ever. They do not expire. What one switches off it can switch on again."""

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


class Forged(Exception):
    """No such link was made here, or what it was about is gone."""


def unsubscribe_url(user: User, kind: str) -> str:
    """Where one click ends the notices of that kind, or of `preferences.ALL`, to that person."""
    return _url(UNSUBSCRIBE, user.pk, kind)


def mute_url(seat: Seat) -> str:
    """Where one click ends the mails about a game to who sits there."""
    return _url(MUTE, seat.pk)


def never_again_url(address: str) -> str:
    """Where one click keeps strangers here from writing to that address."""
    return _url(NEVER_AGAIN, address.lower())


def unsubscribed(token: str) -> tuple[User, str]:
    """Whom such a link is for, and of which kind of notice. Raises `Forged`."""
    pk, kind = _read(UNSUBSCRIBE, token)
    user = User.objects.filter(pk=pk).first()
    if user is None:
        raise Forged
    return user, kind if kind in preferences.KINDS else preferences.ALL


def muted(token: str) -> Seat:
    """The seat that such a link is for. Raises `Forged`."""
    [pk] = _read(MUTE, token)
    seat = Seat.objects.select_related("game", "user").filter(pk=pk, user__isnull=False).first()
    if seat is None:
        raise Forged
    return seat


def refused(token: str) -> str:
    """The address that such a link is for. Raises `Forged`."""
    [address] = _read(NEVER_AGAIN, token)
    return str(address)


def is_refused(address: str) -> bool:
    """Whether strangers here may not write to that address."""
    return NeverAgain.objects.filter(address=address.lower()).exists()


def refuse(address: str, *, on: bool = True) -> None:
    """Strangers here may not write to that address; or may again, if its owner wants."""
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
        raise Forged from None
    if facts[0] != name:
        raise Forged
    return facts[1:]
