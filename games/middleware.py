from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import ResolverMatch

from accounts.models import User
from games.services.versions import polls


class PollMiddleware:
    """Answers most polls, those without news, before anything else looks at them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "GET" and request.path.endswith("/poll/"):
            wait = polls.unchanged(request.GET.get("seal", ""))
            if wait is not None:
                return no_news(wait)
        return self.get_response(request)


FOR_VISITORS = frozenset(
    {
        "account_login", "account_email_verification_sent", "account_reset_password",
        "account_confirm_password_reset_code", "account_complete_password_reset", "account_password_reset_completed",
        "account_confirm_login_code", "account_inactive", "mfa_login_webauthn", "accounts:start_again", "invitation",
    }
)  # fmt: skip
"""The pages through which guests can get into an account; there they count as visitors."""
SETTINGS_OF_GUESTS = frozenset(
    {
        "accounts:settings", "accounts:theme", "accounts:language", "accounts:time_zone", "vacation", "time_off",
        "vacation_back", "blocked",
    }
)  # fmt: skip
"""The settings that guests have too; all others, and all pages of allauth except the log-out, are for accounts."""


class GuestMiddleware:
    """Redirects guests from pages that are only for accounts. `request.guest` is the guest; `games.receivers` needs it
    after a log-in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        user, match = request.user, request.resolver_match
        if not isinstance(user, User) or not user.is_guest or match is None:
            return None
        if match.view_name == "account_signup":
            return redirect("keep")
        request.guest = user  # type: ignore[attr-defined]
        if match.view_name in FOR_VISITORS:
            request.user = AnonymousUser()
        elif _is_for_accounts(match):
            return redirect("accounts:settings")
        return None


def _is_for_accounts(match: ResolverMatch) -> bool:
    """Whether the page is of no use to guests."""
    name = match.view_name
    if match.route.startswith("settings/"):
        return name not in SETTINGS_OF_GUESTS
    return name == "open" or (name.startswith(("account_", "mfa_")) and name != "account_logout")


def no_news(wait: float) -> HttpResponse:
    """Status 204, with the seconds to wait before the next poll."""
    return HttpResponse(status=204, headers={"X-Poll-After": f"{wait:g}", "Cache-Control": "private, no-store"})
