"""People at tables in a real browser."""

import re
from collections.abc import Iterator
from typing import Protocol

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from accounts.models import User
from games.models import Game
from games.services import tables
from tests.browser.keys import DESK
from tests.browser.positions import lay

EXPECTED = re.compile(
    "status of [45].. .*/(table|settings|i)/|ERR_|^htmx:(afterRequest|send|timeout)|^Response Status Error Code"
)
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


@pytest.fixture(params=["splendor", "duel"])
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """Alice and Bob, of whom Alice is to act."""
    game = tables.create(alice, tables.Plan(request.param, 2))
    tables.join(game, bob)
    lay(game, alice, **({} if request.param == "splendor" else {"board": "wugrk ww.*. ..... ..... ....."}))
    return game


@pytest.fixture
def page(request: pytest.FixtureRequest, page_of: PageOf, alice: User, game: Game) -> Page:
    """Alice at her table, at a desk if not told otherwise."""
    width, height = getattr(request, "param", DESK)
    page = page_of(alice, viewport={"width": width, "height": height})
    page.goto(f"/table/{game.key}/")
    return page
