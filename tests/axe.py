"""What axe finds wrong with a page, at the desk and on the phone, by day and by night."""

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
Faults = Callable[[Page], list[str]]
"""The fixture `faults`."""

OPTIONS = {
    "resultTypes": ["violations"],
    # WCAG 2.2 AA and more; left alone, axe knows nothing of 2.2.
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    # Every page is of one piece, with its styles at hand.
    "preload": False,
}
RUN = "options => window.axe ? axe.run(options).then(({ violations }) => violations) : null"


def violations(page: Page) -> str:
    """A report, empty if there is nothing to say."""
    found = page.evaluate(RUN, OPTIONS)
    if found is None:
        # Once for each document.
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(RUN, OPTIONS)
    assert isinstance(found, list)
    results: Any = AxeResults({"violations": found})
    return str(results.generate_report()) if found else ""


def faults_everywhere() -> Faults:
    """What is wrong with each page in every corner: the long form."""
    return partial(_faults_at, corners=LONG)


def faults_in_turn() -> Faults:
    """What is wrong with the first page, in two corners that have both sizes and both schemes between them, and with
    each further one in the next of these."""
    corners = chain([SHORT], cycle([corner] for corner in SHORT))
    return lambda page: _faults_at(page, next(corners))


def _faults_at(page: Page, corners: Sequence[Corner]) -> list[str]:
    """What is wrong with the page there: violations, and that it scrolls sideways."""
    found = []
    for (width, height), scheme in corners:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        look = f"{page.url} {width} {scheme}"
        # What has been scrolled under the bar at the top would count as hidden by it.
        if page.evaluate("scrollTo(0, 0), document.documentElement.scrollWidth") != width:
            found.append(f"{look}: scrolls sideways")
        if report := violations(page):
            found.append(f"{look}\n{report}")
    return found
