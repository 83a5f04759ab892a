"""`make screenshots` draws the pictures beside this file: a site with the demo in a temporary folder, shown by a real
browser. It always deals the same decks."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from unittest.mock import patch

import django
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parent
SHELL = Path("/usr/bin/chromium-headless-shell")
CHROMIUM = os.environ.get("CHROMIUM") or str(SHELL if SHELL.exists() else "/usr/bin/chromium")
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1366, "height": 768}},
    "phone": {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True},
}
SCHEMES = ("light", "dark")
QUALITY = 92
"""The quality of the WebP pictures: small files, and the gems keep their colours."""


def main() -> None:
    with own_site():
        chance = Random("screenshots")
        with patch.multiple(secrets, token_bytes=chance.randbytes, choice=chance.choice):
            session, pages = _fill()
            with served() as site, sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
                for name, path in pages.items():
                    for screen in SCREENS:
                        for scheme in SCHEMES:
                            # The first page of an anonymous visitor shows a new deal each time.
                            chance.seed(name)
                            picture = _draw(browser, site + path, "" if path == "/" else session, screen, scheme)
                            picture.save(FOLDER / f"{name}-{screen}-{scheme}.webp", quality=QUALITY)
                browser.close()


@contextmanager
def own_site() -> Iterator[None]:
    """Set Django up for a site in a temporary folder, whatever the environment says of a real one."""
    with tempfile.TemporaryDirectory(prefix="cabochon-") as folder:
        os.environ |= {"DEBUG": "1", "ALLOWED_HOSTS": "", "BIND": "", "VAR_DIR": folder}
        os.environ |= {"DATABASE_URL": "", "REDIS_URL": "", "EMAIL_URL": ""}
        os.environ["DJANGO_SETTINGS_MODULE"] = "splendor_site.settings"
        django.setup()
        yield


def _fill() -> tuple[str, dict[str, str]]:
    """Create the demo; return the session of its first user, and the paths of the pages by name."""
    # These imports need Django to be set up.
    from django.core.management import call_command
    from django.test import Client

    from accounts import mailbox
    from games.management import demo
    from games.models import Game, Notice
    from games.services.mailing import deliveries

    call_command("migrate", verbosity=0)
    demo.fill()
    ana, *_others = demo.people()
    client = Client()
    client.force_login(ana)
    pages = {"landing": "/", "my-games": "/games/"}
    for name, title, seats in (("splendor", "splendor", 4), ("duel", "duel", 2)):
        game = Game.objects.waiting_for(ana).filter(title=title, seats=seats).earliest("pk")
        pages[name] = f"/table/{game.key}/"
    owed = Notice.objects.filter(recipient=ana, kind=Notice.Kind.TURN, closed_at=None)
    deliveries.deliver(owed.get(game__title="splendor", game__seats=4).pk)
    [mail] = mailbox.newest()
    pages["turn-mail"] = f"/mail/{mail.file}/{mail.number}/"
    return client.cookies["sessionid"].value, pages


@contextmanager
def served() -> Iterator[str]:
    """Run the site; yields its address."""
    from django.core.servers.basehttp import ThreadedWSGIServer
    from django.core.wsgi import get_wsgi_application
    from django.test.testcases import QuietWSGIRequestHandler

    server = ThreadedWSGIServer(("127.0.0.1", 0), QuietWSGIRequestHandler)
    server.set_app(get_wsgi_application())
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def _draw(browser: Browser, address: str, session: str, screen: str, scheme: Any) -> Image.Image:
    """The first screen of a page for the user with that session, or for an anonymous visitor."""
    context = browser.new_context(**SCREENS[screen], color_scheme=scheme, timezone_id="Europe/Lisbon")
    if session:
        context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    page = context.new_page()
    response = page.goto(address, wait_until="networkidle")
    if not (response and response.ok):
        raise SystemExit(f"{address} does not answer as it should.")
    picture = Image.open(BytesIO(page.screenshot(animations="disabled")))
    context.close()
    return picture


if __name__ == "__main__":
    main()
