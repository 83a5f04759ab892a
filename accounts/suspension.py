"""Suspended people: the page that tells them, and the middleware that lets them do nothing else."""

from collections.abc import Callable

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_cache_control

from accounts.middleware import as_wanted_by
from accounts.models import User


def page(request: HttpRequest, user: User) -> HttpResponse:
    """The reason and the end of the user's suspension, in their language and time zone, with status 403."""
    with as_wanted_by(user):
        response = render(request, "accounts/suspended.html", {"person": user}, status=403)
        response["Content-Language"] = translation.get_language() or "en"
    patch_cache_control(response, private=True, no_store=True)
    return response


class SuspensionMiddleware:
    """Logs suspended people out and tells them why. Suspending ends their sessions; this is for one that began at the
    same moment. A part of a page is answered with 401, so that the page reloads."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not isinstance(user, User) or not user.is_suspended:
            return self.get_response(request)
        if request.headers.get("HX-Request"):
            return HttpResponse(status=401)
        logout(request)
        return page(request, user)
