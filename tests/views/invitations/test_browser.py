"""From the mail to the table in a real browser."""

from typing import Literal

import pytest

from accounts.models import User
from games.models import Game
from tests.axe import violations
from tests.browser.keys import PageOf
from tests.views.invitations.asked import asked, link

SCHEMES: list[Literal["light", "dark"]] = ["light", "dark"]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_from_the_mail_to_the_table_in_a_browser(page_of: PageOf, alice: User) -> None:
    invitation = asked(alice, seats=2, title="duel")
    page = page_of(None)
    found = []
    for state in ("offer", "wrong", "declined"):
        page.goto(link(invitation))
        if state == "wrong":
            page.get_by_label("User name").fill("admin")
            page.get_by_role("button", name="Sit down and play").click()
            page.get_by_text("kept for the site").wait_for()
        if state == "declined":
            page.get_by_role("button", name="Decline").click()
            page.get_by_text("You said no").wait_for()
        for size in ((1366, 768), (360, 740)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                found.append(violations(page))
                assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert found == [""] * len(found)
    page.get_by_role("button", name="Sit down and play").click()
    page.wait_for_url("**/table/*/")
    assert page.get_by_text("You sit down as ann.").is_visible()
    assert User.objects.get(username="ann").time_zone != ""
    assert Game.objects.get().status == "active"
