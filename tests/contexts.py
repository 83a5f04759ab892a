"""Reuses browser contexts, since making one takes longer than a page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext

ContextOf = Callable[..., BrowserContext]
"""The fixture `context_of`."""


class Contexts:
    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.idle: dict[str, list[BrowserContext]] = {}
        """The free contexts by their options."""

    def close(self) -> None:
        for waiting in self.idle.values():
            for context in waiting:
                context.close()

    @contextmanager
    def lend(self, address: str) -> Iterator[ContextOf]:
        """Makes clean contexts with Playwright's options. At the end, their data for that address is deleted, and
        they can be used again; with `again=False`, a context is closed instead."""
        lent: list[tuple[BrowserContext, list[BrowserContext] | None]] = []

        def new(*, again: bool = True, **options: Any) -> BrowserContext:
            options = {"base_url": address, **options}
            waiting = self.idle.setdefault(repr(sorted(options.items())), []) if again else None
            context = waiting.pop() if waiting else self.browser.new_context(**options)
            lent.append((context, waiting))
            return context

        yield new
        for context, waiting in lent:
            if waiting is None:
                context.close()
            else:
                _forget(context, address)
                waiting.append(context)


def _forget(context: BrowserContext, address: str) -> None:
    context.clear_cookies()
    if context.pages:
        devtools = context.new_cdp_session(context.pages[0])
        devtools.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
    for page in context.pages:
        page.close()
