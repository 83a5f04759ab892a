"""Nothing on a page jumps: not while it loads, and not over a whole turn."""

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from games.services import play
from games.services.tables import guests
from games.services.work import first_moves
from tests.browser.keys import DESK, LONG, PHONE, PageOf, is_idle, slow_down
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST = 0.02
"""The maximum sum of the shifts of a page."""
TABLET, WIDE = (768, 1024), (1920, 1080)
LARGE = [pytest.param(TABLET, marks=LONG), pytest.param(WIDE, marks=LONG)]
BOTH = pytest.mark.parametrize("size", [PHONE, DESK, *LARGE], ids=lambda size: str(size[0]))
SMALL = pytest.mark.parametrize("size", [PHONE, pytest.param(DESK, marks=LONG), *LARGE], ids=lambda size: str(size[0]))
TAKEN = {"splendor": ["w", "u", "g"], "duel": ["a1", "a2", "a3"]}
BOARDS = {"splendor": {}, "duel": {"board": "wugrk wugrk wugrk wugrk pp***"}}
SHIFTS = """() => {
    window.shifts = [];
    const note = ({ value, sources }) =>
        shifts.push([value, ...sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]);
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });
}"""
"""Notes every shift of the page so far and from now on, including those soon after a tap."""
PAINTED = """() => new Promise(done => {
    const isIt = ({ name }) => name === "first-contentful-paint";
    const look = list => list.getEntries().some(isIt) && setTimeout(done);
    new PerformanceObserver(look).observe({ type: "paint", buffered: true });
})"""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
PLACES = """() => {
    const names = "[data-touch], .card, .deck, .noble, .royal, .seat, .bank, .vault, .levels, .decision, .dock, .strip";
    const [places, counts] = [{}, {}];
    for (const part of document.querySelectorAll(names)) {
        if (!part.checkVisibility()) continue;
        const { left, top, width, height } = part.getBoundingClientRect();
        const kind = part.closest(".pile, .cell") ? "token" : part.classList[0];
        counts[kind] = (counts[kind] ?? 0) + 1;
        if (!part.matches(".is-staged"))
            places[`${kind} ${part.dataset.touch || counts[kind]}`] = [left, top, width, height].map(Math.round);
    }
    return places;
}"""
"""The boxes of the parts of a board, except for a chosen card, which is lifted. They are compared because the browser
counts no shift in a region that was swapped in."""
Places = dict[str, list[int]]


def opened(page: Page, path: str) -> None:
    """Open a page whose fonts arrive after it is drawn, and note its shifts."""
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    page.goto(path, wait_until="domcontentloaded")
    page.evaluate(SHIFTS)
    page.evaluate(PAINTED)
    for route in held:
        route.continue_()
    page.wait_for_load_state()
    page.evaluate("document.fonts.ready.then(() => null)")


def assert_calm(page: Page) -> None:
    page.evaluate(DRAWN)
    shifts = page.evaluate("shifts")
    assert sum(value for value, *_ in shifts) <= MOST, shifts


@BOTH
def test_a_turn_moves_no_part_of_the_board(
    page_of: PageOf, alice: User, bob: User, game: Game, size: tuple[int, int]
) -> None:
    page = page_of(alice, viewport={"width": size[0], "height": size[1]})
    opened(page, f"/table/{game.key}/")
    places: dict[str, Places] = {"idle": page.evaluate(PLACES)}
    for name in TAKEN[game.title]:
        page.locator(f"#board [data-touch='{name}']").evaluate("link => link.click()")
        places[f"{name} at once"] = page.evaluate(PLACES)
        is_idle(page)
        places[name] = page.evaluate(PLACES)
    page.locator("[data-key=Enter]:visible").evaluate("button => button.click()")
    expect(page.locator("#turn")).to_have_text("bob to move")
    is_idle(page)
    places["waiting"] = page.evaluate(PLACES)
    play.submit(game, play.Actor(bob), 1, [str(play.look(game, bob).legal[0])])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#turn")).to_have_text("Your turn")
    places["news"] = page.evaluate(PLACES)
    assert_still(places)
    assert_calm(page)


@pytest.mark.parametrize("title", TITLES)
def test_a_board_that_arrives_in_pieces_appears_at_once(page_of: PageOf, alice: User, title: str) -> None:
    """On phones its parts are drawn in another order than they arrive."""
    table, _player = guests.play_bot(title, alice)
    page = page_of(alice, viewport={"width": PHONE[0], "height": PHONE[1]})
    path = f"/table/{table.key}/"
    page.goto(path)
    slow_down(page, 50, throughput=20_000)
    page.goto(path)
    page.evaluate(SHIFTS)
    assert_calm(page)


@SMALL
@pytest.mark.parametrize("title", TITLES)
def test_a_hint_has_its_place_and_moves_no_part(
    page_of: PageOf, alice: User, title: str, size: tuple[int, int]
) -> None:
    table, _player = guests.play_bot(title, alice)
    lay(table, alice, **BOARDS[title])
    page = page_of(alice, viewport={"width": size[0], "height": size[1]})
    opened(page, f"/table/{table.key}/")
    hint = page.locator(".advice")
    expect(hint).to_be_visible()
    assert hint.evaluate("hint => hint.querySelector('p').scrollHeight <= hint.clientHeight")
    places: dict[str, Places] = {"idle": page.evaluate(PLACES)}
    for name in TAKEN[title][:2]:
        page.locator(f"#board [data-touch='{name}']").evaluate("link => link.click()")
        is_idle(page)
        places[name] = page.evaluate(PLACES)
    assert_calm(page)
    page.unroute_all()
    page.get_by_role("link", name="Clear").click()
    page.get_by_role("button", name="Turn off hints").click()
    expect(hint).to_have_count(0)
    page.wait_for_load_state()
    places["no hints"] = page.evaluate(PLACES)
    assert_still(places)


def assert_still(places: dict[str, Places]) -> None:
    """The parts that are there before anything is staged stay where they are, and so does the foot of the decision."""
    first, *_ = places.values()
    moved = [
        (moment, name, first[name], box)
        for moment, boxes in places.items()
        for name, box in boxes.items()
        if name in first and box != first[name] and not (name.startswith("decision") and "dock 1" in boxes)
    ]
    assert moved == []


@pytest.mark.parametrize("game", ["splendor"], indirect=True)
@SMALL
def test_a_purchase_and_a_return_cover_no_card(page_of: PageOf, alice: User, game: Game, size: tuple[int, int]) -> None:
    page = page_of(alice, viewport={"width": size[0], "height": size[1]})
    lay(game, alice, mine="tokens=uuu**wwgr", row_1="1-red-01")
    places: dict[str, Places] = {}
    for draft in ("", "buy 1-red-01", "buy 1-red-01 =", "reserve 1-red-01", "take rgk", "take rgk;return rr"):
        page.goto(f"/table/{game.key}/?draft={draft}")
        places[draft] = page.evaluate(PLACES)
    assert_still(places)


@pytest.mark.parametrize("path", ["/", "/games/"])
@pytest.mark.parametrize("game", ["splendor"], indirect=True)
@SMALL
def test_pages_are_calm_while_they_load(
    page_of: PageOf, alice: User, game: Game, path: str, size: tuple[int, int]
) -> None:
    first_moves.renew()
    page = page_of(None if path == "/" else alice, viewport={"width": size[0], "height": size[1]})
    opened(page, path)
    for link in page.locator("#board .pile[data-touch]").all()[:3]:
        link.click()
    assert_calm(page)
