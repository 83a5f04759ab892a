"""The sheet of a card, a modal dialog: every way to close it, and what shows above it."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from tests.browser.keys import DESK, PHONE, TAKEN, PageOf, focused, is_idle, picked, press, tab_to, tap, top

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CARD = "[data-row=cards] [data-card^='2-']"
WATCH = """() => {
    Object.assign(window, { asked: [], drawn: [] });
    for (const name of ["cancel", "close"]) document.addEventListener(name, () => asked.push(name), true);
    const look = () => {
        drawn.push(document.querySelector(".veil")?.matches(":modal"));
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes what the browser asks of dialogs, and in every frame whether the sheet there is a modal one."""
ON_TOP = """told => {
    const { left, top, width, height } = told.getBoundingClientRect();
    return told.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def close(page: Page, way: str) -> None:
    match way:
        case "a close request":
            page.keyboard.press("Escape")
        case "the link":
            page.get_by_role("link", name="Close", exact=True).click()
        case "a tap beside it":
            page.mouse.click(4, 4)
    expect(page.locator("#sheet")).to_have_count(0)
    is_idle(page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("reader", ["alice", "charlie"], ids=["player", "spectator"])
def test_a_card_closes_in_the_same_way_however_it_is_closed(
    page_of: PageOf, game: Game, charlie: User, reader: str, size: tuple[int, int]
) -> None:
    page = page_of(User.objects.get(username=reader), viewport={"width": size[0], "height": size[1]})
    page.goto(f"/table/{game.key}/")
    if reader == "alice":
        tap(page, TAKEN[game.title][0])
        is_idle(page)
    page.evaluate("scrollTo(0, 60)")
    page.evaluate(WATCH)
    page.locator(CARD).first.focus()
    found = []
    before = (page.url, picked(page), focused(page), top(page))
    for way in ("a close request", "the link", "a tap beside it"):
        page.locator(CARD).first.press("Enter")
        expect(page.locator("#sheet")).to_be_focused()
        close(page, way)
        found.append((page.url, picked(page), focused(page), top(page)))
    assert found == [before] * 3
    # Escape and Back on Android are the same request to close. The server answers it; the browser closes nothing.
    assert page.evaluate("asked") == ["cancel"]
    assert False not in page.evaluate("drawn")


def test_a_lost_connection_is_told_on_an_open_card(page_of: PageOf, game: Game, charlie: User) -> None:
    page = page_of(charlie, viewport={"width": 360, "height": 740})
    page.goto(f"/table/{game.key}/")
    page.locator(CARD).first.press("Enter")
    expect(page.locator("#sheet")).to_be_focused()
    page.route("**/table/**", lambda route: route.abort())
    told = page.get_by_role("alert").get_by_text("We can’t reach the site")
    # After a few requests the browser closes a dialog without asking.
    for _ in range(4):
        press(page, "Escape")
        expect(told).to_be_in_viewport(ratio=1)
        assert told.evaluate(ON_TOP)
        expect(page.locator(".veil:modal")).to_have_count(1)
    page.unroute("**/table/**")
    page.route("**/table/**", lambda route: route.fulfill(status=404))
    press(page, "Escape")
    page.unroute("**/table/**")
    page.get_by_role("alert").get_by_role("link", name="Reload the table").click()
    expect(page.locator("#sheet")).to_be_focused()
    close(page, "a close request")
    expect(page.locator("#trouble")).to_be_empty()
    assert "card=" not in page.url


def test_the_help_opens_over_a_card(page: Page, game: Game) -> None:
    page.locator(CARD).first.press("Enter")
    expect(page.locator("#sheet")).to_be_focused()
    press(page, "?")
    help_ = page.get_by_role("dialog", name="What is on the table")
    expect(help_).to_be_visible()
    assert help_.evaluate(ON_TOP)
    press(page, "Escape")
    expect(help_).to_be_hidden()
    expect(page.locator("#sheet")).to_be_focused()
    tab_to(page, "^Close$")
    expect(page.get_by_role("tooltip")).to_be_visible()
    close(page, "a close request")


def test_without_script_a_card_closes_too(page_of: PageOf, alice: User, game: Game) -> None:
    page = page_of(alice, java_script_enabled=False)
    page.goto(f"/table/{game.key}/")
    card = page.locator(CARD).first.get_attribute("data-card")
    for way in ("the link", "a tap beside it"):
        page.goto(f"/table/{game.key}/?card={card}")
        expect(page.locator(".sheet")).to_be_visible()
        expect(page.locator(".board[inert]")).to_have_count(1)
        close(page, way)
        assert "card=" not in page.url
