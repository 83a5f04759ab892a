"""Symbols on a board show their names under the mouse, on keyboard focus, and after a long press."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.models import Game
from tests.browser.keys import PageOf, tab_to

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SYMBOLS = {
    "splendor": [".pile .gem", ".card .gem-bonus", ".nobles-head .crest"],
    "duel": [".cell .gem", ".card .cost .gem"],
}
NAMES = re.compile("^(diamond|sapphire|emerald|ruby|onyx|pearl|gold|You|bob)$")


def touch(page: Page, thing: Locator, milliseconds: int) -> None:
    """Hold a finger on that thing for that many milliseconds."""
    box = thing.bounding_box()
    assert box
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    page.wait_for_timeout(milliseconds)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_symbol_shows_its_name_under_the_mouse(page: Page, game: Game) -> None:
    for symbol in SYMBOLS[game.title]:
        page.locator(symbol).first.hover(force=True)
        expect(page.locator("#board [title]")).to_have_attribute("title", NAMES)
    page.mouse.move(1, 400)
    expect(page.locator("#board [title]")).to_have_count(0)


def test_a_control_without_words_shows_its_name_on_keyboard_focus(page: Page, game: Game) -> None:
    tab_to(page, "1 diamond: " if game.title == "splendor" else "^a1, ")
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_be_hidden()


def test_a_long_press_shows_the_name_and_does_nothing_else(page_of: PageOf, alice: User, game: Game) -> None:
    page = page_of(alice, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.goto(f"/table/{game.key}/")
    thing = page.locator("[data-touch]").first
    touch(page, thing, 700)
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.wait_for_timeout(400)
    assert "draft" not in page.url
    touch(page, thing, 50)
    expect(page.get_by_role("tooltip")).to_be_hidden()
    expect(page.locator(".is-picked")).to_have_count(1)
