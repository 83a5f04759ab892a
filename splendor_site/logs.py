"""Filters for the logs."""

import logging
import re
from collections.abc import Iterable, Iterator
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver


class WithoutTokens(logging.Filter):
    """Hides the tokens in addresses, because anybody who reads a log could use them."""

    def filter(self, record: logging.LogRecord) -> bool:
        # Waitress formats its messages before it logs them.
        record.msg = hidden(record.msg) if isinstance(record.msg, str) else record.msg
        if isinstance(record.args, tuple):
            record.args = tuple(hidden(each) if isinstance(each, str) else each for each in record.args)
        return True


def hidden(text: str) -> str:
    """The text with `…` in place of each token in an address of this site."""
    return _addresses().sub(r"\1…", text)


@cache
def _addresses() -> re.Pattern[str]:
    """Matches the addresses of this site whose route has an argument `token`: the part before the token, and the
    token."""
    routes = {route.partition("<str:token>")[0] for route in _routes(get_resolver().url_patterns) if "token" in route}
    return re.compile(rf"(/(?:{'|'.join(sorted(map(re.escape, routes)))}))[^/?\s]+")


def _routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route
