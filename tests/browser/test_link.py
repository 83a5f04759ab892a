"""Turns played from mails in a real browser in which nobody is logged in."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from games.services.mailing import links
from tests.axe import Faults
from tests.browser.keys import WAYS, PageOf
from tests.browser.player import Player
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TAKES = {"splendor": "take wug", "duel": "take a1 a2 a3"}


def link(game: Game, action: str = "") -> str:
    game.refresh_from_db()
    return urlsplit(links.issue(game, Seat.objects.get(game=game, index=game.to_act), action)).path


def confirm(page: Page) -> None:
    """The only visible button that confirms."""
    page.locator("form:has([name=moves]) button:visible").first.click()


@pytest.mark.parametrize("script", [True, False])
def test_a_mail_is_opened_and_confirmed(page_of: PageOf, game: Game, script: bool) -> None:
    """A page without a referrer can still post."""
    page = page_of(None, java_script_enabled=script)
    page.goto(link(game, TAKES[game.title]))
    game.refresh_from_db()
    assert game.number == 0
    confirm(page)
    page.get_by_role("heading", name="Move played").wait_for()
    assert [move.actor for move in game.move_set.all()] == ["link"]
    with page.expect_navigation():
        page.get_by_role("link", name="Log in and open the table").click()
    assert page.url.endswith(f"/account/login/?next=/table/{game.key}/")
    assert [cookie["name"] for cookie in page.context.cookies()] == ["csrftoken"]


@WAYS
def test_a_whole_turn_is_played_from_one_mail(
    page_of: PageOf, game: Game, alice: User, size: tuple[int, int], script: bool
) -> None:
    """Each decision is made with the page's controls, one after the other."""
    if game.title == "splendor":
        lay(game, alice, mine="tokens=wwuuggrrkk")
    else:
        lay(game, alice, mine="tokens=wwuuggrrkp", board="wugrk ...*. ..... ..... .....")
    page = page_of(None, java_script_enabled=script, viewport={"width": size[0], "height": size[1]})
    page.goto(link(game, "reserve L2" if game.title == "splendor" else "reserve L2 b4"))
    confirm(page)
    page.get_by_role("heading", name="This turn so far").wait_for()
    assert (game.move_set.count(), page.get_by_role("button", name="Log out").count()) == (1, 0)
    player = Player(page)
    for _step in range(20):
        if page.get_by_role("heading", name="Move played").count():
            break
        player.step()
    assert [move.actor for move in game.move_set.all()] == ["link", "link"]


def test_a_page_left_open_says_that_the_turn_is_over(page_of: PageOf, game: Game, alice: User) -> None:
    page = page_of(None)
    page.goto(link(game, TAKES[game.title]))
    play.submit(game, play.Actor(alice), 0, [TAKES[game.title]])
    page.get_by_role("link", name="Clear").first.click()
    page.get_by_role("heading", name="This turn is over").wait_for()
    assert game.move_set.count() == 1


def test_pages_of_links_are_sound(page_of: PageOf, faults: Faults, game: Game) -> None:
    User.objects.filter(username="alice").update(username="a" * 20)
    page = page_of(None)
    page.goto(link(game, TAKES[game.title]), wait_until="networkidle")
    assert faults(page) == []
    confirm(page)
    page.get_by_role("heading", name="Move played").wait_for()
    assert faults(page) == []
