"""The clocks of a table in a real browser count down while the page is open."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.models import Game
from games.services.clocks.moment import now
from tests.browser.keys import PageOf
from tests.factories import actor, deal

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("title", ["splendor", "duel"])
def test_the_time_left_counts_down(page_of: PageOf, alice: User, bob: User, title: str) -> None:
    game = deal(title, [alice, bob], 1)
    # A context with an installed clock cannot be used again.
    page = page_of(actor(game), again=False)
    page.clock.install()
    for seconds, forward, before, after in [
        (3 * 86400 + 90, "01:00", "3 d 0 h", "3 d 0 h"),
        (2 * 86400 + 90, "02:00", "2 d 0 h", "1 d 23 h"),
        (2 * 3600 + 90, "02:00", "2 h 1 min", "1 h 59 min"),
        (90, "05:00", "1 min", "0 min"),
    ]:
        Game.objects.update(deadline=now() + timedelta(seconds=seconds))
        page.goto(f"/table/{game.key}/")
        shown = page.locator("[data-left]:visible")
        expect(shown).to_have_text([before, before])
        page.clock.fast_forward(forward)
        expect(shown).to_have_text([after, after])
