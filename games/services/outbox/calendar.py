"""A user's deadlines for calendar programs, which fetch them by a secret address (RFC 5545)."""

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts.models import User
from games.models import Game, Preferences
from games.services.outbox import preferences, site

_signer = Signer(salt="games.calendar", sep=".")
LINE = 75
"""The maximum number of bytes in a line."""
REFRESHED = "PT1H"
"""How often programs should fetch the calendar."""


class ForgedCalendar(Exception):
    """The site never made this address."""


def renew(user: User) -> str:
    """A new secret address of the user's calendar, which is shown once; the former one is void."""
    secret = secrets.token_urlsafe(24)
    preferences.change(user, calendar=_digest(user, secret))
    return site.url(reverse("calendar", args=[_signer.sign_object([user.pk, secret])]))


def switch_off(user: User) -> None:
    preferences.change(user, calendar="")


def owner(token: str) -> User | None:
    """The user whose calendar the token opens; `None` if it no longer does. Raises `ForgedCalendar`."""
    try:
        pk, secret = _signer.unsign_object(token)
    except (BadSignature, ValueError):
        raise ForgedCalendar from None
    kept = Preferences.objects.select_related("user").filter(pk=pk).first()
    if kept is None or not secrets.compare_digest(kept.calendar, _digest(kept.user, secret)):
        return None
    return kept.user if kept.user.is_active and not kept.user.is_suspended else None


def written(user: User) -> str:
    """The calendar: one event at each deadline of a game in which the user is to act, with the name of the table."""
    running = Game.objects.waiting_for(user).filter(deadline__isnull=False).order_by("deadline", "pk")
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//{_text(settings.SITE_NAME)}//Deadlines//EN",
        f"X-WR-CALNAME:{_text(settings.SITE_NAME)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESHED}",
        *(line for game in running for line in _event(game)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _digest(user: User, secret: str) -> str:
    """What is stored of an address; it changes with the user's password."""
    return sha256(f"{secret} {user.password}".encode()).hexdigest()


def _event(game: Game) -> Iterator[str]:
    assert game.deadline is not None
    yield "BEGIN:VEVENT"
    yield f"UID:{game.pk}-{game.turn_number}@{urlsplit(settings.SITE_URL).hostname}"
    yield f"DTSTAMP:{_instant(game.changed_at)}"
    yield f"DTSTART:{_instant(game.deadline)}"
    yield f"SUMMARY:{_text(game.called)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _instant(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    """The words as a value: a backslash before each mark that separates values."""
    return "".join(f"\\{character}" if character in "\\;," else character for character in words)


def _folded(line: str) -> Iterator[str]:
    """The parts of a long line; each but the first begins with a space."""
    part = ""
    for character in line:
        if len(f"{part}{character}".encode()) > LINE:
            yield part
            part = " "
        part += character
    yield part
