"""Decisions are staged the moment they are tapped, however slow the network is."""

import re
from collections.abc import Callable
from urllib.parse import quote_plus, urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from tests.browser.keys import (
    DESK,
    LONG,
    SIZES,
    STAGED,
    TAKEN,
    PageOf,
    arrival,
    deployed,
    held,
    is_idle,
    notations,
    picked,
    slow_down,
    tap,
)
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OTHER = {"splendor": "take ugr", "duel": "take a3 a4 a5"}
"""Another legal decision."""


@pytest.fixture
def requests(page: Page) -> Callable[[], list[str]]:
    """The requests for this table since the first one for a draft; there may be polls before it."""
    seen: list[str] = []
    page.on("request", lambda request: seen.append(f"{request.method} {request.url}"))

    def since() -> list[str]:
        lines = [line for line in seen if "/table/" in line]
        drafts = (place for place, line in enumerate(lines) if "draft=" in line)
        return lines[next(drafts, len(lines)) :]

    return since


@pytest.mark.parametrize(
    ("way", "begin", "moved"),
    [("mouse", "mousedown", 0), ("mouse", "mousedown", 60), ("finger", "touchstart", 0)],
    ids=["mouse", "mouse-moved", "finger"],
)
def test_a_tap_counts_if_the_table_is_drawn_anew_while_it_is_pressed(
    page_of: PageOf, game: Game, alice: User, way: str, begin: str, moved: int
) -> None:
    """Also if it is drawn elsewhere by that number of pixels."""
    page = page_of(alice, viewport={"width": DESK[0], "height": DESK[1]}, has_touch=True)
    page.goto(f"/table/{game.key}/")
    first, second, third = TAKEN[game.title]
    for tapped, pressed, expected in (
        (first, page.locator(f'#board [data-touch="{second}"]'), [first, second]),
        (third, page.get_by_role("link", name="Clear", exact=True), []),
    ):
        with held(page) as requests:
            tap(page, tapped)
            # Drawn by the event itself: a finger that stayed for half a second would not tap.
            page.evaluate(
                """([begin, html, moved]) => {
                    const draw = () => {
                        htmx.swap("#table", html, { swapStyle: "outerHTML" });
                        document.body.style.paddingTop = `${moved}px`;
                    };
                    document.getElementById("table").dataset.old = "";
                    addEventListener(begin, draw, { once: true });
                }""",
                [begin, arrival(page, requests).fetch().text(), moved],
            )
            if way == "mouse":
                pressed.click()
            else:
                pressed.tap()
            assert page.locator("#table[data-old]").count() == 0
            # The browser makes a click of a tap after a while.
            expect(page.locator("#board .is-picked[data-touch]")).to_have_count(len(expected))
        is_idle(page)
        assert picked(page) == expected


def test_a_press_counts_for_a_token_to_return_if_the_bank_has_one_of_that_name(
    tab: Page, game: Game, alice: User
) -> None:
    board = {"splendor": {}, "duel": {"board": "wugrk u.... g.... ..... ....."}}
    lay(game, alice, mine="tokens=wwuuggrr*", **board[game.title])
    tab.goto(f"/table/{game.key}/?draft={STAGED[game.title]};")
    tab.evaluate(
        """html => addEventListener(
            "mousedown", () => htmx.swap("#table", html, { swapStyle: "outerHTML" }), { once: true })""",
        tab.locator("#table").evaluate("table => table.outerHTML"),
    )
    tab.locator(".back-pick [data-touch=u]").click()
    expect(tab.locator(".back-pick .is-picked[data-touch=u]")).to_have_count(1)
    is_idle(tab)


@SIZES
def test_three_taps_during_one_request_stage_three_tokens(
    page: Page, game: Game, requests: Callable[[], list[str]]
) -> None:
    steps = page.evaluate("history.length")
    with held(page):
        tap(page, *TAKEN[game.title])
        assert picked(page) == TAKEN[game.title]
        confirm = page.locator("[data-key=Enter]:visible")
        assert confirm.inner_text().startswith("Take ")
        assert len(requests()) == 1
        confirm.click()
    expect(page.locator("#turn")).to_have_text("bob to move")
    assert notations(game) == [STAGED[game.title]]
    assert [line.split(" ")[0] for line in requests()] == ["GET", "POST"], requests()
    assert page.evaluate("history.length") == steps


@SIZES
def test_the_answer_for_the_newest_draft_is_shown_and_older_ones_are_not(
    page: Page, game: Game, requests: Callable[[], list[str]]
) -> None:
    with held(page):
        tap(page, *TAKEN[game.title])
    expect(page.locator("#board .decision:not(.is-staging) [data-key=Enter]").first).to_be_visible()
    assert picked(page) == TAKEN[game.title]
    assert len(requests()) == 2


@SIZES
def test_a_returned_token_looks_staged_at_once_and_in_the_answer(tab: Page, game: Game, alice: User) -> None:
    board = {"splendor": {}, "duel": {"board": "wugrk u.... g.... ..... ....."}}
    lay(game, alice, mine="tokens=wwuuggrr*", **board[game.title])
    tab.goto(f"/table/{game.key}/")
    tap(tab, *TAKEN[game.title])
    expect(tab.locator(".back-pick")).to_be_visible()
    slow_down(tab, 800)
    token = tab.locator(".back-pick [data-touch]").first
    token.click()
    for _drawn_by in ("script", "server"):
        expect(token).to_have_class("give is-picked")
        expect(token.locator(".pick")).to_have_text(re.compile(r"\S1"))
        is_idle(tab)


def test_back_leaves_the_table_whatever_was_staged(tab: Page, game: Game) -> None:
    tab.goto("/games/")
    tab.get_by_role("link", name="Move").first.click()
    tab.wait_for_url("**/table/**")
    tap(tab, *TAKEN[game.title])
    is_idle(tab)
    tab.locator("[data-row=cards] [data-card]").first.click()
    tab.go_back()
    assert urlsplit(tab.url).path == "/games/"


def test_undo_takes_the_last_token_back_and_clear_all(page: Page, game: Game) -> None:
    slow_down(page, 800)
    names = TAKEN[game.title]
    tap(page, *names)
    page.get_by_role("link", name="Undo").click()
    assert picked(page) == names[:2]
    page.get_by_role("link", name="Clear").click()
    assert picked(page) == []
    assert "draft" not in page.url
    expect(page.locator("[data-acts]")).to_have_count(0)


@SIZES
@pytest.mark.parametrize("cleared", [True, False])
def test_a_card_opened_before_the_answer_has_the_newest_draft(page: Page, game: Game, cleared: bool) -> None:
    names = TAKEN[game.title]
    tap(page, *names)
    is_idle(page)
    with held(page):
        page.get_by_role("link", name="Clear" if cleared else "Undo", exact=True).click()
        page.locator("[data-row=cards] [href*='card=']").first.click(position={"x": 9, "y": 9})
    expect(page.get_by_role("dialog")).to_be_visible()
    is_idle(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("dialog").get_by_role("link", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert picked(page) == ([] if cleared else names[:2])


@SIZES
def test_closing_a_card_keeps_tokens_that_do_not_make_a_choice_yet(page: Page, game: Game) -> None:
    first, second, third = TAKEN[game.title]
    tap(page, first, second)
    is_idle(page)
    page.locator("[data-row=cards] [href*='card=']").first.click(position={"x": 9, "y": 9})
    expect(page.get_by_role("dialog")).to_be_visible()
    is_idle(page)
    with held(page):
        page.get_by_role("dialog").get_by_role("link", name="Close").click()
        assert picked(page) == [first, second]
        tap(page, third)
        assert picked(page) == [first, second, third]
    is_idle(page)
    assert picked(page) == [first, second, third]


@pytest.mark.parametrize("game", ["splendor"], indirect=True)
def test_a_purchase_is_two_clicks_and_its_payment_follows_quick_taps(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, mine="tokens=uuu**", row_1="1-red-01")
    tab.goto(f"/table/{game.key}/")
    tab.locator("[data-card='1-red-01'][data-key=b]").click()
    is_idle(tab)
    slow_down(tab, 800)
    tab.evaluate("document.querySelectorAll('[data-less=u]').forEach(link => { link.click(); link.click() })")
    tab.locator("[data-key=Enter]:visible").click()
    expect(tab.locator("#turn")).to_have_text("bob to move")
    assert notations(game) == ["buy 1-red-01 = u**"]


def test_a_draft_waits_while_the_board_shows_the_prices_of_another_player(page: Page, game: Game) -> None:
    tap(page, *TAKEN[game.title])
    is_idle(page)
    steps = page.evaluate("history.length")
    control = page.get_by_role("navigation", name="Prices for")
    control.get_by_role("link", name="bob").click()
    expect(page.get_by_role("heading", name="Prices for bob")).to_be_focused()
    assert page.locator("[data-touch], [data-acts], form[method=post]:visible").count() == 0
    page.get_by_role("link", name="Back to your prices").click()
    expect(page.get_by_role("link", name="Undo")).to_be_visible()
    assert picked(page) == TAKEN[game.title]
    page.locator("[data-key=Enter]:visible").click()
    expect(page.locator("#turn")).to_have_text("bob to move")
    assert notations(game) == [STAGED[game.title]]
    assert page.evaluate("history.length") == steps


@pytest.mark.parametrize("game", ["duel"], indirect=True)
def test_a_space_tapped_right_after_privilege_is_taken_with_it(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, mine="privileges=1", board="w..u. ..... ..... ..... .....")
    tab.goto(f"/table/{game.key}/")
    slow_down(tab, 800)
    tab.get_by_role("link", name="Privilege", exact=True).click()
    tap(tab, "a4")
    expect(tab.get_by_role("button", name="Play only this for now: Use a privilege for 1 sapphire")).to_be_visible()


@pytest.mark.parametrize("game", ["duel"], indirect=True)
def test_replenish_follows_what_is_staged_and_not_what_the_board_shows(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, mine="privileges=1", board="w..u. ..... ..... ..... .....")
    tab.goto(f"/table/{game.key}/")
    replenish = tab.get_by_role("link", name=re.compile("^Replenish"))
    with held(tab):
        tab.get_by_role("link", name="Privilege", exact=True).click()
        tap(tab, "a4")
        replenish.click()
    expect(tab.get_by_role("button", name="Use a privilege for 1 sapphire → Replenish the board")).to_be_visible()
    tab.goto(f"/table/{game.key}/?draft=privilege a4;")
    with held(tab):
        tab.get_by_role("link", name="Clear").click()
        replenish.click()
    expect(tab.get_by_role("button", name="Replenish the board", exact=True)).to_be_visible()


@pytest.mark.parametrize("game", ["splendor"], indirect=True)
def test_taps_beyond_the_choices_wait_for_the_next_answer(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, mine="tokens=wwuuggrrk")
    tab.goto(f"/table/{game.key}/")
    slow_down(tab, 300)
    tap(tab, "w", "u", "g", "k", "w")
    tab.locator("[data-key=Enter]:visible").click()
    expect(tab.locator("#turn")).to_have_text("bob to move")
    assert notations(game) == ["take wug", "return wk"]


@pytest.mark.parametrize("game", ["splendor", pytest.param("duel", marks=LONG)], indirect=True)
@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ("the table ends", "You win"),
        ("another tab confirms", "The game has moved on"),
        ("a bot gets the seat", "A bot has your seat"),
        ("the session ends", "You’ve been logged out. Your choice is kept."),
        ("a deploy", "The site has been updated. Your choice is kept."),
        ("the network goes away", "We can’t reach the site"),
    ],
)
def test_what_happens_meanwhile_is_told_in_a_sentence(
    page: Page, game: Game, alice: User, bob: User, event: str, sentence: str
) -> None:
    first, second, third = TAKEN[game.title]
    tap(page, first)
    is_idle(page)
    match event:
        case "the table ends":
            play.resign(game, bob)
        case "another tab confirms":
            play.submit(game, play.Actor(alice), 0, [OTHER[game.title]])
        case "a bot gets the seat":
            Seat.objects.filter(game=game, user=alice).update(caretaker="medium", absent_since=timezone.now())
        case "the session ends":
            Session.objects.all().delete()
        case "a deploy":
            page.route("**/*draft=*", deployed)
        case "the network goes away":
            page.context.set_offline(True)
    tap(page, second)
    expect(page.get_by_text(sentence).first).to_be_in_viewport()
    assert page.locator(".notice").count() <= 1
    if "kept" in sentence:
        href = page.locator("#trouble a").get_attribute("href") or ""
        draft = {"splendor": "draft=take+wu", "duel": "draft=take+a1+a2"}[game.title]
        assert href.endswith(quote_plus(draft) if "login" in href else draft)
    if event in ("a deploy", "the network goes away"):
        page.context.set_offline(False)
        tap(page, third)
        page.locator("[data-key=Enter]:visible").click()
        expect(page.locator("#turn")).to_have_text("bob to move")
