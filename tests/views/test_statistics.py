"""The page of statistics, and the ways there."""

import re
from datetime import timedelta
from html import unescape
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game, HeadToHead, Tally
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import tables
from games.wording import times
from tests.factories import DAY, START, As, acting, at, begun, put, state, take_turn, to_the_end
from tests.views.reading import text

pytestmark = pytest.mark.django_db
PAGE = "/games/statistics/"


def finished(winner: User, loser: User, title: str = "duel", day: int = 0) -> Game:
    """A game that the loser resigned."""
    with at(START + day * DAY):
        game = begun([winner, loser], title)
        play.resign(game, loser)
    return game


def end(game: Game) -> None:
    """Play the game well to its end; only the last decision is stored as a move."""
    last, action = to_the_end(game.title, state(game), Random(1))[-1]
    put(game, last)
    play.submit(game, play.Actor(acting(game).user), game.number, [str(action)])
    game.refresh_from_db()


@pytest.fixture
def won(alice: User, bob: User) -> Game:
    """A game of Splendor that was played to its end, and a resigned one of Duel before."""
    finished(bob, alice)
    with at(START + DAY):
        game = begun([alice, bob], "splendor")
        end(game)
    return game


def test_the_page_shows_the_games_of_the_latest_kind(as_: As, alice: User, won: Game) -> None:
    page = as_(alice).get(PAGE).content
    words, mine = text(page), Tally.objects.get(user=alice, title="splendor", seats=0)
    assert "1 finished game since May 2026" in words
    points, cards, nobles = mine.figures
    assert f"Points {points}.0 per game Cards {cards}.0 per game Nobles {nobles}.0 per game" in words
    assert f"Rounds {won.round}.0 per game" in words
    assert f'href="/table/{won.key}/"' in page.decode()
    assert "bob 1" in words


def test_the_address_chooses_title_seats_and_opponents(as_: As, alice: User, won: Game) -> None:
    client = as_(alice)
    assert "0 won, 1 lost, 0 shared" in text(client.get(PAGE + "?title=duel").content)
    assert "0% 0 of 1" in text(client.get(PAGE + "?title=duel&seats=7&with=people").content)
    assert "1 finished game" in text(client.get(PAGE + "?title=splendor&seats=2").content)
    for query in ("?title=splendor&seats=3", "?title=splendor&with=bots", "?title=chess&with=bots"):
        assert "You haven’t finished a game of this kind yet." in text(client.get(PAGE + query).content)
    page = " ".join(unescape(client.get(PAGE + "?title=splendor&seats=2").content.decode()).split())
    assert 'href="?title=splendor&seats=2&with=people" aria-current="true"' in page
    assert as_(None).get(PAGE).status_code == 302


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (42, "42 s"), (89, "1 min"), (3500, "58 min"), (6500, "1 h 50 min")]
)
def test_the_time_of_a_move_is_told_to_a_few_minutes(seconds: int, words: str) -> None:
    assert times.taken(timedelta(seconds=seconds)) == words


def test_games_against_bots_are_shown_apart(as_: As, alice: User, bob: User) -> None:
    finished(alice, bob)
    game = tables.create(alice, tables.TableSpec("duel", 2, ["easy"], pace=Game.Pace.NONE))
    play.resign(game, alice)
    client = as_(alice)
    assert "Easy bot 1 0 0 1" in text(client.get(PAGE + "?title=duel").content)
    words = text(client.get(PAGE + "?title=duel&with=people").content)
    assert "bob 1 1 0 0" in words
    assert "Easy bot" not in words


def test_the_history_counts_the_same_games(as_: As, alice: User, bob: User, won: Game) -> None:
    page = as_(alice).get(reverse("history")).content
    winners = {seat.user for seat in won.seat_set.select_related("user") if seat.won}
    here = (0, 1, 1) if len(winners) > 1 else (1, 1, 0) if alice in winners else (0, 2, 0)
    assert "2 finished games since May 2026: {} won, {} lost, {} shared".format(*here) in text(page)
    for name in ("history", "mine"):
        assert f'href="{PAGE}"' in as_(alice).get(reverse(name)).content.decode()


def test_the_rating_is_drawn_beside(as_: As, alice: User, bob: User) -> None:
    for day in range(2):
        with at(START + day * DAY):
            game = begun([alice, bob], "splendor")
            for _turn in range(4):
                take_turn(game)
            play.resign(game, bob)
    page = as_(alice).get(PAGE + "?seats=2").content
    assert page.decode().count('class="curve-line"') == 2
    assert "The rating in numbers" in text(page)
    words = text(as_(alice).get(PAGE).content)
    assert "Splendor · 2 players" in words


def test_many_games_and_opponents_cost_the_same(as_: As, alice: User, bob: User, won: Game) -> None:
    client = as_(alice)
    client.get(PAGE)
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    for day in range(-8, 0):
        finished(bob, alice, "splendor", day)
    people = User.objects.bulk_create(User(username=f"player{n}", name_key=f"player{n}") for n in range(120))
    HeadToHead.objects.bulk_create(
        HeadToHead(user=alice, opponent=person, title="splendor", seats=0, bots=False, games=2, won=1, last_at=now())
        for person in people
    )
    with CaptureQueriesContext(connection) as many:
        page = client.get(PAGE).content
    assert "9 finished games" in text(page)
    assert len(many) == len(few)
    assert page.decode().count("?against=") == 10
    assert "All opponents" in text(page)


@pytest.mark.parametrize("name", ["statistics", "opponents"])
def test_opponents_are_read_in_the_order_of_an_index(as_: As, alice: User, won: Game, name: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        as_(alice).get(reverse(name) + "?title=splendor&with=people")
    [sql] = (query["sql"] for query in queries if 'FROM "games_headtohead"' in query["sql"])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        plan = str(cursor.fetchall())
    assert "opponents_by" in plan
    assert "TEMP B-TREE" not in plan


def test_all_opponents_are_listed_on_pages(as_: As, alice: User, won: Game) -> None:
    people = User.objects.bulk_create(User(username=f"player{n}", name_key=f"player{n}") for n in range(30))
    kind: dict[str, Any] = {"user": alice, "title": "splendor", "seats": 0, "bots": False, "games": 1}
    HeadToHead.objects.bulk_create(HeadToHead(**kind, opponent=person, last_at=now()) for person in people)
    client, address = as_(alice), reverse("opponents") + "?title=splendor&with=people"
    first = client.get(address).content.decode()
    [older] = re.findall(r'href="(\?[^"]*older=[^"]*)"', first)
    second = client.get(reverse("opponents") + unescape(older)).content.decode()
    found = [re.findall(r"\?against=(\w+)", page) for page in (first, second)]
    assert [len(names) for names in found] == [20, 11]
    assert {*found[0], *found[1]} == {"bob", *(person.username for person in people)}
