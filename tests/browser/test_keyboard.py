"""Both titles played with nothing but a keyboard."""

import re
from itertools import pairwise
from urllib.parse import unquote_plus, urlsplit

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.models import Game
from games.services import play, tables
from tests.browser.conftest import PageOf
from tests.browser.positions import lay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESK, PHONE = (1366, 768), (360, 740)
CONFIRM = "Control+Enter"
WHITE, BLUE, BLACK = ([f"1-{colour}-0{number}" for number in range(1, 5)] for colour in ("white", "blue", "black"))
Turns = list[tuple[dict[str, str], list[str], list[str]]]
"""The position, the keys, and the decisions that they make. A word in brackets is a link to which the tabulator
leads."""

SPLENDOR: Turns = [
    ({}, ["t", "w", "u", "g", CONFIRM], ["take wug"]),
    ({}, ["t", "ArrowRight", "Enter", "u", CONFIRM], ["take uu"]),
    ({"mine": "tokens=wwuuggrrk"}, ["t", "w", "u", "g", "k", "w", CONFIRM], ["take wug", "return wk"]),
    ({"row_2": "2-red-01 2-blue-02"}, ["2", "ArrowRight", "r", CONFIRM], ["reserve 2-blue-02"]),
    ({}, ["3", "ArrowLeft", "r", CONFIRM], ["reserve L3"]),
    ({"mine": "tokens=wwwuuuggrr"}, ["1", "ArrowLeft", "r", CONFIRM, "g", CONFIRM], ["reserve L1", "return g"]),
    ({"mine": "tokens=uug", "row_1": "1-red-01"}, ["1", "b", CONFIRM], ["buy 1-red-01 = uug"]),
    (
        {"mine": "tokens=uuu**", "row_1": "1-red-01"},
        ["1", "b", "[Change payment]", "Enter", "[2 gold]", "Enter", CONFIRM],
        ["buy 1-red-01 = u**"],
    ),
    (
        {"mine": "tokens=uuuggg reserved=1-white-02"},
        ["1", "ArrowDown", "Enter", "b", CONFIRM],
        ["buy 1-white-02 = uuu"],
    ),
    (
        {
            "mine": "cards=" + ",".join([*WHITE[:3], *BLUE, *BLACK]),
            "nobles": "4w4u 4w4k 4u4g",
            "row_1": "1-white-04 1-white-05 1-white-06 1-white-07",
        },
        ["1", "b", CONFIRM, "t", "ArrowRight", "Enter", CONFIRM],
        ["buy 1-white-04 = -", "noble 4w4k"],
    ),
]
FIRST_ROWS = {"row_1": "1-blue-03 1-wild-01 1-wild-02 1-wild-03 1-wild-04"}
DUEL: Turns = [
    ({"board": "wug.. ..... ..... ..... ...r."}, ["t", "Enter", "g", "Enter", CONFIRM], ["take a1 a2 a3"]),
    (
        {"board": "w.... .u... ..g.. ..... ....."},
        ["t", "ArrowDown", "ArrowUp", "Enter", "t", "ArrowDown", "ArrowDown", "Enter", CONFIRM],
        ["take a1 b2 c3"],
    ),
    (
        {"mine": "privileges=1", "board": "w..u. ..... ..... ..... ....."},
        ["[^Privilege$]", "Enter", "u", "Enter", "w", "Enter", CONFIRM],
        ["privilege a4", "take a1"],
    ),
    ({"board": "w.... ..... ..... ..... ....."}, ["[^Replenish$]", "Enter", CONFIRM], ["replenish"]),
    (
        {"row_2": "2-white-01 2-white-02", "board": "*...* ..... ..... ..... ....."},
        ["2", "ArrowRight", "r", "*", "*", "Enter", CONFIRM],
        ["reserve 2-white-02 a5"],
    ),
    ({"board": "*.... ..... ..... ..... ....."}, ["1", "ArrowLeft", "r", CONFIRM], ["reserve L1 a1"]),
    (
        {"mine": "tokens=rp** cards=2-green-01,1-red-02", "board": "w.... ..... ..... ..... .....", **FIRST_ROWS},
        ["1", "b", "[Change payment]", "Enter", "[1 ruby.*1 gold]", "Enter", CONFIRM],
        ["buy 1-blue-03 = r*"],
    ),
    (
        {
            "mine": "tokens=ggkkkp cards=1-black-02,1-red-02,1-none-01",
            "row_1": "1-wild-02 1-red-05",
            "board": "w.... ..... ..... ..... .....",
        },
        ["1", "b", CONFIRM, "k", CONFIRM],
        ["buy 1-wild-02 = kkkp", "attach k"],
    ),
    (
        {"mine": "tokens=rrkk", "row_1": "1-white-01", "board": "w.... ..g.. ..... ..... ....w"},
        ["1", "b", CONFIRM, "w", "w", "Enter", CONFIRM],
        ["buy 1-white-01 = rrkk", "match e5"],
    ),
    (
        {"mine": "tokens=uuuurrr", "theirs": "tokens=wgp**", "row_2": "2-white-01"},
        ["2", "b", CONFIRM, "p", CONFIRM],
        ["buy 2-white-01 = uuuurrr", "steal p"],
    ),
    (
        {"mine": "tokens=uuuggg cards=1-white-02,2-wild-01/w", "row_1": "1-white-04", "board": "kw" + "." * 23},
        ["1", "b", CONFIRM, "[points only]", "Enter", CONFIRM],
        ["buy 1-white-04 = uuu", "royal prestige"],
    ),
    (
        {"mine": "tokens=wwwwuuuggk", "board": "kr... ..... ..... ..... ....."},
        ["t", "Enter", "r", "Enter", CONFIRM, "w", "w", CONFIRM],
        ["take a1 a2", "return ww"],
    ),
    (
        {"mine": "tokens=rp** cards=2-green-01,1-red-02 reserved=1-blue-03", "board": "w" + "." * 24},
        ["1", "ArrowDown", "Enter", "b", CONFIRM],
        ["buy 1-blue-03 = rp"],
    ),
]


@pytest.fixture(params=["splendor", "duel"])
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """Alice and Bob, of whom Alice is to act."""
    game = tables.create(alice, tables.Plan(request.param, 2))
    tables.join(game, bob)
    lay(game, alice, **({} if request.param == "splendor" else {"board": "wugrk ww.*. ..... ..... ....."}))
    return game


def is_idle(page: Page) -> None:
    expect(page.locator("#working")).not_to_have_class("working htmx-request")


def tab_to(page: Page, words: str) -> None:
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("words => new RegExp(words).test(document.activeElement.innerText.trim())", words):
            return
    pytest.fail(f"no way to {words}")


def press(page: Page, *keys: str) -> None:
    """One key after the other, each when the answer to the one before is there."""
    for key in keys:
        if key.startswith("["):
            tab_to(page, key[1:-1])
        else:
            page.keyboard.press(key)
        is_idle(page)


def focused(page: Page) -> str:
    """The id of the element that has the focus, or where it leads."""
    script = "(({ id, attributes: { href }, tagName }) => id || href?.value || tagName)(document.activeElement)"
    return str(page.evaluate(script))


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(("game", "turns"), [("splendor", SPLENDOR), ("duel", DUEL)], indirect=["game"])
def test_every_kind_of_decision_is_made_with_keys(
    page_of: PageOf, alice: User, game: Game, turns: Turns, size: tuple[int, int]
) -> None:
    page = page_of(alice, viewport={"width": size[0], "height": size[1]})
    played = []
    for position, keys, _moves in turns:
        lay(game, alice, **position)
        page.goto(f"/table/{game.key}/")
        press(page, *keys)
        played.append([move.notation for move in game.move_set.order_by("number")])
    assert played == [moves for _position, _keys, moves in turns]


@pytest.fixture
def page(request: pytest.FixtureRequest, page_of: PageOf, alice: User, game: Game) -> Page:
    """Alice at her table, at a desk if not told otherwise."""
    width, height = getattr(request, "param", DESK)
    page = page_of(alice, viewport={"width": width, "height": height})
    page.goto(f"/table/{game.key}/")
    return page


def stage(page: Page, game: Game) -> None:
    """Three tokens, to be confirmed."""
    keys = {"splendor": ["t", "w", "u", "g"], "duel": ["t", "Enter", "g", "Enter"]}
    press(page, *keys[game.title])


STAGED = {"splendor": "take wug", "duel": "take a1 a2 a3"}
ASKED = {"splendor": "decision", "duel": "asked"}


def notations(game: Game) -> list[str]:
    return [move.notation for move in game.move_set.order_by("number")]


def top(page: Page) -> int:
    """Where the board begins in the window."""
    place: float = page.evaluate("document.querySelector('.board').getBoundingClientRect().top")
    return round(place / 2)


@pytest.mark.parametrize("page", [DESK, PHONE], indirect=True, ids=["desk", "phone"])
def test_focus_goes_to_what_is_asked_next_and_the_board_stays_where_it_is(page: Page, game: Game) -> None:
    page.evaluate("scrollTo(0, 60)")
    before = top(page)
    stage(page, game)
    assert (focused(page), top(page)) == (ASKED[game.title], before)
    page.locator("[data-row=cards] [data-card^='2-']").first.focus()
    before = top(page)
    press(page, "Enter")
    assert (focused(page), top(page)) == ("sheet", before)
    press(page, "Escape")
    assert (focused(page), top(page)) == (ASKED[game.title], before)
    press(page, "Escape", "Escape", "Escape")
    assert "draft" not in page.url


def test_news_leave_focus_and_board_where_they_are(page_of: PageOf, alice: User, bob: User, game: Game) -> None:
    page = page_of(bob, viewport={"width": 360, "height": 740})
    page.goto(f"/table/{game.key}/")
    still = page.locator("#icon").get_attribute("href") or ""
    press(page, "2", "ArrowRight")
    page.evaluate("scrollTo(0, 150)")
    before = focused(page), top(page)
    assert before[0].startswith("?card=2-")
    play.submit(game, play.Actor(alice), 0, [STAGED[game.title]])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#turn")).to_have_text("Your turn")
    assert (focused(page), top(page)) == before
    assert page.title().startswith("Your turn · ")
    assert page.locator("#icon").get_attribute("href") == still.replace("favicon", "favicon-turn")
    page.reload()
    assert page.locator("#icon").get_attribute("href") == still.replace("favicon", "favicon-turn")


def test_whose_turn_it_is_gets_announced_once(page: Page, game: Game) -> None:
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


def test_keys_are_explained_and_turned_off(page: Page, game: Game) -> None:
    keys = page.get_by_role("dialog", name="Keys")
    press(page, "?")
    expect(keys).to_be_visible()
    tab_to(page, "^$")
    assert focused(page) == "keys-on"
    press(page, "Space", "Escape", "2")
    expect(keys).to_be_hidden()
    assert focused(page) == "BODY"
    page.reload()
    press(page, "2", "t", "?")
    assert focused(page) == "BODY"

    tab_to(page, "Keys")
    press(page, "Enter")
    tab_to(page, "^$")
    press(page, "Space", "Escape", "2")
    assert focused(page).startswith("?card=2-")


def test_keys_stay_out_of_fields_and_of_other_shortcuts(page: Page, game: Game, alice: User, bob: User) -> None:
    press(page, "Alt+2", "Meta+t", "Control+2")
    assert focused(page) == "BODY"
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<textarea id=note></textarea>')")
    page.locator("#note").focus()
    press(page, "t", "2", "?")
    assert (focused(page), page.locator("#note").input_value()) == ("note", "t2?")


def test_without_script_there_are_no_keys_and_no_help(page_of: PageOf, alice: User, game: Game) -> None:
    page = page_of(alice, java_script_enabled=False)
    page.goto(f"/table/{game.key}/")
    for name in ("#keys", "#keys-open", "#working"):
        expect(page.locator(name)).to_be_hidden()
    expect(page.get_by_text("cannot be reached")).to_be_hidden()


def test_arrows_look_back_where_no_card_has_the_focus(page_of: PageOf, alice: User, bob: User) -> None:
    game = tables.create(alice, tables.Plan("splendor", 2))
    tables.join(game, bob)
    for number in range(3):
        user = game.seat_set.get(index=game.to_act).user
        assert user is not None
        play.submit(game, play.Actor(user), number, ["take wug"])
    page = page_of(alice)
    page.goto(f"/table/{game.key}/?at=2")
    press(page, "ArrowLeft", "ArrowLeft")
    assert page.url.endswith("?at=0")
    press(page, "ArrowRight", "2", "ArrowRight")
    assert (page.url.endswith("?at=1"), "2-" in focused(page)) == (True, True)
    tab_to(page, "^Forward$")
    press(page, "Enter")
    assert (page.url.endswith("?at=2"), focused(page)) == (True, "step-on")
    page.locator("#at").focus()
    press(page, "ArrowLeft")
    assert (page.url.endswith("?at=1"), focused(page)) == (True, "at")
    expect(page).not_to_have_title(re.compile("Your turn"))


def slow_down(page: Page, milliseconds: int) -> None:
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    conditions = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", conditions)


def test_what_is_typed_while_an_answer_is_awaited_waits_for_it(page: Page, game: Game) -> None:
    slow_down(page, 300)
    lay_keys = {"splendor": ["t", "w", "u", "g"], "duel": ["1", "r", CONFIRM]}[game.title]
    for key in (*lay_keys, CONFIRM):
        page.keyboard.press(key)
    expect(page.locator("#turn")).to_have_text("bob to move")
    assert len(notations(game)) == 1


def test_a_slow_site_shows_that_it_works_and_takes_a_decision_once(page: Page, game: Game) -> None:
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
def test_a_lost_connection_is_told_and_the_decision_can_be_tried_again(page: Page, game: Game, trouble: str) -> None:
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
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.activeElement.dataset.key") == "Enter"
    page.unroute("**/table/**")
    press(page, CONFIRM)
    expect(page.locator("#turn")).to_have_text("bob to move")
    expect(page.locator("#trouble")).to_be_empty()
    assert notations(game) == [STAGED[game.title]]


def test_who_is_logged_out_is_told_to_load_the_table_again(page: Page, game: Game) -> None:
    stage(page, game)
    Session.objects.all().delete()
    press(page, CONFIRM)
    expect(page.get_by_role("alert")).to_contain_text("did not take that")
    assert notations(game) == []


def test_back_shows_the_table_as_it_is_now(page: Page, game: Game, bob: User) -> None:
    stage(page, game)
    steps = page.evaluate("history.length")
    press(page, CONFIRM)
    assert (page.evaluate("history.length"), urlsplit(page.url).query) == (steps + 1, "")
    legal = play.look(game, bob).legal
    play.submit(game, play.Actor(bob), 1, [str(legal[0])])
    page.go_back()
    expect(page.locator("#turn")).to_have_text("Your turn")
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("#table #table, #trouble ~ #trouble")).to_have_count(0)
    assert "draft=" in page.url
    assert focused(page) == ASKED[game.title]
    # What is staged there is about the table of now, or there is nothing to confirm.
    assert set(page.locator("#table [name=number]").evaluate_all("fields => fields.map(field => field.value)")) <= {"2"}
    page.go_forward()
    expect(page.locator("#table [name=number]")).to_have_count(0)
    kept = page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]")
    assert kept == ["htmx-current-path-for-history"]


@pytest.mark.parametrize("page", [DESK, PHONE], indirect=True, ids=["desk", "phone"])
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


@pytest.mark.parametrize("page", [PHONE], indirect=True)
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


def test_n_leads_to_the_tables_that_wait(page: Page) -> None:
    page.keyboard.press("n")
    page.wait_for_url("**/games/")
