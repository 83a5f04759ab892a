"""Looking back in a real browser with steps, slider, keys and play: the ledger marks the row, and no errors occur."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from games.services.clocks.moment import now
from tests.browser.keys import DESK, LONG, PHONE, PageOf, held, is_idle, press
from tests.factories import deal, play_well

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


WINDOWS = {"splendor": DESK, "duel": PHONE}


@pytest.fixture(params=["splendor", "duel"])
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """A game of Alice and Bob after thirty decisions."""
    game = deal(request.param, [alice, bob], 1)
    play_well(game, 1, 30)
    return game


@pytest.fixture
def page(page_of: PageOf, alice: User, game: Game) -> Page:
    """Alice at her table, on a page whose clock is stopped unless the test moves it."""
    width, height = WINDOWS[game.title]
    page = page_of(alice, viewport={"width": width, "height": height}, again=False)
    page.clock.install()
    page.goto(f"/table/{game.key}/")
    page.clock.pause_at(now() + timedelta(minutes=1))
    return page


def shows(page: Page, number: int) -> None:
    """Every part of the page shows the table after that many moves."""
    expect(page).to_have_url(re.compile(rf"\?at={number}$"))
    expect(page.locator("#turn")).to_have_text(f"Move {number} of 30" if number else "Before the first move")
    expect(page.locator(".replay-number")).to_have_text(f"{number} of 30")
    expect(page.locator("#at")).to_have_value(str(number))
    expect(page.locator(".ledger .is-shown .no")).to_have_text([str(number)] if number else [])


@pytest.mark.parametrize("game", ["splendor", pytest.param("duel", marks=LONG)], indirect=True)
def test_every_way_of_looking_back(page: Page) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    entries = page.evaluate("history.length")
    page.get_by_role("link", name="Look back").click()
    shows(page, 29)
    press(page, "ArrowLeft")
    shows(page, 28)
    press(page, "ArrowRight", "ArrowRight")
    shows(page, 30)
    page.locator("#at").focus()
    press(page, "Home")
    shows(page, 0)
    press(page, "ArrowRight", "ArrowRight")
    shows(page, 2)
    assert page.evaluate("document.activeElement.id") == "at"
    page.get_by_role("link", name="Forward").click()
    shows(page, 3)
    page.get_by_role("link", name="To the end").click()
    shows(page, 30)
    page.get_by_role("link", name="To the beginning").click()
    shows(page, 0)
    page.locator(".ledger li a").filter(has_text=re.compile("took|bought|reserved")).last.click()
    shows(page, 1)
    assert page.evaluate("history.length") == entries + 1
    press(page, "Escape")
    expect(page.locator(".replay #at")).to_have_count(0)
    assert page.evaluate("history.length") == entries + 1
    assert problems == []


@pytest.mark.parametrize("game", ["duel", pytest.param("splendor", marks=LONG)], indirect=True)
def test_playing_steps_until_the_end_or_until_any_input(page: Page) -> None:
    page.goto(f"{page.url}?at=26")
    play = page.get_by_role("button", name="Play")
    play.click()
    page.clock.run_for(10)
    shows(page, 27)
    expect(play).to_have_attribute("aria-pressed", "true")
    page.clock.run_for(1400)
    shows(page, 27)
    page.clock.run_for(100)
    shows(page, 28)
    page.keyboard.press("ArrowLeft")
    shows(page, 27)
    expect(play).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(5000)
    shows(page, 27)
    play.click()
    page.clock.run_for(10)
    shows(page, 28)
    play.click()
    page.clock.run_for(5000)
    shows(page, 28)
    play.click()
    for number in (29, 30):
        page.clock.run_for(1500)
        shows(page, number)
    expect(play).to_have_attribute("aria-pressed", "false")
    play.click()
    page.clock.run_for(10)
    shows(page, 0)


def test_the_ledger_scrolls_to_the_shown_move_and_the_page_does_not(page: Page) -> None:
    page.goto(f"{page.url}?at=15&ledger=all")
    script = """() => {
        const [row, list] = [".is-shown", "ol"].map((each) => document.querySelector(`.ledger ${each}`));
        const [inner, outer] = [row, list].map((each) => each.getBoundingClientRect());
        return list.scrollHeight > list.clientHeight && inner.top >= outer.top && inner.bottom <= outer.bottom;
    }"""
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    page.reload()
    assert page.evaluate(script)
    assert page.evaluate("scrollY") == 0


def test_without_a_script_there_are_links_and_a_form(page_of: PageOf, alice: User, game: Game) -> None:
    page = page_of(alice, java_script_enabled=False)
    page.goto(f"/table/{game.key}/?at=12")
    expect(page.locator("#play")).to_be_hidden()
    page.get_by_role("link", name="Forward").click()
    shows(page, 13)
    page.locator("#at").press("ArrowLeft")
    page.get_by_role("button", name="Show").click()
    shows(page, 12)


@pytest.mark.parametrize("game", ["splendor"], indirect=True)
def test_the_slider_keeps_every_step_on_a_slow_network(page: Page, game: Game) -> None:
    page.get_by_role("link", name="Look back").click()
    shows(page, 29)
    page.locator("#at").focus()
    with held(page):
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
    shows(page, 26)
    is_idle(page)
