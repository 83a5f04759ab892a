from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts.models import User


@contextmanager
def as_wanted_by(user: User) -> Iterator[None]:
    """Within, times are in that person's zone, and words in that person's language, if one was chosen."""
    with ExitStack() as chosen:
        chosen.enter_context(timezone.override(user.zone))
        if user.language:
            chosen.enter_context(translation.override(user.language))
        yield


class PreferencesMiddleware:
    """Times in the person's zone, words in the person's language; without one, UTC and what the browser asks for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        with ExitStack() as chosen:
            if isinstance(user, User):
                chosen.enter_context(as_wanted_by(user))
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language() or "en")
            return response
