"""Members of staff: the passkey that opens their pages, and the recovery codes with which they add one."""

import hashlib
import re
import secrets
import time
from datetime import timedelta
from functools import wraps
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts import sessions
from accounts.access import View
from accounts.models import RecoveryCode, User

PROOF_LIFETIME = timedelta(hours=12)
"""How long the pages stay open after the passkey was used."""
CODE_LIFETIME = timedelta(minutes=15)
"""How long after a recovery code a passkey may be added."""
CODES = 10
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
GROUPS, GROUP_LENGTH = 6, 4
"""The form of a code: 24 letters and digits in groups (120 bits)."""
CODE_USED = "staff_code_used"
"""The key in a session for when its user entered a recovery code, in seconds since 1970."""


def appoint(user: User) -> list[str]:
    """Make the user a member of staff, with new recovery codes, which are returned and kept as hashes. Their passkeys
    and sessions end: only a passkey that was added with a code opens the pages."""
    codes = [
        "-".join("".join(secrets.choice(LETTERS) for _letter in range(GROUP_LENGTH)) for _group in range(GROUPS))
        for _code in range(CODES)
    ]
    with transaction.atomic():
        user.is_staff = True
        user.save(update_fields=["is_staff"])
        Authenticator.objects.filter(user=user).delete()
        RecoveryCode.objects.filter(user=user).delete()
        RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(code)) for code in codes)
        sessions.end_all(user)
    return codes


def dismiss(user: User) -> None:
    """Take the user's rights as a member of staff, and their recovery codes."""
    with transaction.atomic():
        user.is_staff = False
        user.save(update_fields=["is_staff"])
        RecoveryCode.objects.filter(user=user).delete()


def use_code(request: HttpRequest, user: User, code: str) -> bool:
    """Use up a recovery code of the user, so that this session may add a passkey; return whether there was one."""
    used, _rows = RecoveryCode.objects.filter(user=user, digest=_digest(code)).delete()
    if used:
        request.session[CODE_USED] = time.time()
    return bool(used)


def _has_used_code(request: HttpRequest) -> bool:
    used: float = request.session.get(CODE_USED, 0)
    return used > time.time() - CODE_LIFETIME.total_seconds()


def _digest(code: str) -> str:
    return hashlib.sha256(re.sub(r"[\s-]", "", code).upper().encode()).hexdigest()


def codes_left(user: User) -> int:
    """The number of the user's recovery codes."""
    return RecoveryCode.objects.filter(user=user).count()


def has_passkey(user: User) -> bool:
    """Whether the user has a passkey."""
    found: bool = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).exists()
    return found


def is_proved(request: HttpRequest) -> bool:
    """Whether the user of this session has lately used their passkey."""
    records = get_authentication_records(request, request.user)
    since = time.time() - PROOF_LIFETIME.total_seconds()
    return any(
        record["method"] == "mfa" and record.get("type") == Authenticator.Type.WEBAUTHN and record["at"] > since
        for record in records
    )


def staff_only(view: View) -> View:
    """Open the view to members of staff alone, who have lately used their passkey in this session. Others get the page
    for an address that does not exist."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_proved(request):
            return redirect("accounts:staff_enter")
        return view(request, *args, **kwargs)

    return of_staff(wrapped)


def of_staff(view: View) -> View:
    """Open the view to members of staff alone, without their passkey."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not (isinstance(request.user, User) and request.user.is_staff):
            raise Http404
        return view(request, *args, **kwargs)

    return wrapped


def adds_passkey(view: View) -> View:
    """Let members of staff add a passkey only with another one or with a recovery code: a stolen password must not
    open their pages."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_staff = isinstance(request.user, User) and request.user.is_staff
        if is_staff and not is_proved(request) and not _has_used_code(request):
            return redirect("accounts:staff_enter")
        return view(request, *args, **kwargs)

    return wrapped
