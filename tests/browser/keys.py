"""Helpers to press keys at a table for two in a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from accounts.models import User
from games.models import Game

DESK, PHONE = (1366, 768), (360, 740)
LONG = pytest.mark.long
SIZES = pytest.mark.parametrize("tab", [DESK, PHONE], indirect=True, ids=["desk", "phone"])
WAYS = pytest.mark.parametrize(
    ("script", "size"),
    [(True, DESK), (False, PHONE), pytest.param(True, PHONE, marks=LONG), pytest.param(False, DESK, marks=LONG)],
    ids=["script-desk", "none-phone", "script-phone", "none-desk"],
)
"""Browsers with and without script, on desktop and phone."""
CONFIRM = "Control+Enter"
STAGED = {"splendor": "take wug", "duel": "take a1 a2 a3"}
TAKEN = {"splendor": ["w", "u", "g"], "duel": ["a1", "a2", "a3"]}
LAST = {"splendor": "w", "duel": "a3"}
"""The control that has the focus after the take is staged with keys."""
ASKED = {"splendor": "decision", "duel": "asked"}
HIDE = """away => {
    Object.defineProperty(document, "hidden", { value: away, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Hides the page, or shows it again."""
IS_ON = """words => {
    const { activeElement: focused, body } = document;
    return focused !== body && new RegExp(words).test(focused.innerText.trim());
}"""


class PageOf(Protocol):
    def __call__(self, user: User | None, viewport: ViewportSize | None = None, **options: object) -> Page: ...


def is_idle(page: Page) -> None:
    """Wait until every request has been answered and drawn."""
    expect(page.locator("#working.htmx-request")).to_have_count(0)
    expect(page.locator("#board .is-staging")).to_have_count(0)


def tap(page: Page, *names: str) -> None:
    """Tap controls without waiting between the taps."""
    page.evaluate(
        """async names => {
            for (const name of names) {
                document.querySelector(`#board [data-touch="${name}"]`).click();
                await new Promise(resolve => setTimeout(resolve, 80));
            }
        }""",
        list(names),
    )


def picked(page: Page) -> list[str]:
    """The names of the controls that show a choice."""
    script = "all => all.map(({ dataset }) => dataset.touch)"
    names: list[str] = page.locator("#board .is-picked[data-touch]").evaluate_all(script)
    return names


def tab_to(page: Page, words: str) -> None:
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate(IS_ON, words):
            return
    pytest.fail(f"no way to {words}")


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other, each once the previous one has its answer."""
    for key in keys:
        if key.startswith("["):
            tab_to(page, key[1:-1])
        else:
            page.keyboard.press(key)
        is_idle(page)


def focused(page: Page) -> str:
    """The id of the focused element, or the name or address of its link."""
    script = """(({ id, dataset: { touch, card }, attributes: { href }, tagName }) =>
        id || touch || card || href?.value || tagName)(document.activeElement)"""
    return str(page.evaluate(script))


def stage(page: Page, game: Game) -> None:
    """Stage a take of three tokens."""
    keys = {"splendor": ["t", "w", "u", "g"], "duel": ["t", "Enter", "g", "Enter"]}
    press(page, *keys[game.title])


def notations(game: Game) -> list[str]:
    return [move.notation for move in game.move_set.order_by("number")]


def top(page: Page) -> int:
    """The distance of the board from the top of the window, in pixels."""
    place: float = page.evaluate("document.querySelector('.board').getBoundingClientRect().top")
    return round(place / 2)


def slow_down(page: Page, milliseconds: int, throughput: int = -1) -> None:
    """Delay every answer by that time and limit what arrives to that many bytes per second."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    conditions = {"offline": False, "latency": milliseconds, "downloadThroughput": throughput, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", conditions)


def arrival(page: Page, held: list[Route]) -> Route:
    """The only held request. Wait until it has arrived here, which takes a moment after the page has sent it."""
    last = monotonic() + 60
    while not held:
        assert monotonic() < last, "no request arrived"
        page.wait_for_timeout(10)
    [request] = held
    return request


def deployed(route: Route) -> None:
    """Answer as a site whose scripts have changed."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("/stage.js", "/stage-2.js"))


@contextmanager
def held(page: Page) -> Iterator[list[Route]]:
    """Requests for tables that begin within the block are sent at its end, however long it takes."""
    waiting: list[Route] = []
    page.route("**/table/**", lambda route: waiting.append(route))
    yield waiting
    for route in waiting:
        route.continue_()
    page.unroute("**/table/**")
