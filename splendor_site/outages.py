"""Outages of the database: locked for long, out of space, or away. Pages then say that nothing was saved, with status
503, and the log says it once."""

import logging
import sys
from time import monotonic

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import server_error

LOST = (InterfaceError, OperationalError)
RETRY_SECONDS = 30
QUIET_SECONDS = 600
"""The same failure this long after the last one belongs to a new outage."""


def failed(request: HttpRequest) -> HttpResponse:
    """The page for an exception that no view handles, in the language that is active."""
    if not isinstance(sys.exc_info()[1], LOST):
        return server_error(request)
    page = loader.get_template("503.html").render()
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"})


class OncePerOutage(logging.Filter):
    """Lets the first failure of an outage pass, in a line without a traceback, and drops the rest. Each process of the
    site counts for itself."""

    def __init__(self) -> None:
        super().__init__()
        self.quiet_until: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, LOST):
            return True
        words, now = str(error).strip(), monotonic()
        is_new = now >= self.quiet_until.get(words, now)
        self.quiet_until[words] = now + QUIET_SECONDS
        record.msg, record.args, record.exc_info = "The database fails: %s", (words,), None
        return is_new
