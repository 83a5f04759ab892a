"""Answers requests one after the other: in tests, all threads share the connection to the database in memory."""

from collections.abc import Callable
from threading import RLock

from django.http import HttpRequest, HttpResponse

_one = RLock()


class InTurnMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with _one:
            return self.get_response(request)
