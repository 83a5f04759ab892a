"""A stranger's ways in a real browser, in each language: from the first page, and from a friend's link, to a first move
and to an account with the game."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.utils import translation
from django.utils.translation import gettext as _
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from games.services.tables import tables
from games.services.work import first_moves, thinking
from tests.accounts.pages import last_code
from tests.axe import Faults
from tests.browser.keys import PHONE, PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(params=["en", "fr"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """The language of the browser, and of the words that the test looks for."""
    with translation.override(request.param):
        yield request.param


@pytest.fixture
def page(page_of: PageOf, language: str) -> Page:
    """A stranger's phone."""
    cache.clear()
    return page_of(None, viewport={"width": PHONE[0], "height": PHONE[1]}, locale=language)


def button(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).click()


def take(page: Page, kinds: str) -> None:
    for kind in kinds:
        page.locator(f"#board .pile[data-touch={kind}]").click()


def notations(seat: int) -> list[str]:
    [game] = Game.objects.all()
    return [move.notation for move in game.move_set.order_by("number") if move.seat == seat]


def keep(page: Page, found: list[str], faults: Faults | None) -> None:
    """Keep the game of the page with an address, and come back to it."""
    [game] = Game.objects.all()
    offer = page.get_by_role("region", name=_("Keep this game"))
    offer.get_by_role("link", name=_("Keep it")).click()
    found += faults(page) if faults else []
    page.locator("[name=username]").fill("ann")
    page.locator("[name=email]").fill("ann@example.net")
    button(page, _("Email me a code"))
    page.locator("[name=code]").fill(last_code("ann@example.net"))
    button(page, _("Continue"))
    page.wait_for_url(f"**/table/{game.key}/")
    kept = _("Your games are kept under the name %(name)s. You can choose a password in your settings.")
    expect(page.get_by_text(kept % {"name": "ann"})).to_be_visible()
    expect(offer).to_have_count(0)
    user = User.objects.get(username="ann")
    assert (user.is_guest, user.email) == (False, "ann@example.net")
    assert Seat.objects.filter(game=game, user=user).exists()


def test_from_the_first_page_to_an_account(page: Page, language: str, faults: Faults) -> None:
    first_moves.renew()
    found, look = list[str](), faults if language == "en" else None
    page.goto("/")
    take(page, "rw")
    expect(page.locator("#board .is-picked")).to_have_count(2)
    take(page, "wr")
    expect(page.locator("[data-words]")).to_be_visible()
    found += look(page) if look else []
    button(page, _("Confirm and play the easy bot"))
    page.wait_for_url("**/table/**")
    assert notations(0) == ["take rr"]
    [game] = Game.objects.all()
    thinking.think(game.pk)
    page.reload()
    take(page, "wug")
    page.locator("#board .decision .btn-act").click()
    expect(page.get_by_role("region", name=_("Keep this game"))).to_be_visible()
    assert notations(0) == ["take rr", "take wug"]
    found += look(page) if look else []
    keep(page, found, look)
    assert found == [], "\n".join(found)


def test_from_the_link_of_a_friend_to_an_account(page: Page, alice: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    page.goto(f"/table/{game.key}/")
    button(page, _("Take the seat"))
    page.wait_for_url("**/table/**")
    game = Game.objects.with_seats().get()
    if play.seat_of(game, alice) == game.to_act:
        play.submit(game, play.Actor(alice), 0, ["take wug"])
        page.reload()
    take(page, "rr")
    page.locator("#board .decision .btn-act").click()
    expect(page.get_by_role("region", name=_("Keep this game"))).to_be_visible()
    keep(page, [], None)
    assert "take rr" in [move.notation for move in game.move_set.all()]


@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_the_market_stages_every_kind_of_first_move(page: Page) -> None:
    """Everything happens in the picture: a tap asks the server for nothing, and nothing moves."""
    first_moves.renew()
    page.goto("/")
    decision, board = page.locator("#board .decision"), page.locator("#board")
    requests, height = list[str](), board.evaluate("board => board.offsetHeight")
    page.on("request", lambda request: requests.append(request.url))
    for name, words in (("gem", "Choose another gem"), ("card", "Reserve T2-2")) * 2:
        page.locator("#board .pile[data-touch=k]" if name == "gem" else ".market-card >> nth=5").click()
        expect(decision).to_contain_text(words)
        expect(page.locator("#board .is-picked")).to_have_count(1)
    assert board.evaluate("board => board.offsetHeight") == height
    assert (requests, page.url.partition("?")[1]) == ([], "")
    page.get_by_role("link", name="Clear").press("Enter")
    expect(decision).to_have_text("Nothing is played before you confirm.")
    page.get_by_role("link", name="Take: ruby").press("Enter")
    page.get_by_role("link", name="Take: ruby").press("Enter")
    expect(page.locator("#board [data-touch=r] .pile-count")).to_have_text("42")
    page.get_by_role("button", name="Confirm and play the easy bot").press("Enter")
    page.wait_for_url("**/table/**")
    assert notations(0) == ["take rr"]
