"""The statistics are sound on every screen, with long names and large numbers, and their filters work without a
script."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from games.models import HeadToHead, Tally
from games.services import play
from games.services.clocks.moment import now
from tests.axe import Faults
from tests.browser.keys import DESK, PHONE, WAYS, PageOf
from tests.browser.screens import faults as misfits
from tests.factories import DAY, START, at, begun, person, take_turn

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ADDRESSES = ("?title=splendor&seats=2", "?title=splendor", "?title=duel&with=bots")


@pytest.fixture
def many(alice: User, bob: User) -> None:
    """Rated games of Splendor for two, and numbers as after thousands of games."""
    for day in range(3):
        with at(START + day * DAY):
            game = begun([alice, bob], "splendor")
            for _turn in range(4):
                take_turn(game)
            play.resign(game, (bob, alice)[day % 2])
    for tally in Tally.objects.filter(user=alice):
        tally.games, tally.won, tally.shared, tally.played = 4218, 1905, 66, 4100
        tally.figures, tally.rounds, tally.colours = [50840, 48380, 3690], 59860, [820, 1010, 1250, 725, 1010]
        tally.places = [[2120, 1030, 2120 * 6], [2098, 941, 2098 * 6]]
        tally.times = {"20": 300, "51": 400, "60": 200}
        tally.most_points, tally.fewest_rounds, tally.best_streak, tally.streak = 22, 11, 19, -2
        tally.most_points_game = tally.fewest_rounds_game = tally.best_streak_game = tally.last_game
        tally.save()
        for place, letter in enumerate("ABCDEFGHJKMN"):
            HeadToHead.objects.create(
                user=alice,
                opponent=person("W" * 18 + letter) if tally.seats == 0 else person(f"peer{place}"),
                title="splendor",
                seats=tally.seats,
                bots=False,
                games=1214 // (place + 1),
                won=498 // (place + 1),
                shared=37 // (place + 1),
                played=1000,
                points=12600,
                points_of_opponent=13100,
                last_at=now(),
            )


@WAYS
def test_a_person_chooses_games(page_of: PageOf, alice: User, many: None, size: tuple[int, int], script: bool) -> None:
    page = page_of(alice, viewport={"width": size[0], "height": size[1]}, java_script_enabled=script)
    page.goto(reverse("history"))
    page.get_by_role("link", name="Statistics").click()
    page.get_by_role("link", name="2", exact=True).click()
    expect(page.get_by_role("heading", name="Rating", exact=True)).to_be_visible()
    page.get_by_text("The rating in numbers").click()
    expect(page.locator(".rated-games tbody tr")).to_have_count(3)
    page.get_by_role("link", name="Splendor Duel", exact=True).click()
    expect(page.get_by_text("You haven’t finished a game of this kind yet.")).to_be_visible()


def test_the_statistics_are_sound_on_every_screen(page_of: PageOf, faults: Faults, alice: User, many: None) -> None:
    page = page_of(alice)
    addresses = [reverse("statistics") + query for query in ADDRESSES]
    for address in (*addresses, reverse("opponents") + ADDRESSES[1]):
        page.goto(address)
        assert misfits(page, [(320, 640), PHONE, (768, 1024), DESK]) == []
        assert faults(page) == []
