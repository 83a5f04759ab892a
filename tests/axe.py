"""What axe finds wrong with a page."""

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""WCAG 2.2 AA and more; left alone, axe knows nothing of 2.2."""
SIZES = [(1366, 768), (360, 740)]
SCHEMES: list[Literal["light", "dark"]] = ["light", "dark"]


def violations(page: Page) -> str:
    """A report, empty if there is nothing to say."""
    results = Axe().run(page, options={"resultTypes": ["violations"], "runOnly": STANDARDS})
    return results.generate_report() if results.violations_count else ""


def faults(page: Page) -> list[str]:
    """What is wrong with the page: violations, and that it scrolls sideways."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            look = f"{page.url} {width} {scheme}"
            if page.evaluate("document.documentElement.scrollWidth") != width:
                found.append(f"{look}: scrolls sideways")
            # What has been scrolled under the bar at the top would count as hidden by it.
            page.evaluate("scrollTo(0, 0)")
            if report := violations(page):
                found.append(f"{look}\n{report}")
    return found
