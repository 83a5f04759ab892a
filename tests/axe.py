"""What axe finds wrong with a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""WCAG 2.2 AA and more; left alone, axe knows nothing of 2.2."""


def violations(page: Page) -> str:
    """A report, empty if there is nothing to say."""
    results = Axe().run(page, options={"resultTypes": ["violations"], "runOnly": STANDARDS})
    return results.generate_report() if results.violations_count else ""
