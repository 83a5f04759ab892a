from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

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


def no_news(wait: float) -> HttpResponse:
    """Status 204, with the seconds to wait before the next poll."""
    return HttpResponse(status=204, headers={"X-Poll-After": f"{wait:g}", "Cache-Control": "private, no-store"})
