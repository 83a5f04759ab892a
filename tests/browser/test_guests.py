"""A stranger's ways in a real browser, in each language: from the first page, and from a friend's link, to a first move
and to an account with the game."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.utils import translation
from django.utils.translation import gettext as _
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.models import Game, Move, Seat
from games.services import play
from games.services.tables import tables
from games.services.work import first_moves, thinking
from tests.accounts.pages import last_code
from tests.axe import Faults
from tests.browser.keys import PHONE, PageOf, arrival

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


def away(page: Page) -> str:
    """Leave the table, so that no poll is under way while the test looks at the database; returns its address."""
    page.wait_for_url("**/table/**")
    address = page.url.partition("?")[0]
    page.goto("about:blank")
    return address


def keep(page: Page, look: Faults | None = None) -> list[str]:
    """Keep the game on the page by giving an address; returns the faults of the pages on the way."""
    offer, found = page.get_by_role("region", name=_("Keep this game")), list[str]()
    expect(offer).to_be_visible()
    found += look(page) if look else []
    offer.get_by_role("link", name=_("Keep it")).click()
    page.locator("[name=username]").fill("ann")
    found += look(page) if look else []
    page.locator("[name=email]").fill("ann@example.net")
    button(page, _("Email me a code"))
    page.locator("[name=code]").fill(last_code("ann@example.net"))
    button(page, _("Continue"))
    kept = _("Your games are kept under the name %(name)s. You can choose a password in your settings.")
    expect(page.get_by_text(kept % {"name": "ann"})).to_be_visible()
    expect(offer).to_have_count(0)
    away(page)
    user = User.objects.get(username="ann")
    assert (user.is_guest, user.email) == (False, "ann@example.net")
    assert [seat.game for seat in Seat.objects.filter(user=user)] == list(Game.objects.all())
    return found


def moves(name: str) -> list[str]:
    """The decisions of that player in the only game."""
    [game] = Game.objects.all()
    seat = game.seat_set.get(user__username=name).index
    return [move.notation for move in game.move_set.order_by("number") if move.seat == seat]


def test_from_the_first_page_to_an_account(page: Page, language: str, faults: Faults) -> None:
    first_moves.renew()
    look = faults if language == "en" else None
    page.goto("/")
    take(page, "rw")
    expect(page.locator("#board .is-picked")).to_have_count(2)
    take(page, "wr")
    expect(page.locator("[data-words]")).to_be_visible()
    found = look(page) if look else []
    button(page, _("Confirm and play the bot"))
    table = away(page)
    thinking.think(Game.objects.get().pk)
    page.goto(table)
    take(page, "wug")
    page.locator("#board .decision .btn-act").click()
    found += keep(page, look)
    assert moves("ann") == ["take rr", "take wug"]
    assert found == [], "\n".join(found)


def test_from_the_link_of_a_friend_to_an_account(page: Page, alice: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    page.goto(f"/table/{game.key}/")
    button(page, _("Take the seat"))
    expect(page.locator("#table")).to_be_visible()
    table, game = away(page), Game.objects.with_seats().get()
    if game.index_of(alice) == game.to_act:
        play.submit(game, play.Actor(alice), 0, ["take wug"])
    page.goto(table)
    take(page, "rr")
    page.locator("#board .decision .btn-act").click()
    keep(page)
    assert moves("ann") == ["take rr"]


@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_the_market_stages_every_kind_of_first_move(page: Page) -> None:
    """A tap changes only the picture: it sends no request to the server, and nothing moves."""
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
    expect(decision).to_have_text("Nothing is played until you confirm.")
    page.get_by_role("link", name="Take: ruby").press("Enter")
    page.get_by_role("link", name="Take: ruby").press("Enter")
    expect(page.locator("#board [data-touch=r] .pile-count")).to_have_text("42")
    page.get_by_role("button", name="Confirm and play the bot").press("Enter")
    away(page)
    assert [move.notation for move in Move.objects.filter(seat=0)] == ["take rr"]


@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_a_second_click_sends_no_second_form(page: Page) -> None:
    page.goto("/")
    posts: list[Route] = []
    page.route("**/play/duel/", lambda route: posts.append(route))
    start = page.locator("form[action='/play/duel/'] button")
    start.scroll_into_view_if_needed()
    box = start.bounding_box()
    assert box
    for _click in range(2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(200)
    assert len(posts) == 1
    posts[0].continue_()
    away(page)
    assert Game.objects.count() == 1


@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_an_open_table_is_loaded_again_when_something_happens(page: Page, alice: User, bob: User) -> None:
    """The guest's page leads to the board once the game begins."""
    game = tables.create(alice, tables.TableSpec("splendor", 3))
    page.clock.install()
    page.goto(f"/table/{game.key}/")
    button(page, "Take the seat")
    expect(page.get_by_role("heading", name="One seat is free")).to_be_visible()
    with page.expect_response("**/poll/**") as asked:
        page.clock.run_for(2_000)
    assert asked.value.status == 204
    page.goto("about:blank")
    tables.rename(game, alice, "Sunday")
    page.go_back()
    expect(page.get_by_role("heading", name="Sunday")).to_be_visible()
    tables.join(game, bob)
    page.clock.run_for(2_000)
    expect(page.locator("#table")).to_be_visible()
    away(page)


@pytest.mark.parametrize("what", ["writes", "reads", "uses keys"])
def test_an_open_table_is_not_loaded_again_while_its_host(page_of: PageOf, alice: User, bob: User, what: str) -> None:
    game, page = tables.create(alice, tables.TableSpec("splendor", 3)), page_of(alice)
    page.clock.install()
    page.goto(f"/table/{game.key}/")
    field, seal = page.get_by_label("User names or email addresses"), page.get_by_text("The seal and how to check it")
    if what == "writes":
        field.fill("bo")
        page.get_by_role("heading", level=1).click()
    elif what == "reads":
        seal.click()
    else:
        page.get_by_role("button", name="Copy link").focus()
    tables.join(game, bob)
    offer = page.get_by_role("link", name="Reload the table")
    expect(offer).to_be_hidden()
    page.clock.run_for(2_000)
    expect(offer).to_be_in_viewport()
    if what == "uses keys":
        expect(page.get_by_role("button", name="Copy link")).to_be_focused()
        offer.click()
    elif what == "writes":
        field.fill("")
        page.get_by_role("heading", level=1).click()
    else:
        seal.click()
    page.clock.run_for(30_000)
    expect(page.get_by_role("heading", name="One seat is free")).to_be_visible()
    page.goto("about:blank")


def test_an_open_table_is_not_loaded_again_while_its_reader_leaves(page_of: PageOf, alice: User, bob: User) -> None:
    """In the test the answer opens in another tab, so that the page stays."""
    game, page = tables.create(alice, tables.TableSpec("splendor", 3)), page_of(bob)
    tables.join(game, bob)
    page.clock.install()
    page.goto(f"/table/{game.key}/")
    polls = list[Route]()
    page.route("**/poll/**", lambda route: polls.append(route))
    page.clock.run_for(2_000)
    poll = arrival(page, polls)
    button = page.get_by_role("button", name="Leave the table")
    button.evaluate("button => { button.form.target = '_blank' }")
    with page.expect_popup() as answer:
        button.click()
    expect(answer.value.get_by_role("heading", level=1)).to_be_visible()
    poll.fulfill(status=200)
    page.wait_for_timeout(300)
    page.clock.run_for(60_000)
    expect(page.locator("form[target=_blank]")).to_have_count(1)
    assert len(polls) == 1
