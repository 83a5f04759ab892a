"""A stranger's way in a real browser: from the first page to a first move, and to an account with the game."""

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from accounts.models import User
from games.models import Game, Seat
from games.services.work import first_moves
from tests.accounts.pages import last_code
from tests.axe import Faults
from tests.browser.keys import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_from_the_first_page_to_an_account(page_of: PageOf, faults: Faults) -> None:
    cache.clear()
    first_moves.renew()
    page, found = page_of(None, viewport={"width": 360, "height": 740}), list[str]()
    page.goto("/")
    found += faults(page)
    page.get_by_role("link", name="Take: ruby").click()
    page.locator("#board .pile[data-touch=r]").click()
    confirm = page.get_by_role("button", name="Take 2 rubies")
    expect(confirm).to_be_visible()
    found += faults(page)
    confirm.click()
    page.wait_for_url("**/table/**")
    table = page.url
    offer = page.get_by_role("region", name="Keep this game")
    expect(offer).to_be_visible()
    found += faults(page)
    offer.get_by_role("link", name="Keep it").click()
    found += faults(page)
    page.get_by_label("User name").fill("ann")
    page.get_by_label("Email address").fill("ann@example.net")
    page.get_by_role("button", name="Email me a code").click()
    page.get_by_label("Code").fill(last_code("ann@example.net"))
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(table)
    expect(page.get_by_text("Your games are kept under the name ann.")).to_be_visible()
    expect(offer).to_have_count(0)
    user = User.objects.get(username="ann")
    assert (user.is_guest, user.email) == (False, "ann@example.net")
    assert Seat.objects.get(game=Game.objects.get(), index=0).user == user
    assert found == [], "\n".join(found)
