"""Players at tables in a real browser."""

import pytest
from playwright.sync_api import Page

from accounts.models import User
from games.models import Game
from games.services.tables import tables
from tests.browser.keys import DESK, PageOf
from tests.factories import lay


@pytest.fixture(params=["splendor", "duel"])
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """A game of Alice and Bob in which Alice is to act."""
    game = tables.create(alice, tables.TableSpec(request.param, 2))
    tables.join(game, bob)
    lay(game, alice, **({} if request.param == "splendor" else {"board": "wugrk ww.*. ..... ..... ....."}))
    return game


@pytest.fixture
def tab(request: pytest.FixtureRequest, page_of: PageOf, alice: User) -> Page:
    """An empty tab of Alice's browser, on a desktop unless the test asks for another screen."""
    width, height = getattr(request, "param", DESK)
    return page_of(alice, viewport={"width": width, "height": height})


@pytest.fixture
def page(tab: Page, game: Game) -> Page:
    """Alice at her table, in that tab."""
    tab.goto(f"/table/{game.key}/")
    return tab
