"""Focus, scroll position, address and notices when the region of a table is swapped."""

from itertools import pairwise
from urllib.parse import parse_qs, unquote_plus, urlsplit

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.models import Game
from games.services import play
from tests.browser.keys import (
    ASKED,
    CONFIRM,
    DESK,
    LAST,
    PHONE,
    STAGED,
    PageOf,
    focused,
    notations,
    press,
    slow_down,
    stage,
    top,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("tab", [DESK, PHONE], indirect=True, ids=["desk", "phone"])
def test_staging_keeps_the_focus_and_the_board_in_place(page: Page, game: Game) -> None:
    page.evaluate("scrollTo(0, 60)")
    before = top(page)
    stage(page, game)
    assert (focused(page), top(page)) == (LAST[game.title], before)
    page.locator("[data-row=cards] [data-card^='2-']").first.focus()
    before, card = top(page), focused(page)
    press(page, "Enter")
    assert (focused(page), top(page)) == ("sheet", before)
    press(page, "Escape")
    assert (focused(page), top(page)) == (card, before)
    press(page, "Escape", "Escape", "Escape")
    assert "draft" not in page.url


def test_news_keeps_the_focus_and_the_board_in_place(page_of: PageOf, alice: User, bob: User, game: Game) -> None:
    page = page_of(bob, viewport={"width": 360, "height": 740})
    page.goto(f"/table/{game.key}/")
    still = page.locator("#icon").get_attribute("href") or ""
    press(page, "2", "ArrowRight")
    page.evaluate("scrollTo(0, 150)")
    before = focused(page), top(page)
    assert before[0].startswith("2-")
    play.submit(game, play.Actor(alice), 0, [STAGED[game.title]])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#turn")).to_have_text("Your turn")
    assert (focused(page), top(page)) == before
    assert page.title().startswith("Your turn · ")
    assert page.locator("#icon").get_attribute("href") == still.replace("favicon", "favicon-turn")
    page.reload()
    assert page.locator("#icon").get_attribute("href") == still.replace("favicon", "favicon-turn")


def test_a_change_of_turn_is_announced_once(page: Page, game: Game) -> None:
    script = """() => {
        window.announced = [];
        const turn = document.getElementById("turn");
        const watch = new MutationObserver(() => announced.push(turn.innerText.trim()));
        watch.observe(turn, { childList: true, subtree: true });
    }"""
    page.evaluate(script)
    stage(page, game)
    press(page, CONFIRM)
    assert set(page.evaluate("announced")) == {"bob to move"}


def test_a_slow_site_shows_progress_and_takes_a_decision_once(page: Page, game: Game) -> None:
    stage(page, game)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    slow_down(page, 1500)
    page.keyboard.press(CONFIRM)
    expect(page.locator("[data-key=Enter]")).to_be_disabled()
    assert not page.locator("#working").is_visible()
    expect(page.locator("#working")).to_be_visible()
    page.locator("[data-key=Enter]").evaluate("button => button.form.requestSubmit()")
    page.locator("[data-row=cards] [data-card^='2-']").first.evaluate("link => link.click()")
    expect(page.locator("#turn")).to_have_text("bob to move")
    expect(page.locator("#working")).to_be_hidden()
    assert "card=" not in page.url
    assert (len(posts), notations(game)) == (1, [STAGED[game.title]])


@pytest.mark.parametrize("trouble", ["offline", "answer lost", "server error"])
def test_a_lost_connection_is_reported_and_the_decision_can_be_repeated(page: Page, game: Game, trouble: str) -> None:
    stage(page, game)

    def answer(route: Route) -> None:
        if trouble == "answer lost":
            route.fetch(max_redirects=0)
        if trouble == "server error":
            route.fulfill(status=502, body="Bad gateway")
        else:
            route.abort()

    page.route("**/table/**", answer)
    page.locator("[data-key=Enter]").focus()
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text("can’t reach the site")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.activeElement.dataset.key") == "Enter"
    page.unroute("**/table/**")
    press(page, CONFIRM)
    expect(page.locator("#turn")).to_have_text("bob to move")
    expect(page.locator("#trouble")).to_be_empty()
    assert notations(game) == [STAGED[game.title]]


def test_a_logged_out_reader_is_asked_to_log_in_and_keeps_the_draft(page: Page, game: Game) -> None:
    stage(page, game)
    Session.objects.all().delete()
    press(page, CONFIRM)
    expect(page.get_by_role("alert")).to_contain_text("You’ve been logged out")
    assert notations(game) == []
    with page.expect_navigation():
        page.get_by_role("alert").get_by_role("link", name="Log in").click()
    next_page = parse_qs(urlsplit(page.url).query)["next"][0]
    assert parse_qs(urlsplit(next_page).query) == {"draft": [STAGED[game.title]]}


def test_back_leaves_the_table_and_forward_shows_it_as_it_is_now(tab: Page, game: Game, bob: User) -> None:
    tab.goto("/games/")
    tab.goto(f"/table/{game.key}/")
    steps = tab.evaluate("history.length")
    stage(tab, game)
    press(tab, CONFIRM)
    assert (tab.evaluate("history.length"), urlsplit(tab.url).query) == (steps, "")
    tab.go_back()
    assert urlsplit(tab.url).path == "/games/"
    legal = play.look(game, bob).legal
    play.submit(game, play.Actor(bob), 1, [str(legal[0])])
    tab.go_forward()
    expect(tab.locator("#turn")).to_have_text("Your turn")
    expect(tab.locator("h1")).to_have_count(1)
    expect(tab.locator("#table #table, #trouble ~ #trouble")).to_have_count(0)
    kept = tab.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]")
    assert set(kept) <= {"htmx-current-path-for-history"}


@pytest.mark.parametrize("tab", [DESK, PHONE], indirect=True, ids=["desk", "phone"])
def test_a_stale_confirmation_shows_the_table_and_its_own_address(page: Page, game: Game, alice: User) -> None:
    stage(page, game)
    steps = page.evaluate("history.length")
    other = next(text for text in map(str, play.look(game, alice).legal) if text != STAGED[game.title])
    play.submit(game, play.Actor(alice), 0, [other])
    page.evaluate("scrollTo(0, 400)")
    press(page, CONFIRM)
    expect(page.locator(".notice[role=alert]")).to_contain_text("The game has moved on")
    expect(page.locator(".notice[role=alert]")).to_be_in_viewport(ratio=1)
    assert (page.evaluate("history.length"), urlsplit(page.url).query) == (steps, "")
    assert (focused(page), notations(game)) == (ASKED[game.title], [other])
    page.go_back()
    expect(page.locator(".notice[role=alert]")).to_have_count(0)
    expect(page.locator("[data-key=Enter]")).to_have_count(0)


@pytest.mark.parametrize("tab", [PHONE], indirect=True)
def test_a_refused_decision_keeps_the_draft_and_its_address(page: Page, game: Game) -> None:
    stage(page, game)
    steps, asked = page.evaluate("history.length"), page.locator(f"#{ASKED[game.title]}").inner_text()
    page.locator("#table [name=moves]").evaluate("field => { field.value += ';pass' }")
    press(page, CONFIRM)
    expect(page.locator(".notice")).to_be_in_viewport(ratio=1)
    query = unquote_plus(urlsplit(page.url).query)
    assert (page.evaluate("history.length"), query) == (steps, f"draft={STAGED[game.title]}")
    page.reload()
    assert page.locator(f"#{ASKED[game.title]}").inner_text() == asked
    assert notations(game) == []


def test_headings_have_no_gaps_on_any_face_of_a_table(page: Page, game: Game, alice: User) -> None:
    card = page.locator("[data-row=cards] [data-card^='1-']").first.get_attribute("data-card")
    play.submit(game, play.Actor(alice), 0, [STAGED[game.title]])
    faces = ["", f"?card={card}", "?at=0", "over"]
    levels = {}
    for face in faces:
        if face == "over":
            play.resign(game, alice)
        page.goto(f"/table/{game.key}/{face.removeprefix('over')}")
        found = page.locator("h1, h2, h3, h4").evaluate_all("each => each.map(({ tagName }) => Number(tagName[1]))")
        gaps = [low for high, low in pairwise(found) if low > high + 1]
        levels[face] = (found[0], found.count(1), gaps)
    assert levels == dict.fromkeys(faces, (1, 1, []))


def test_the_first_link_leads_past_the_rail(page: Page) -> None:
    press(page, "Tab", "Enter", "Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
