"""The pages about mails and vacations in a real browser, in both colour schemes, on desktop and phone."""

from typing import Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.models import Delivery, Game, Notice, Preferences, Seat
from games.services.absence import vacations
from games.services.clocks.moment import now
from games.services.mailing import bounces, deliveries
from games.services.outbox import notices, opt_out, preferences
from tests.axe import Faults
from tests.browser.keys import PageOf
from tests.smtp import MailServer

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_pages_about_mails(page_of: PageOf, faults: Faults, alice: User, duel: Game) -> None:
    seat = Seat.objects.get(user=alice)
    preferences.mute(seat, on=True)
    page, found = page_of(alice), list[str]()
    page.goto("/settings/mail/deliveries/")
    found += faults(page)
    for outcome in Notice.Outcome:
        notice = Notice.objects.create(
            recipient=alice,
            game=duel,
            kind="turn",
            key=outcome,
            created_at=now(),
            due_at=now(),
            closed_at=now(),
            outcome=outcome,
        )
        Delivery.objects.create(notice=notice, address=alice.email, result="550 no such mailbox here", attempts=1)
    bounces.failed(alice, "550 5.1.1 <alice@example.org>: no such mailbox here")
    settings = ("mail/", "mail/deliveries/", "vacation/", "data/")
    for address in ("/games/", "/privacy/", "/settings/", *(f"/settings/{each}" for each in settings)):
        page.goto(address)
        found += faults(page)
    vacations.begin_vacation(alice, 3)
    Game.objects.update(vacations=False)
    page.goto("/settings/vacation/")
    found += faults(page)
    assert found == [], "\n".join(found)


def test_pages_behind_links_in_mails(page_of: PageOf, faults: Faults, alice: User, duel: Game) -> None:
    page, found = page_of(None), list[str]()
    seat = Seat.objects.get(user=alice)
    for url in (
        opt_out.unsubscribe_url(alice, "turn"),
        opt_out.unsubscribe_url(alice, "all"),
        opt_out.mute_url(seat),
        opt_out.never_again_url("stranger@example.net"),
    ):
        page.goto(url[url.index("/mails/") :])
        found += faults(page)
        page.locator("main button").click()
        expect(page.get_by_role("button", name="Email me again")).to_be_visible()
        found += faults(page)
    assert found == [], "\n".join(found)


def test_errors_are_explained(page_of: PageOf, faults: Faults, alice: User) -> None:
    page, found = page_of(alice), list[str]()
    page.goto("/settings/")
    page.get_by_label("From").fill("08:00")
    page.get_by_label("Until").fill("22:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Quiet hours can last up to 10 hours.")).to_be_visible()
    found += faults(page)
    vacations.begin_vacation(alice, 15)
    vacations.end_vacation(alice)
    page.goto("/settings/vacation/")
    page.get_by_label("Number of days").evaluate("(field) => { field.type = 'text'; field.value = '40' }")
    page.get_by_role("button", name="Start the vacation").click()
    expect(page.locator(".wrong")).to_be_visible()
    found += faults(page)
    assert found == [], "\n".join(found)


def test_from_a_refused_mail_to_one_that_arrives(page_of: PageOf, alice: User, smtp: MailServer, settings: Any) -> None:
    """The user is on a phone, and uses only clicks."""
    smtp.refuse["alice@example.org"] = "550 no such mailbox here"

    def work() -> None:
        for notice in Notice.objects.due(now()):
            deliveries.deliver(notice.pk)

    notices.owe(Notice.Kind.TEST, alice, key="test:first")
    work()
    page = page_of(alice, viewport={"width": 360, "height": 740})
    page.goto("/games/")
    banner = page.get_by_role("region", name="Our emails aren’t reaching you")
    expect(banner).to_contain_text("550 no such mailbox here")
    smtp.refuse.clear()
    banner.get_by_role("button", name="Send a test email").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recent emails")
    work()
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="Sent to alice@example.org.")).to_be_visible()
    expect(page.get_by_role("region", name="Our emails aren’t reaching you")).to_have_count(0)
    page.get_by_role("link", name="Emails", exact=True).click()
    page.get_by_label("Someone offers a rematch").uncheck()
    page.get_by_label("12 hours are left").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Settings saved.")
    kept = Preferences.of(alice)
    assert (kept.off, kept.reminders) == (["rematch"], ["50", "25", "12h", "2h"])
