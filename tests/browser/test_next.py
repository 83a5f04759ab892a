"""Two people go from table to table with `/next/` only, each in a browser."""

import re
from itertools import count, islice
from random import Random
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Seat
from games.services import play
from tests.browser.keys import DESK, LONG, WAYS, PageOf
from tests.browser.player import Player
from tests.factories import actor, deal, put, to_the_end

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

DEALS = [("splendor", 1), ("duel", 2), ("splendor", 3), ("duel", 4), ("splendor", 5)]


def near_the_end(title: str, people: list[User], seed: int, left: int) -> Game:
    """A game that two greedy bots would end after that many more decisions."""
    game = deal(title, people, seed)
    rng = Random(seed)
    start = TITLES[title].ruleset.initial(2, rng.randbytes(32))
    put(game, to_the_end(title, start, rng)[-left][0])
    return game


class Traveller:
    """A player who knows one address, and leaves each table by the link or the key."""

    def __init__(self, page: Page, seed: int, *, by_key: bool) -> None:
        self.page, self.player, self.by_key = page, Player(page, seed), by_key
        self.visited: list[str] = []
        page.on("framenavigated", lambda frame: self.visited.append(urlsplit(frame.url).path))

    def round(self) -> None:
        """Decide at every table that waits, and look at each result, until there is nothing more to do."""
        self.page.goto(reverse("next"))
        while "/table/" in self.page.url:
            self.player.turn()
            onward = self.page.get_by_role("link", name="Next").filter(visible=True)
            if not onward.count():
                return
            with self.page.expect_navigation():
                if self.by_key:
                    self.page.keyboard.press("n")
                else:
                    onward.first.click()

    @property
    def has_nothing_left(self) -> bool:
        self.page.goto(reverse("next"))
        return self.page.url.endswith(reverse("mine"))


@pytest.mark.parametrize(("number", "left"), [(2, 1), pytest.param(5, 8, marks=LONG)])
def test_two_people_can_play_by_next_only(page_of: PageOf, alice: User, bob: User, number: int, left: int) -> None:
    games = [near_the_end(title, [alice, bob], seed, left) for title, seed in DEALS[:number]]
    assert {actor(game) for game in games} == {alice, bob}
    width, height = DESK
    travellers = [
        Traveller(page_of(alice, viewport={"width": width, "height": height}), 1, by_key=False),
        Traveller(page_of(bob, viewport={"width": width, "height": height}), 2, by_key=True),
    ]
    for _ in range(40):
        for traveller in travellers:
            traveller.round()
        if all(traveller.has_nothing_left for traveller in travellers):
            break
    assert [game.status for game in Game.objects.all()] == ["finished"] * number
    # Both players have seen every result.
    assert not Seat.objects.filter(seen_end=False).exists()
    tables = {reverse("table", args=[game.key]) for game in games}
    for traveller in travellers:
        # The journey ends at the dashboard, which has no link onward; the player types the address again.
        assert set(traveller.visited) == tables | {reverse("mine")}


@WAYS
def test_a_line_after_a_move_offers_the_next_table(
    page_of: PageOf, alice: User, bob: User, size: tuple[int, int], script: bool
) -> None:
    deals = (deal("duel", [alice, bob], seed) for seed in count())
    games = list(islice((game for game in deals if actor(game) == alice), 2))
    path = reverse("table", args=[games[0].key])
    take = next(str(action) for action in play.look(games[0], alice).legal if action.word == "take")
    page = page_of(alice, viewport={"width": size[0], "height": size[1]}, java_script_enabled=script)
    page.goto(f"{path}?draft={take}")
    page.get_by_role("button", name="Take ").click()
    expect(page.get_by_role("heading", name=re.compile("^You took "))).to_be_visible()
    if size == DESK:
        expect(page.get_by_text("bob is next and has until")).to_be_visible()
    line = page.locator(".onward")
    expect(line.get_by_role("link", name="Note")).to_be_visible()
    line.get_by_role("link", name="Note").click()
    page.get_by_label("Your note").fill("Take white first.")
    page.get_by_role("button", name="Save the note").click()
    line.get_by_role("button", name="Later", exact=True).click()
    expect(page).to_have_url(re.compile(reverse("table", args=[games[1].key]) + "$"))
    page.goto(path)
    expect(line.get_by_role("button", name="Put back in the queue")).to_be_visible()
    expect(line.get_by_role("link", name="Next (1 waiting)")).to_be_visible()
    # On a phone the rail leads to the dashboard.
    rail = page.get_by_role("banner").get_by_role("link", name="Your tables")
    (line.get_by_role("link", name="Your tables") if size == DESK else rail).click()
    expect(page).to_have_url(re.compile(f"{reverse('mine')}$"))
