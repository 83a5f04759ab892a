from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from games.services.versions import polls

POLL_SECONDS = 10
"""Seconds that a page waits before it polls again."""


class PollMiddleware:
    """Answers most polls, those without news, before the session or the user is looked up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asks = request.method == "GET" and request.path.endswith("/poll/")
        if asks and polls.is_current(request.GET.get("seal", "")):
            return no_news()
        return self.get_response(request)


def no_news() -> HttpResponse:
    """Status 204, with the time to wait before the next poll."""
    return HttpResponse(status=204, headers={"X-Poll-After": str(POLL_SECONDS), "Cache-Control": "private, no-store"})
