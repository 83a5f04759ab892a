import os

import hypothesis
import pytest
from playwright.sync_api import Browser, sync_playwright

# A busy machine is slow; that is no failure. A failure prints what repeats it.
hypothesis.settings.register_profile("ci", deadline=None, print_blob=True)
hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium; without one the tests that ask for it fail."""
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    # Playwright runs an event loop in this thread, and Django refuses the database beside one.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield browser
        browser.close()
