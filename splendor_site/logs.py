"""The form of log lines, and a filter that keeps tokens and keys out of them."""

import json
import logging
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver

ARGUMENT = re.compile("<str:token>|<(?:slug|str):key>")
"""An argument of an address that opens something to anyone who has it."""


class Plain(logging.Formatter):
    """A line begins with the time in UTC, the level and the logger."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - Python's name
        return _time(record)


class Structured(logging.Formatter):
    """A line is a JSON object, with the facts of a security event as members."""

    def format(self, record: logging.LogRecord) -> str:
        said = {"time": _time(record), "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said | getattr(record, "facts", {}), ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


class WithoutTokens(logging.Filter):
    """Hides the tokens and keys in addresses, because anybody who reads a log could use them."""

    def filter(self, record: logging.LogRecord) -> bool:
        # Waitress formats its messages before it logs them.
        record.msg = hidden(record.msg) if isinstance(record.msg, str) else record.msg
        if isinstance(record.args, tuple):
            record.args = tuple(hidden(each) if isinstance(each, str) else each for each in record.args)
        return True


def hidden(text: str) -> str:
    """The text with `…` in place of each token and key in an address of this site."""
    return _addresses().sub(r"\1…", text)


@cache
def _addresses() -> re.Pattern[str]:
    """Matches the addresses of this site whose route has a token or the key of a table: the part before it, and the
    token or key."""
    routes = {ARGUMENT.split(route)[0] for route in _routes(get_resolver().url_patterns) if ARGUMENT.search(route)}
    return re.compile(rf"(/(?:{'|'.join(sorted(map(re.escape, routes)))}))[^/?\s]+")


def _routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route
