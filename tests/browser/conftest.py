"""People at tables in a real browser."""

import re
from collections.abc import Iterator
from typing import Protocol

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from accounts.models import User

EXPECTED = re.compile("status of [45].. .*/table/|ERR_|^htmx:(afterRequest|send|timeout)|^Response Status Error Code")
"""What the console says of answers that are meant, and of a connection that a test cuts."""


class PageOf(Protocol):
    def __call__(self, user: User | None, **options: object) -> Page: ...


@pytest.fixture
def page_of(browser: Browser, live_server) -> Iterator[PageOf]:
    """A new browser in which that person is logged in, nobody for `None`, with the options of Playwright's
    `new_context`. What its pages complain of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def visit(user: User | None, **options: object) -> Page:
        context = browser.new_context(**{"base_url": live_server.url, **options})
        contexts.append(context)
        if user:
            client = Client()
            client.force_login(user)
            name = settings.SESSION_COOKIE_NAME
            context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
        page = context.new_page()
        # Violations of the content security policy are told to the console.
        page.on("console", lambda message: complaints.append(f"{message.text} {message.location['url']}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield visit
    for context in contexts:
        context.close()
    assert [text for text in complaints if not EXPECTED.search(text)] == []
