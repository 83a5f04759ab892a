"""Both titles played with nothing but a keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from games.services import play
from games.services.tables import tables
from tests.browser.keys import CONFIRM, DESK, LONG, PHONE, PageOf, focused, notations, press, slow_down, tab_to
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WHITE, BLUE, BLACK = ([f"1-{colour}-0{number}" for number in range(1, 5)] for colour in ("white", "blue", "black"))
Turns = list[tuple[dict[str, str], list[str], list[str]]]
"""A position, the keys, and the decisions that they make. A word in brackets is a link reached with the Tab key. The
long form adds simpler ways to decisions of the same kinds."""

SPLENDOR: Turns = [
    ({}, ["t", "ArrowRight", "Enter", "u", CONFIRM], ["take uu"]),
    ({"mine": "tokens=wwuuggrrk"}, ["t", "w", "u", "g", "k", "w", CONFIRM], ["take wug", "return wk"]),
    ({"row_2": "2-red-01 2-blue-02"}, ["2", "ArrowRight", "r", CONFIRM], ["reserve 2-blue-02"]),
    ({"mine": "tokens=wwwuuuggrr"}, ["1", "ArrowLeft", "r", CONFIRM, "g", CONFIRM], ["reserve L1", "return g"]),
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
SPLENDOR_LONG: Turns = [
    *SPLENDOR,
    ({}, ["t", "w", "u", "g", CONFIRM], ["take wug"]),
    ({}, ["3", "ArrowLeft", "r", CONFIRM], ["reserve L3"]),
    ({"mine": "tokens=uug", "row_1": "1-red-01"}, ["1", "b", CONFIRM], ["buy 1-red-01 = uug"]),
]
FIRST_ROWS = {"row_1": "1-blue-03 1-wild-01 1-wild-02 1-wild-03 1-wild-04"}
DUEL: Turns = [
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
DUEL_LONG: Turns = [
    *DUEL,
    ({"board": "wug.. ..... ..... ..... ...r."}, ["t", "Enter", "g", "Enter", CONFIRM], ["take a1 a2 a3"]),
    ({"board": "*.... ..... ..... ..... ....."}, ["1", "ArrowLeft", "r", CONFIRM], ["reserve L1 a1"]),
]


@pytest.mark.parametrize(
    ("game", "turns", "size"),
    [
        ("splendor", SPLENDOR, DESK),
        ("duel", DUEL, PHONE),
        *(pytest.param("splendor", SPLENDOR_LONG, size, marks=LONG) for size in (DESK, PHONE)),
        *(pytest.param("duel", DUEL_LONG, size, marks=LONG) for size in (DESK, PHONE)),
    ],
    indirect=["game"],
)
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


def test_the_help_explains_the_board_and_turns_keys_off(page: Page, game: Game) -> None:
    help_ = page.get_by_role("dialog", name="What is on the table")
    press(page, "?")
    expect(help_).to_be_visible()
    assert focused(page) == "help-title"
    expect(help_.get_by_text("pays for any colour")).to_be_visible()
    expect(help_.get_by_role("link", name="Back to the table")).to_be_hidden()
    rules = help_.get_by_role("link", name="Reserving")
    expect(rules).to_have_attribute("href", f"/rules/{game.title}/#reserve")
    help_.get_by_role("checkbox", name="Keyboard shortcuts on").focus()
    press(page, "Space", "Escape", "2")
    expect(help_).to_be_hidden()
    expect(page.locator("body")).to_be_focused()
    page.reload()
    press(page, "2", "t", "?")
    assert focused(page) == "BODY"
    page.locator("#board a[href*='card=']:visible").first.press("Enter")
    expect(page.locator("#sheet")).to_be_focused()
    press(page, "Escape")
    expect(page.locator("#sheet")).to_have_count(0)

    page.reload()
    tab_to(page, "Help$")
    press(page, "Enter")
    expect(help_).to_be_visible()
    help_.get_by_role("checkbox", name="Keyboard shortcuts on").focus()
    press(page, "Space", "Escape", "2")
    assert focused(page).startswith("2-")


def test_the_help_is_fetched_once(page: Page, game: Game) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "/help/" in request.url else None)
    for _ in range(2):
        press(page, "?")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.get_by_role("button", name="Close").click()
        expect(page.get_by_role("dialog")).to_be_hidden()
    assert len(fetched) == 1


def test_the_help_is_a_page_if_its_styles_do_not_come(page: Page, game: Game) -> None:
    page.route("**/help*.css", lambda route: route.abort())
    press(page, "?")
    page.wait_for_url(f"**/help/{game.title}/**")
    page.unroute("**/help*.css")
    page.go_back()
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_keys_do_nothing_behind_an_open_card(page: Page, game: Game) -> None:
    page.locator("[data-row=cards] [data-card^='2-']").first.press("Enter")
    expect(page.locator("#sheet")).to_be_focused()
    here = page.url
    press(page, "t", "w", "u", "g", "2", "1")
    assert (page.url, focused(page)) == (here, "sheet")


def test_keys_stay_out_of_fields_and_of_other_shortcuts(page: Page, game: Game, alice: User, bob: User) -> None:
    press(page, "Alt+2", "Meta+t", "Control+2")
    assert focused(page) == "BODY"
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<textarea id=note></textarea>')")
    page.locator("#note").focus()
    press(page, "t", "2", "?")
    assert (focused(page), page.locator("#note").input_value()) == ("note", "t2?")


def test_without_script_the_help_is_a_page_without_keys(page_of: PageOf, alice: User, game: Game) -> None:
    page = page_of(alice, java_script_enabled=False)
    page.goto(f"/table/{game.key}/")
    expect(page.locator("#working")).to_be_hidden()
    expect(page.get_by_text("can’t reach the site")).to_be_hidden()
    page.get_by_role("link", name="Help", exact=True).click()
    expect(page.get_by_role("heading", name="What is on the table")).to_be_visible()
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_hidden()
    expect(page.get_by_role("button", name="Close")).to_be_hidden()
    page.get_by_role("link", name="Back to the table").click()
    expect(page).to_have_url(re.compile(f"/table/{game.key}/$"))


def test_a_touch_screen_has_the_help_without_keys(page_of: PageOf, alice: User, game: Game) -> None:
    page = page_of(alice, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.goto(f"/table/{game.key}/")
    page.get_by_role("link", name="Help", exact=True).tap()
    expect(page.get_by_role("dialog", name="What is on the table")).to_be_visible()
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_attached()
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_hidden()
    # A touch screen can have a keyboard.
    expect(page.get_by_role("checkbox", name="Keyboard shortcuts on")).to_be_visible()
    assert page.evaluate("document.querySelector('#help').scrollWidth <= innerWidth")


def test_arrows_look_back_where_no_card_has_the_focus(page_of: PageOf, alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 2))
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


def test_keys_typed_during_a_request_wait_for_its_answer(page: Page, game: Game) -> None:
    slow_down(page, 300)
    lay_keys = {"splendor": ["t", "w", "u", "g"], "duel": ["1", "r", CONFIRM]}[game.title]
    for key in (*lay_keys, CONFIRM):
        page.keyboard.press(key)
    expect(page.locator("#turn")).to_have_text("bob to move")
    assert len(notations(game)) == 1


def test_n_leads_to_the_next_table(page: Page) -> None:
    page.keyboard.press("n")
    page.wait_for_url("**/games/")
