"""The devices on which a user is logged in."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any

from allauth.core.internal.ratelimit import get_ip, truncate_ip
from allauth.decorators import rate_limit
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import View
from accounts.models import User

BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "Chrome": "Chrome"} | {
    "CriOS": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS": "macOS"} | {
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}

DAY = "day"
"""The key in a session for the last day on which its user visited."""

BROWSER_SALT = "accounts.browser"
YEAR = timedelta(days=365)
MAX_ACCOUNTS = 20
"""How many accounts a browser can know."""

FRESH = timedelta(hours=1)
"""How long a log-in itself proves who is there."""


@dataclass(frozen=True)
class Device:
    row: UserSession
    current: bool

    @property
    def name(self) -> str:
        """A readable name such as “Firefox on Linux”."""
        agent = self.row.user_agent
        browser = next((name for mark, name in BROWSERS.items() if f"{mark}/" in agent), None)
        system = next((name for mark, name in SYSTEMS.items() if mark in agent), None)
        if browser and system:
            return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
        return browser or system or _("Unknown browser")


def prolong(session: SessionBase) -> bool:
    """Let the session last for its full time from today; it is written once a day. Return whether it was."""
    today = timezone.now().date().isoformat()
    is_due: bool = session.get(DAY) != today
    if is_due:
        session[DAY] = today
        session.set_expiry(None)
    return is_due


def asks_for_passkey(view: View) -> View:
    """The view that gives a stranger's browser a challenge for its passkeys, and keeps it in a session. Such sessions
    are limited, and end after the time that somebody may take to log in."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = rate_limit(action="passkey", limit_get=True)(view)(request, *args, **kwargs)
        if not request.user.is_authenticated and request.session.modified:
            request.session.set_expiry(settings.ACCOUNT_LOGIN_TIMEOUT)
        return response

    return wrapped


def is_known(request: HttpRequest, user: User) -> bool:
    """Whether somebody has used the account in this browser within a year."""
    return user.pk in accounts_here(request)


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let the browser know the account for a year, with the others that it knows."""
    accounts = list(dict.fromkeys([user.pk, *accounts_here(request)]))[:MAX_ACCOUNTS]
    response.set_signed_cookie(
        settings.BROWSER_COOKIE_NAME,
        ".".join(map(str, accounts)),
        salt=BROWSER_SALT,
        max_age=YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def accounts_here(request: HttpRequest) -> list[int]:
    """The numbers of the accounts that were used in this browser, the latest first."""
    kept = request.get_signed_cookie(settings.BROWSER_COOKIE_NAME, "", salt=BROWSER_SALT, max_age=YEAR)
    return [int(number) for number in (kept or "").split(".") if number.isdecimal()]


def follow(request: HttpRequest) -> None:
    """Keep a session in the list of devices if Django has just renamed it, because the site has a new secret key."""
    former = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if former and former != request.session.session_key:
        UserSession.objects.filter(session_key=former).update(session_key=request.session.session_key)


def is_at_home(request: HttpRequest, user: User | None) -> bool:
    """Whether a session of the user was last used on the network of the request."""
    rows = UserSession.objects.filter(user=user)
    return get_ip(request) in {truncate_ip(row.ip) for row in rows.only("ip")}


def is_fresh(request: HttpRequest) -> bool:
    """Whether the user has just logged in."""
    rows = UserSession.objects.filter(session_key=request.session.session_key)
    found: bool = rows.filter(created_at__gt=timezone.now() - FRESH).exists()
    return found


def devices(user: User, current_key: str | None) -> list[Device]:
    """The user's valid sessions, the current one first, then the newest. Always takes three queries."""
    rows = list(UserSession.objects.filter(user=user).order_by("-created_at"))
    stored = Session.objects.filter(session_key__in=[row.session_key for row in rows], expire_date__gt=timezone.now())
    passwords = {user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()}
    alive = {one.session_key for one in stored if one.get_decoded().get(HASH_SESSION_KEY) in passwords}
    found = [Device(row, row.session_key == current_key) for row in rows if row.session_key in alive]
    return sorted(found, key=lambda device: not device.current)


def end_others(user: User, current_key: str | None) -> int:
    """End all of the user's sessions except the current one; return how many there were."""
    others = [device for device in devices(user, current_key) if not device.current]
    for device in others:
        device.row.end()
    return len(others)


def end_all(user: User) -> None:
    """Delete the user's sessions."""
    rows = UserSession.objects.filter(user=user)
    Session.objects.filter(session_key__in=rows.values("session_key")).delete()
    rows.delete()


def forget(addresses: Container[str]) -> None:
    """Delete the sessions of visitors who have entered one of these addresses. This reads the sessions of all visitors,
    so nobody should wait for it."""
    alive = Session.objects.filter(expire_date__gt=timezone.now())
    nobodys = alive.exclude(session_key__in=UserSession.objects.values("session_key"))
    found = [one.pk for one in nobodys.iterator() if any(value in addresses for value in _values(one.get_decoded()))]
    Session.objects.filter(pk__in=found).delete()


def _values(content: Any) -> Iterator[str]:
    """All texts in a session, in lower case."""
    if isinstance(content, str):
        yield content.lower()
    elif isinstance(content, (dict, list)):
        for each in content.values() if isinstance(content, dict) else content:
            yield from _values(each)
