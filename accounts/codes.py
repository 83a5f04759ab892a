"""The guards of mailed codes, around allauth's views."""

import time
from functools import wraps
from typing import Any

from allauth.account.internal.flows.email_verification_by_code import (
    EMAIL_VERIFICATION_CODE_SESSION_KEY,
    EmailVerificationProcess,
)
from allauth.account.internal.flows.password_reset_by_code import PasswordResetVerificationProcess
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.access import View
from accounts.models import User


def of_present_address(view: View) -> View:
    """The view of a reset's code, which forgets a code that went to a former address of the account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        reset = PasswordResetVerificationProcess.resume(request)
        if reset and isinstance(reset.user, User) and reset.user.email.lower() != reset.state["email"].lower():
            reset.abort()
        return view(request, *args, **kwargs)

    return guarded


def of_sign_up(view: View) -> View:
    """The view of a sign-up's code. Where the code is too old, or was wrong too often, the visitor signs up again,
    because nobody can log in to a sign-up. A code that is sent again is valid as long as the first one."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        before = dict(request.session.get(EMAIL_VERIFICATION_CODE_SESSION_KEY, {}))
        if before and not EmailVerificationProcess.resume(request) and not request.user.is_authenticated:
            messages.error(request, _("This code has expired. Please sign up again."))
            return redirect("account_signup")
        response = view(request, *args, **kwargs)
        after = request.session.get(EMAIL_VERIFICATION_CODE_SESSION_KEY)
        if before and not after and not request.user.is_authenticated:
            return redirect("account_signup")
        if before and after and after["resend_count"] > before["resend_count"]:
            request.session[EMAIL_VERIFICATION_CODE_SESSION_KEY] = {**after, "at": time.time(), "failed_attempts": 0}
        return response

    return guarded
