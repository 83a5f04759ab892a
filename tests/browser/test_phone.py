"""Every kind of decision of both titles on a phone, with taps only; the long form plays ten turns or more."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.services.tables import tables
from tests.browser.keys import LONG, PageOf, is_idle
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WIDTH, HEIGHT = 360, 740
VIEW = {"width": WIDTH, "height": HEIGHT}
PHONE: dict[str, Any] = {"viewport": VIEW, "is_mobile": True, "has_touch": True, "reduced_motion": "reduce"}
THUMB, LEAST = 44, 24
"""The minimum size of a target in pixels, in its longer and in its shorter direction."""
CONFIRM = re.compile(r"^(Take |Return |Buy |Reserve |Welcome |Pass|Steal |Join |Replenish |Use )")
Turn = tuple[dict[str, str], list[str], list[str]]
"""A position, the beginnings of the names of the tapped controls (`!` is the confirmation), and the resulting moves."""
NOBLES = {
    "mine": "cards=1-white-01,1-white-02,1-white-03,1-blue-01,1-blue-02,1-blue-03,1-blue-04,"
    "1-black-01,1-black-02,1-black-03,1-black-04",
    "nobles": "4w4u 4w4k 4u4g",
    "row_1": "1-white-04",
}
SPLENDOR: list[Turn] = [
    ({}, ["1 ruby", "1 ruby", "!"], ["take rr"]),
    (
        {"mine": "tokens=wwuuggrrkk"},
        ["1 diamond", "1 sapphire", "1 emerald", *["Return 1 ruby"] * 2, "Return 1 onyx", "!"],
        ["take wug", "return rrk"],
    ),
    ({"row_2": "2-red-01"}, ["T2-1, ", "Reserve it, take 1 gold", "!"], ["reserve 2-red-01"]),
    (
        {"mine": "tokens=wwuuggrrkk"},
        ["reserve blind the top card of the level 1 deck", "!", "Return 1 diamond", "!"],
        ["reserve L1", "return w"],
    ),
    (
        {"mine": "tokens=uuu**", "row_1": "1-red-01"},
        ["T1-1, ", "Buy it for", "Change payment", "1 sapphire and 2 gold", "!"],
        ["buy 1-red-01 = u**"],
    ),
    ({"mine": "tokens=uuu reserved=1-white-02"}, ["Reserved, ", "!"], ["buy 1-white-02 = uuu"]),
    (NOBLES, ["T1-1, ", "Buy it for free", "!", ".*Isabella", "!"], ["buy 1-white-04 = -", "noble 4w4k"]),
]
SPLENDOR_LONG = [
    *SPLENDOR,
    ({}, ["1 diamond", "1 sapphire", "1 emerald", "!"], ["take wug"]),
    ({"mine": "tokens=uug", "row_1": "1-red-01"}, ["T1-1, ", "Buy it for", "!"], ["buy 1-red-01 = uug"]),
    ({"mine": "tokens=wwwwuuu", "theirs": "tokens=uggggrrr"}, ["1 ruby", "1 onyx", "!"], ["take rk"]),
]
ROYALS = "tokens=uuuggg cards=1-white-02,2-wild-01/w"
DUEL: list[Turn] = [
    ({"board": "w.... ..... ..... ..... ....."}, ["Replenish", "!"], ["replenish"]),
    (
        {"mine": "privileges=1", "board": "w..u. ..... ..... ..... ....."},
        ["Privilege", "a4, ", "a1, ", "!"],
        ["privilege a4", "take a1"],
    ),
    (
        {"row_2": "2-white-01 2-white-02", "board": "*...* ..... ..... ..... ....."},
        ["T2-2, ", "Reserve it", "a5, ", "!"],
        ["reserve 2-white-02 a5"],
    ),
    (
        {"mine": "tokens=rp** cards=2-green-01,1-red-02", "row_1": "1-blue-03", "board": "w" + "." * 24},
        ["T1-1, ", "Buy it for", "Change payment", "1 ruby and 1 gold", "!"],
        ["buy 1-blue-03 = r*"],
    ),
    (
        {"mine": "tokens=kkkkp cards=1-black-02,1-red-02", "row_1": "1-wild-02", "board": "w" + "." * 24},
        ["T1-1, ", "Buy it for", "black, bonus", "!"],
        ["buy 1-wild-02 = kkkp", "attach k"],
    ),
    (
        {"mine": "tokens=rrkk", "row_1": "1-white-01", "board": "w.... ..g.. ..... ..... ....w"},
        ["T1-1, ", "Buy it for", "e5, ", "!"],
        ["buy 1-white-01 = rrkk", "match e5"],
    ),
    (
        {"mine": ROYALS, "theirs": "tokens=gk*", "row_1": "1-white-04", "board": "w" + "." * 24},
        ["T1-1, ", "Buy it for", "take the royal card .*steal", "onyx, of", "!"],
        ["buy 1-white-04 = uuu", "royal steal", "steal k"],
    ),
    (
        {"mine": "tokens=wwwuuuggkk", "board": "krw.. ..... ..... ..... ....."},
        ["a1, ", "a2, ", "Next: ", "Return 1 diamond", "Return 1 diamond", "!"],
        ["take a1 a2", "return ww"],
    ),
]
DUEL_LONG = [
    *DUEL,
    ({"board": "wug.. ..... ..... ..... ....."}, ["a1, ", "a3, ", "!"], ["take a1 a2 a3"]),
    (
        {"board": "*.... ..... ..... ..... ....."},
        ["reserve blind the top card of the level 1 deck", "!"],
        ["reserve L1 a1"],
    ),
]


SPAN = """target => {
    if (!target.isConnected) return null;
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = (right, down) => target.contains(document.elementFromPoint(x + right, y + down));
    const reach = (right, down) => {
        let far = 0;
        while (hit((far + 1) * right, (far + 1) * down)) far++;
        return far;
    };
    return [1 + reach(-1, 0) + reach(1, 0), 1 + reach(0, -1) + reach(0, 1)];
}"""
"""How far from the middle of a target, horizontally and vertically, a finger still hits it; null if the page has just
replaced the target."""


def tap(page: Page, target: Locator) -> None:
    """Tap a control, which must be large enough and uncovered. The resulting page must not scroll sideways."""
    for _attempt in range(20):
        target.tap(trial=True)
        if span := target.evaluate(SPAN):
            break
    assert max(span) >= THUMB, (target, span)
    assert min(span) >= LEAST, (target, span)
    here = page.url
    target.tap()
    page.wait_for_url(lambda url: url != here)
    is_idle(page)
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH, page.url


def test_a_tap_on_a_card_opens_it_on_a_tablet_too(page_of: PageOf, alice: User, bob: User) -> None:
    """Also where a mouse would find a button."""
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    tables.join(game, bob)
    lay(game, alice)
    page = page_of(alice, **PHONE | {"viewport": {"width": 1180, "height": 820}})
    page.goto(f"/table/{game.key}/")
    box = page.locator("[data-thing^='2-']").first.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 0.7 * box["width"], box["y"] + 0.72 * box["height"])
    expect(page.locator(".sheet")).to_be_visible()


def test_small_controls_have_large_targets(page_of: PageOf, alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    tables.join(game, bob)
    lay(game, alice, mine="tokens=uuugg reserved=1-white-02")
    page = page_of(alice, **PHONE)
    page.goto(f"/table/{game.key}/")
    buy = page.locator(".mine .card-state")
    buy.tap(trial=True)
    assert buy.evaluate(SPAN)[1] >= 32
    buy.tap()
    page.get_by_role("button", name=CONFIRM).tap()
    page.get_by_role("link", name="Look back").tap()
    slider = page.locator("#at")
    expect(slider).to_be_in_viewport(ratio=1)
    width, height = slider.evaluate("({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight]")
    assert width >= WIDTH / 2
    assert height >= THUMB


@pytest.mark.parametrize(
    ("title", "turns"),
    [
        ("splendor", SPLENDOR),
        ("duel", DUEL),
        pytest.param("splendor", SPLENDOR_LONG, marks=LONG),
        pytest.param("duel", DUEL_LONG, marks=LONG),
    ],
)
def test_every_kind_of_decision_is_made_on_a_phone(
    page_of: PageOf, alice: User, bob: User, title: str, turns: list[Turn]
) -> None:
    game = tables.create(alice, tables.TableSpec(title, 2))
    tables.join(game, bob)
    page = page_of(alice, **PHONE)
    for position, taps, moves in turns:
        lay(game, alice, **position)
        page.goto(f"/table/{game.key}/")
        for name in taps:
            if name == "!":
                tap(page, page.get_by_role("button", name=CONFIRM))
            else:
                tap(page, page.get_by_role("link", name=re.compile(f"^{name}")).first)
        assert [move.notation for move in game.move_set.order_by("number")] == moves
