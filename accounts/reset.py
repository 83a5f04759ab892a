"""The guard of a reset: its code goes to an address, and is void once the account has another one."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.internal.flows.password_reset_by_code import PasswordResetVerificationProcess
from django.http import HttpRequest, HttpResponse

from accounts.models import User


def of_present_address(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allauth's view of a code, which forgets a code that went to a former address of the account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        reset = PasswordResetVerificationProcess.resume(request)
        if reset and isinstance(reset.user, User) and reset.user.email.lower() != reset.state["email"].lower():
            reset.abort()
        return view(request, *args, **kwargs)

    return guarded
