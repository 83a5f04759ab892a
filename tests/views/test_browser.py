"""The pages around the board in a real browser: accessible, and usable without script."""

import pytest
from django.conf import settings
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from tests.axe import Faults
from tests.contexts import ContextOf
from tests.factories import As

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def visit(context_of: ContextOf, live_server, as_: As, user: User, **options):
    context = context_of(**options)
    session = as_(user).cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    return context.new_page()


def test_pages_are_sound(
    context_of: ContextOf, live_server, faults: Faults, as_: As, alice: User, bob: User, charlie: User, duel: Game
) -> None:
    waiting = tables.create(alice, TableSpec("splendor", 4, bots=["greedy"], admission="open"))
    closed = tables.create(bob, TableSpec("duel", 2))
    tables.cancel(closed, bob)
    tables.create(charlie, TableSpec("duel", 2, bots=["greedy"], audience="anyone"))
    page = visit(context_of, live_server, as_, alice)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    addresses = [reverse(name) for name in ("home", "mine", "new", "learn")]
    addresses += [reverse("mine") + "?q=nobody", reverse("new") + "?refused"]
    addresses += [reverse("table", args=[game.key]) for game in (waiting, closed)]
    addresses += [reverse("resign", args=[duel.key])]
    for address in addresses:
        page.goto(address, wait_until="networkidle")
        if address.endswith("refused"):
            page.locator("details.fold > summary").click()
            page.get_by_role("radio", name="Only players I invite").check()
            page.get_by_label("User names or email addresses").fill("nobody")
            page.locator("button", has_text="Open the table").click()
            page.get_by_role("alert").wait_for()
            complaints = [text for text in complaints if "status of 422" not in text]
        closed_details = page.locator("main details:not([open]) > summary")
        while closed_details.count():
            closed_details.first.click()
        assert (faults(page), complaints) == ([], []), address


def test_a_table_is_opened_and_joined_without_script(
    context_of: ContextOf, live_server, as_: As, alice: User, bob: User
) -> None:
    host = visit(context_of, live_server, as_, alice, java_script_enabled=False)
    host.goto("/")
    host.locator("main").get_by_role("link", name="New table").click()
    host.get_by_role("radio", name="Splendor Duel").check()
    host.locator("details.fold > summary").click()
    host.get_by_role("radio", name="Only players I invite").check()
    host.get_by_label("User names or email addresses").fill("bbo")
    host.get_by_role("button", name="Open the table").click()
    assert "Unknown player: bbo. Check the spelling." in host.get_by_role("alert").inner_text()
    host.get_by_label("User names or email addresses").fill("bob")
    host.get_by_role("button", name="Open the table").click()
    link = host.get_by_role("textbox", name="Invitation link").input_value()
    assert host.url == link

    guest = visit(context_of, live_server, as_, bob, java_script_enabled=False)
    guest.goto("/games/")
    guest.get_by_role("region", name="Open tables").get_by_role("link", name="alice").click()
    assert guest.url == link
    guest.get_by_role("button", name="Join").click()
    assert Game.objects.get().status == "active"
