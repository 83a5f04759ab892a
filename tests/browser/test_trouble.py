"""Taps and keys in awkward moments: after a lost request, during one, with a card or a player open."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from games.services import play
from tests.browser.keys import CONFIRM, PHONE, SIZES, TAKEN, held, is_idle, notations, picked, tab_to, tap
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SPLENDOR = pytest.mark.parametrize("game", ["splendor"], indirect=True)


@SPLENDOR
@pytest.mark.parametrize("way", ["tap", "key"])
def test_a_tap_after_a_lost_request_asks_again(tab: Page, game: Game, alice: User, way: str) -> None:
    """The draft leads to another decision, whose choices never came."""
    lay(game, alice, mine="tokens=wwuuggrrk")
    tab.goto(f"/table/{game.key}/")
    tab.route("**/*draft=*", lambda route: route.abort())
    tap(tab, "w", "u", "g")
    expect(tab.locator("#trouble")).to_contain_text("We can’t reach the site")
    tab.unroute("**/*draft=*")
    if way == "tap":
        tap(tab, "w")
    else:
        tab.keyboard.press("w")
    expect(tab.locator(".back-pick .is-picked[data-touch=w]")).to_have_count(1)
    is_idle(tab)
    assert tab.locator("#table[data-waits]").count() == 0


@SPLENDOR
def test_a_token_that_was_taken_is_put_back_while_others_must_be_returned(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, mine="tokens=wwuuggrrk")
    tab.goto(f"/table/{game.key}/?draft=take wug;")
    tab.locator(".pile[data-thing=w]").click()
    expect(tab.locator(".back-pick")).to_have_count(0)
    is_idle(tab)
    assert picked(tab) == ["u", "g"]


def test_the_focus_stays_with_the_decision_when_the_draft_is_cleared(page: Page, game: Game) -> None:
    tap(page, TAKEN[game.title][0])
    is_idle(page)
    tab_to(page, "^Clear$")
    inside = "document.activeElement.closest('.decision') !== null"
    with held(page):
        page.keyboard.press("Enter")
        assert page.evaluate(inside)
    is_idle(page)
    assert page.evaluate(inside)
    assert picked(page) == []


@SPLENDOR
def test_a_button_that_is_not_shown_is_not_pressed(page: Page, game: Game) -> None:
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    with held(page):
        tap(page, "w", "u")
        page.keyboard.press(CONFIRM)
    is_idle(page)
    assert (posts, picked(page)) == ([], ["w", "u"])


@pytest.mark.parametrize("tab", [PHONE], indirect=True)
def test_an_open_player_stays_open_when_a_token_is_tapped(page: Page, game: Game, bob: User) -> None:
    seat = f"#seat-{next(seat.index for seat in game.seat_set.all() if seat.user_id == bob.pk)}"
    part = f"{seat} .seat-body" if game.title == "splendor" else f"{seat} .seat-sum"
    expect(page.locator(part)).to_be_hidden()
    page.locator(f"{seat} .seat-open").click()
    expect(page.locator(part)).to_be_visible()
    place = page.locator(part).bounding_box()
    tap(page, TAKEN[game.title][0])
    is_idle(page)
    expect(page.locator(part)).to_be_visible()
    assert page.locator(part).bounding_box() == place
    page.go_back()
    expect(page.locator(part)).to_be_hidden()
    page.locator(f"{seat} .seat-open").click()
    page.get_by_role("link", name="Fewer details").click()
    expect(page.locator(part)).to_be_hidden()


@SIZES
def test_closing_a_card_leaves_the_page_where_it_is(tab: Page, game: Game, alice: User, bob: User) -> None:
    play.resign(game, bob)
    tab.goto(f"/table/{game.key}/")
    card = tab.locator("[data-card^='1-']").first
    name = card.get_attribute("data-card")
    card.scroll_into_view_if_needed()
    card.click()
    expect(tab.locator("#sheet")).to_be_focused()
    before = tab.evaluate("scrollY")
    tab.keyboard.press("Escape")
    expect(tab.locator("#sheet")).to_have_count(0)
    is_idle(tab)
    assert tab.evaluate("document.activeElement.dataset.card") == name
    assert tab.evaluate("scrollY") == before
    assert notations(game) == []


def test_closing_another_players_card_leads_back_to_it(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, theirs="reserved=1-white-02")
    tab.goto(f"/table/{game.key}/")
    tab.locator(".mini[data-card='1-white-02']").click()
    expect(tab.locator("#sheet")).to_be_focused()
    tab.keyboard.press("Escape")
    expect(tab.locator(".mini[data-card='1-white-02']")).to_be_focused()


def test_the_focus_stays_on_an_open_card(page: Page, game: Game) -> None:
    """It covers the rest of the page, so nothing there can be reached with the Tab key."""
    page.locator("#board a[href*='card=']:visible").first.press("Enter")
    expect(page.locator(".sheet")).to_be_visible()
    for key in ["Tab"] * 8 + ["Shift+Tab"] * 8:
        page.keyboard.press(key)
        # Behind the last link is the browser itself, which the page does not hold up.
        assert page.evaluate("document.activeElement.matches('body, .sheet *')")
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    is_idle(page)


def test_the_whole_ledger_and_the_draft_keep_each_other(tab: Page, game: Game) -> None:
    tab.goto(f"/table/{game.key}/?ledger=all")
    tap(tab, TAKEN[game.title][0])
    is_idle(tab)
    expect(tab).to_have_url(re.compile(r"\?draft=[^&]+&ledger=all$"))
    assert picked(tab) == [TAKEN[game.title][0]]
