"""From the mail to the table in a real browser."""

import pytest

from accounts.models import User
from games.models import Game
from tests.axe import Faults
from tests.browser.keys import PageOf
from tests.views.invitations.asked import asked, link


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_from_the_mail_to_the_table_in_a_browser(page_of: PageOf, faults: Faults, alice: User) -> None:
    invitation = asked(alice, seats=2, title="duel")
    page = page_of(None)
    found: list[str] = []
    for state in ("offer", "wrong", "declined"):
        page.goto(link(invitation))
        if state == "wrong":
            page.get_by_label("User name").fill("admin")
            page.get_by_role("button", name="Take the seat").click()
            page.get_by_text("is reserved").wait_for()
        if state == "declined":
            page.get_by_role("button", name="Decline").click()
            page.get_by_text("You declined").wait_for()
        found += faults(page)
    assert found == [], "\n".join(found)
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_url("**/table/*/")
    assert page.get_by_text("You’ve joined as ann.").is_visible()
    assert User.objects.get(username="ann").time_zone != ""
    assert Game.objects.get().status == "active"
