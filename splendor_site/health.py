"""The answer to monitors on this machine: does this web server work, with its database?"""

from collections.abc import Callable
from ipaddress import ip_address

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from accounts.models import User

ADDRESS = "/health/"


class HealthMiddleware:
    """Answers 200 or 503 at `/health/`, before anything looks at the host, the scheme or the session. It answers this
    machine alone; for others the address does not exist."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path != ADDRESS or request.method not in ("GET", "HEAD") or not _is_from_here(request):
            return self.get_response(request)
        response = _health()
        response.headers["Cache-Control"] = "no-store"
        return response


def _is_from_here(request: HttpRequest) -> bool:
    """Whether this machine asks for itself. A proxy on it asks for others, and names them in one of these headers."""
    if {"X-Forwarded-For", "Forwarded"} & {*request.headers}:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _health() -> HttpResponse:
    try:
        User.objects.exists()
    except DatabaseError:
        return HttpResponse("The database does not answer.\n", status=503, content_type="text/plain; charset=utf-8")
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")
