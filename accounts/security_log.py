"""The security log: log-ins, changes to accounts and refused requests, each with the network address. It holds no name,
mail address, token or body; users are numbers."""

import logging
from contextlib import suppress
from typing import Any

from allauth.account import signals as account
from allauth.account.adapter import get_adapter
from allauth.mfa import signals as mfa
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils import timezone

from accounts import services
from accounts.models import User

LOG = logging.getLogger("security")
REFUSED = (400, 403, 429)
"""The answers that are counted: malformed, forbidden, too many."""
HOUR = 3600
DAY = 24 * HOUR


def note(event: str, request: HttpRequest | None, user: User | None = None, **facts: Any) -> None:
    """Write a line such as `log-in failed user=12 network=192.0.2.7`."""
    told = {"user": user.pk if user else None, "network": _network(request), **facts}
    told = {name: value for name, value in told.items() if value is not None}
    words = " ".join(f"{name}={value}" for name, value in told.items())
    LOG.info("%s %s", event, words, extra={"facts": {"event": event, **told}})


def note_refusal(request: HttpRequest, status: int) -> None:
    """Count a refused request from the network. The log gets the first one in a day, the tenth, the hundredth and so
    on, so that nobody can fill it."""
    times = _count(f"refused:{status}:{_network(request)}", DAY)
    _count(_of_hour(0), 2 * HOUR)
    if str(times).strip("0") == "1":
        note("refused", request, status=status, times=times)


def refusals() -> int:
    """How many requests were refused in this hour and in the one before, from all networks together."""
    return sum(cache.get_many([_of_hour(0), _of_hour(1)]).values())


def _of_hour(ago: int) -> str:
    return f"refused:{int(timezone.now().timestamp()) // HOUR - ago}"


def _count(key: str, seconds: int) -> int:
    with suppress(ValueError):  # the count has just expired
        return 1 if cache.add(key, 1, seconds) else cache.incr(key)
    return 1


def _network(request: HttpRequest | None) -> str | None:
    """The client's network address; `None` if it is unknown, for example because a proxy does not forward it."""
    with suppress(PermissionDenied):
        return str(get_adapter().get_client_ip(request)) if request else None
    return None


def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    note("log-in failed", request, services.find(services.login_of(credentials)))


def _noted(event: str) -> Any:
    """A receiver that notes the event with the signal's request and user."""

    def receive(user: User | None = None, request: HttpRequest | None = None, **_: Any) -> None:
        note(event, request, user)

    return receive


EVENTS = {
    user_logged_in: "log-in",
    user_logged_out: "log-out",
    account.user_signed_up: "sign-up",
    account.password_set: "password set",
    account.password_changed: "password changed",
    account.password_reset: "password reset",
    account.email_changed: "address changed",
    mfa.authenticator_added: "passkey added",
    mfa.authenticator_removed: "passkey removed",
}
for _signal, _event in EVENTS.items():
    _signal.connect(_noted(_event), weak=False, dispatch_uid="accounts.security_log")
user_login_failed.connect(_failed, dispatch_uid="accounts.security_log")
