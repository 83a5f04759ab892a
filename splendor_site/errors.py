"""Error reports: the page shown in development, and mails to `ADMINS`."""

from types import TracebackType
from typing import Any

from django.http import HttpRequest
from django.views.debug import ExceptionReporter


class Reporter(ExceptionReporter):
    """Reports the traceback without variables and without the request: frames hold positions, and a request can name
    cards that only one player knows."""

    def __init__(
        self,
        request: HttpRequest | None,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        tb: TracebackType | None,
        is_email: bool = False,
    ) -> None:
        super().__init__(None, exc_type, exc_value, tb, is_email)

    def get_traceback_frames(self) -> list[dict[str, Any]]:
        return [{**frame, "vars": []} for frame in super().get_traceback_frames()]
