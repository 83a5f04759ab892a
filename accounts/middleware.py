from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts import security_log, services, sessions
from accounts.models import User


@contextmanager
def as_wanted_by(user: User) -> Iterator[None]:
    """Use that user's time zone inside the block, and their language if they chose one."""
    with ExitStack() as chosen:
        chosen.enter_context(timezone.override(user.zone))
        if user.language:
            chosen.enter_context(translation.override(user.language))
        yield


class RefusalsMiddleware:
    """Notes refused requests in the security log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code in security_log.REFUSED:
            security_log.note_refusal(request, response.status_code)
        return response


class PreferencesMiddleware:
    """Shows times in the user's zone and words in the user's language, and prolongs their session. The defaults are UTC
    and the browser's language, which is remembered for mails. Once a day, the browser is reminded of the account."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user, is_first_today = request.user, False
        with ExitStack() as chosen:
            if isinstance(user, User):
                sessions.follow(request)
                is_first_today = sessions.prolong(request.session)
                services.note_language(user, translation.get_language() or "")
                chosen.enter_context(as_wanted_by(user))
            response = self.get_response(request)
            # The view may have logged in another user, or deleted the one who came.
            present = request.user
            if is_first_today and isinstance(present, User):
                sessions.remember(request, response, present)
            response.headers.setdefault("Content-Language", translation.get_language() or "en")
            return response
