"""The spaces of Duel's board: gold, lines, and dragging over them."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from games.services import play
from tests.browser.keys import (
    PHONE,
    PageOf,
    is_idle,
    notations,
    picked,
    slow_down,
    tap,
)
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("game", ["duel"], indirect=True)
@pytest.mark.parametrize("before", [[], ["a1"]])
def test_gold_is_refused_before_a_card_is_chosen(page: Page, game: Game, before: list[str]) -> None:
    tap(page, *before, "b4")
    expect(page.locator(".refusal")).to_contain_text("You can’t take gold.")
    is_idle(page)
    expect(page.locator(".refusal")).to_be_visible()


@pytest.mark.parametrize("game", ["duel"], indirect=True)
@pytest.mark.parametrize("way", ["tap", "undo"])
def test_gold_that_is_put_back_leaves_the_card_to_be_reserved(tab: Page, game: Game, alice: User, way: str) -> None:
    """A purchase of the same card does not take its place."""
    lay(game, alice, mine="tokens=uuuurrr", board="*...* ..... ..... ..... .....", row_2="2-white-01")
    tab.goto(f"/table/{game.key}/?draft=reserve 2-white-01 a1")
    tab.locator("[data-key=Enter]:visible").wait_for()
    if way == "tap":
        tap(tab, "a1")
    else:
        tap(tab, "a1", "a5")
        tab.get_by_role("link", name="Undo").click()
    is_idle(tab)
    expect(tab.locator("[data-key=Enter]:visible")).to_have_count(0)
    tap(tab, "a5")
    tab.locator("[data-key=Enter]:visible").click()
    expect(tab.locator("#turn")).to_have_text("bob to move")
    assert notations(game) == ["reserve 2-white-01 a5"]


@pytest.mark.parametrize("game", ["duel"], indirect=True)
def test_the_first_token_shows_at_once_which_others_can_join_it(page: Page, game: Game, alice: User) -> None:
    """The script and the server mark the same spaces."""
    slow_down(page, 800)
    tap(page, "a1")
    joining, names = page.locator(".is-line .can-join"), "cells => cells.map(({ dataset }) => dataset.touch)"
    shown = joining.evaluate_all(names)
    lines = [str(action).split()[1:] for action in play.look(game, alice).legal if action.word == "take"]
    assert shown == sorted({space for line in lines if "a1" in line for space in line} - {"a1"})
    expect(page.locator("#board .decision:not(.is-staging) [data-key=Enter]").first).to_be_visible()
    assert joining.evaluate_all(names) == shown
    page.get_by_role("link", name="Clear").click()
    expect(page.locator(".is-line, .can-join")).to_have_count(0)


@pytest.mark.parametrize("game", ["duel"], indirect=True)
@pytest.mark.parametrize("way", ["ends", "drag"])
def test_the_ends_of_a_line_take_its_middle(page: Page, game: Game, way: str) -> None:
    slow_down(page, 800)
    if way == "ends":
        tap(page, "a1", "a3")
    else:
        for name, act in (("a1", page.mouse.down), ("a2", None), ("a3", page.mouse.up)):
            page.locator(f"[data-touch={name}]").hover()
            if act:
                act()
    assert picked(page) == ["a1", "a2", "a3"]
    page.locator("[data-key=Enter]:visible").click()
    expect(page.locator("#turn")).to_have_text("bob to move")
    assert notations(game) == ["take a1 a2 a3"]


@pytest.mark.parametrize("game", ["duel"], indirect=True)
def test_a_finger_drags_over_a_line(page_of: PageOf, game: Game, alice: User) -> None:
    """The page does not scroll instead."""
    page = page_of(alice, viewport={"width": PHONE[0], "height": PHONE[1]}, is_mobile=True, has_touch=True)
    page.goto(f"/table/{game.key}/")
    finger = page.context.new_cdp_session(page)
    boxes = [page.locator(f"[data-touch={name}]").bounding_box() for name in ("a1", "a2", "a3")]
    for way, box in zip(("touchStart", "touchMove", "touchMove"), boxes, strict=True):
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for step in (0.5, 0):
            points = [{"x": x - step * box["width"] * (way == "touchMove"), "y": y}]
            finger.send("Input.dispatchTouchEvent", {"type": way if step else "touchMove", "touchPoints": points})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#board .decision:not(.is-staging) [data-key=Enter]").first).to_be_visible()
    assert picked(page) == ["a1", "a2", "a3"]
