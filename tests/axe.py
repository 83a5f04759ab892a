"""Runs axe on pages, on desktop and phone, in both colour schemes."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, cycle
from typing import Any, Literal

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
    # WCAG 2.2 AA and more; by default axe does not check 2.2.
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    # Pages have no frames, and their styles are loaded.
    "preload": False,
    # Frames only show mails, in which no script runs.
    "iframes": False,
}
RUN = "options => window.axe ? axe.run(options).then(({ violations }) => violations) : null"


def violations(page: Page, without: str = "") -> str:
    """A report, without that rule; empty if there are no faults."""
    options = OPTIONS | {"rules": {without: {"enabled": False}} if without else {}}
    found = page.evaluate(RUN, options)
    if found is None:
        # Load axe once per document.
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(RUN, options)
    assert isinstance(found, list)
    results: Any = AxeResults({"violations": found})
    return str(results.generate_report()) if found else ""


def faults_everywhere() -> Faults:
    """The faults of each page in every corner: the long form."""
    return partial(_faults_at, corners=LONG)


def faults_in_turn() -> Faults:
    """The faults of the first page in two corners that together have both sizes and both schemes, and of each further
    page in one of them in turn, without one of the dear rules in turn."""
    turns = cycle(([corner], rule) for rule in DEAR for corner in SHORT)
    looks = chain([(SHORT, "")], turns)
    return lambda page: _faults_at(page, *next(looks))


def _faults_at(page: Page, corners: Sequence[Corner], without: str = "") -> list[str]:
    """The faults of the page in these corners: violations, except of that rule, and sideways scrolling."""
    found = []
    for (width, height), scheme in corners:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        look = f"{page.url} {width} {scheme}"
        # Axe would report elements that are scrolled under the top bar as hidden.
        if page.evaluate("scrollTo(0, 0), document.documentElement.scrollWidth") != width:
            found.append(f"{look}: scrolls sideways")
        if report := violations(page, without):
            found.append(f"{look}\n{report}")
    return found
