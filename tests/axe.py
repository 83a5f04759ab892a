"""Runs axe on pages, on desktop and phone, in both colour schemes."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, cycle
from typing import Any, Literal
from zlib import crc32

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

Corner = tuple[tuple[int, int], Literal["light", "dark"]]
"""A size of the window and a colour scheme."""
DESK, PHONE = (1366, 768), (360, 740)
SHORT: list[Corner] = [(DESK, "light"), (PHONE, "dark")]
LONG: list[Corner] = [*SHORT, (DESK, "dark"), (PHONE, "light")]
DEAR = ("color-contrast", "target-size")
"""The rules that take three quarters of the time."""
Faults = Callable[[Page], list[str]]
"""The fixture `faults`."""

OPTIONS = {
    "resultTypes": ["violations"],
    # WCAG 2.2 AA and more; by default, axe does not check version 2.2.
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    # Pages have no frames, and their styles are loaded.
    "preload": False,
    # Frames only show mails, in which no script runs.
    "iframes": False,
}
RUN = "options => window.axe ? axe.run(options).then(({ violations }) => violations) : null"


def violations(page: Page, without: str = "") -> str:
    """A report of the violations of all rules except that one; empty if there are none."""
    options = OPTIONS | {"rules": {without: {"enabled": False}} if without else {}}
    found = page.evaluate(RUN, options)
    if found is None:
        # Load axe once per document.
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(RUN, options)
    assert isinstance(found, list)
    results: Any = AxeResults({"violations": found})
    return str(results.generate_report()) if found else ""


def faults_everywhere(_test: str) -> Faults:
    """The long form: the faults of each page in every corner, by every rule."""
    return partial(_faults_at, looks=[(corner, "") for corner in LONG])


def faults_in_turn(test: str) -> Faults:
    """The short form: the faults of the first page in two corners, which together have both sizes and both schemes, and
    of each further page in one of these corners, which take turns. Each look leaves out one of the dear rules, which
    also take turns. The test's name decides which goes first, so that pages seen once are divided among the rules."""
    desk, phone = SHORT
    pairs = [((desk, DEAR[0]), (phone, DEAR[1])), ((phone, DEAR[0]), (desk, DEAR[1]))]
    first, second = pairs if crc32(test.encode()) % 2 else reversed(pairs)
    looks = chain([first], ([look] for look in cycle(second + first)))
    return lambda page: _faults_at(page, next(looks))


def _faults_at(page: Page, looks: Sequence[tuple[Corner, str]]) -> list[str]:
    """The faults of the page in each corner: violations, except of the rule left out there, and sideways scrolling."""
    found = []
    for ((width, height), scheme), without in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        look = f"{page.url} {width} {scheme}"
        # Axe would report elements that are scrolled under the top bar as hidden.
        if page.evaluate("scrollTo(0, 0), document.documentElement.scrollWidth") != width:
            found.append(f"{look}: scrolls sideways")
        if report := violations(page, without):
            found.append(f"{look}\n{report}")
    return found
