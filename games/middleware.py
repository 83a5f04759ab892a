from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from games.services.versions import polls

POLL_SECONDS = 10
"""How long a page waits before it asks again."""


class PollMiddleware:
    """A page that asks whether anything is new is told so before anybody is looked up: most of the time, nothing is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asks = request.method == "GET" and request.path.endswith("/poll/")
        if asks and polls.nothing_new(request.GET.get("seal", "")):
            return nothing_new()
        return self.get_response(request)


def nothing_new() -> HttpResponse:
    """204, and when to ask again."""
    return HttpResponse(status=204, headers={"X-Poll-After": str(POLL_SECONDS), "Cache-Control": "private, no-store"})
