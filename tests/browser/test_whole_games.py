"""Whole games on a site started with one command: web server, broker, workers, bots."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from games.catalogue import TITLES
from tests.browser.keys import LONG, PHONE
from tests.browser.player import Player
from tests.live.people import PASSWORD, Person
from tests.live.site import Site, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
lengths = pytest.mark.parametrize("left", [1, pytest.param(None, marks=LONG)], ids=["short", "long"])
"""The number of decisions left after the first turns; `None` plays the whole game."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site") / "var", DJANGO_SETTINGS_MODULE="tests.live.settings")
    with site.running():
        yield site


@pytest.fixture
def enter(browser: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """A new browser in which Alice or Bob logs in, or somebody else signs up."""
    contexts = []

    def visit(name: str, **options: object) -> Page:
        context = browser.new_context(base_url=site.address, reduced_motion="reduce", **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        if name in ("alice", "bob"):
            person = Person(site.address)
            assert person.log_in(name) == 302
            context.add_cookies([{"name": k, "value": v, "url": site.address} for k, v in person.cookies.items()])
        else:
            sign_up(page, site, name)
        page.goto("/games/")
        return page

    yield visit
    for context in contexts:
        context.close()


def sign_up(page: Page, site: Site, name: str) -> None:
    page.goto("/account/signup/")
    for label, text in (("User name", name), ("Email address", f"{name}@example.org"), ("Password", PASSWORD)):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("main").get_by_role("button", name="Sign up", exact=True).click()
    page.get_by_label("Code").fill(code(site, f"{name}@example.org"))
    page.get_by_role("button", name="Continue", exact=True).click()


def code(site: Site, address: str) -> str:
    """The code in the mail to that address."""

    def codes() -> list[str]:
        mails = [path.read_text() for path in (site.var / "mail").glob("*") if f"To: {address}" in path.read_text()]
        return re.findall(r"^[B-Z]{4}-[B-Z]{4}$", "".join(mails), re.MULTILINE)

    until(codes)
    [found] = codes()
    return found


def open_table(page: Page, title: str, seats: int, bots: int) -> None:
    page.get_by_role("main").get_by_role("link", name="New table").first.click()
    page.get_by_role("radio", name=TITLES[title].ruleset.name, exact=True).check()
    page.locator("details.fold > summary").click()
    page.get_by_role("group", name="Players").get_by_role("radio", name=str(seats)).check()
    page.get_by_role("group", name="Bots").get_by_role("radio", name=str(bots)).check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*/")


def key_of(page: Page) -> str:
    return page.url.partition("/table/")[2].partition("/")[0]


def play(*players: Player, site: Site, news: Callable[[Page, Site], object], left: int | None) -> None:
    """Play everybody's first turn and then the rest, until all have seen the result."""
    if left:
        for player in sorted(players, key=lambda player: not player.is_to_move):
            if not player.is_to_move:
                news(player.page, site)
            player.turn()
        think(players[0].page, site)
        assert site.python("-m", "tests.live.late", key_of(players[0].page), str(left)).returncode == 0
        for player in players:
            news(player.page, site)
    while not all(player.is_over for player in players):
        for player in players:
            if not player.is_over and not player.is_to_move:
                news(player.page, site)
            player.turn()


def think(page: Page, site: Site) -> None:
    """Wait while the bots decide, until a person is to act or the game is over."""
    bots = f"""SELECT 1 FROM games_game JOIN games_seat ON game_id = games_game.id AND "index" = to_act
        WHERE key = '{key_of(page)}' AND user_id IS NULL"""
    until(lambda: not site.ask(bots))


def poll(page: Page, site: Site) -> None:
    """Let the page poll."""
    think(page, site)
    [(version,)] = site.ask(f"SELECT version FROM games_game WHERE key = '{key_of(page)}'")
    news = page.locator(f"#table[data-poll*='version={version}&'], #table:not([data-poll])")

    def has_come() -> bool:
        # A poll between the commit and the note in the cache brings no news, so another one may be needed.
        page.clock.fast_forward("00:30")
        return news.count() > 0

    until(has_come)


def reload(page: Page, site: Site) -> None:
    think(page, site)
    page.reload()


@lengths
@pytest.mark.parametrize(("title", "seats"), [("duel", 2), pytest.param("splendor", 4, marks=LONG)])
def test_against_bots(enter: Callable[..., Page], site: Site, title: str, seats: int, left: int | None) -> None:
    page = enter("alice")
    page.clock.install()
    open_table(page, title, seats, seats - 1)
    page.evaluate("window.unharmed = true")
    play(Player(page), site=site, news=poll, left=left)
    assert page.get_by_role("table", name="Final standings").get_by_role("row").count() == seats + 1
    assert page.evaluate("window.unharmed")


@lengths
@pytest.mark.parametrize(("title", "seats"), [("splendor", 2), pytest.param("duel", 2, marks=LONG)])
def test_without_script(enter: Callable[..., Page], site: Site, title: str, seats: int, left: int | None) -> None:
    page = enter("alice", java_script_enabled=False)
    open_table(page, title, seats, seats - 1)
    play(Player(page), site=site, news=reload, left=left)
    assert page.get_by_role("table", name="Final standings").get_by_role("row").count() == seats + 1


@lengths
@pytest.mark.parametrize("title", ["duel", pytest.param("splendor", marks=LONG)])
def test_with_keys_on_a_narrow_screen(enter: Callable[..., Page], site: Site, title: str, left: int | None) -> None:
    page = enter("alice", viewport={"width": PHONE[0], "height": PHONE[1]})
    page.clock.install()
    open_table(page, title, 2, 1)
    page.evaluate("window.unharmed = true")
    play(Player(page, keys=True), site=site, news=poll, left=left)
    assert page.get_by_role("table", name="Final standings").get_by_role("row").count() == 3
    assert page.evaluate("window.unharmed")


@lengths
@pytest.mark.parametrize("title", ["splendor", pytest.param("duel", marks=LONG)])
def test_by_touch_on_a_phone(enter: Callable[..., Page], site: Site, title: str, left: int | None) -> None:
    width, height = PHONE
    page = enter("alice", viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)
    page.clock.install()
    open_table(page, title, 2, 1)
    page.evaluate("window.unharmed = true")
    play(Player(page, touch=True), site=site, news=poll, left=left)
    assert page.get_by_role("table", name="Final standings").get_by_role("row").count() == 3
    assert page.evaluate("[unharmed, document.documentElement.scrollWidth]") == [True, width]


@lengths
def test_two_browsers(enter: Callable[..., Page], site: Site, left: int | None) -> None:
    ann, ben = enter(f"ann{left or ''}"), enter("bob")
    for page in (ann, ben):
        page.clock.install()
    open_table(ann, "duel", 2, 0)
    ben.goto(ann.get_by_role("textbox", name="Invitation link").input_value())
    ben.get_by_role("button", name="Join").click()
    ann.reload()
    for page in (ann, ben):
        page.evaluate("window.unharmed = true")
    play(Player(ann, 1), Player(ben, 2), site=site, news=poll, left=left)
    for page in (ann, ben):
        assert page.get_by_role("table", name="Final standings").get_by_role("row").count() == 3
        assert page.evaluate("window.unharmed")
    headings = [page.get_by_role("heading", level=1).inner_text() for page in (ann, ben)]
    assert sorted(heading.startswith("You won") for heading in headings) == [False, True]
