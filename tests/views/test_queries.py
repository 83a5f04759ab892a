"""The exact number of queries of each page, which does not depend on the number of games, seats and moves."""

from collections.abc import Iterator
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services import play
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from games.services.versions import polls, writing
from tests.factories import As, actor, deal, person, play_on
from tests.views.reading import address

pytestmark = pytest.mark.django_db

READER = 2
"""The session and the logged-in user."""
TABLE = 2
"""The game and its seats."""
BOARD = 3
"""The position, the newest moves, the incidents."""
OTHERS = 1
"""The number of other games that wait for a reader with a seat."""
RESULT = 4
"""The position twice more, for the outcome and the seed, the seats that are out, and the changes of ratings."""


@pytest.fixture
def people(alice: User, bob: User) -> list[User]:
    return [alice, bob, person("clara"), person("dan")]


def cost(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code in (200, 204)
    return len(queries)


SIZES = [("splendor", 2), ("splendor", 4), ("duel", 2)]


def games(people: list[User]) -> Iterator[Game]:
    """Running games with few and with many seats, each with few and with many moves and incidents."""
    for number, (title, seats) in enumerate(SIZES):
        game = deal(title, people[:seats], number)
        play_on(game, number, 5)
        yield game
        play_on(game, number, 15)
        for kind in ("bot_failed", "bot_silent"):
            writing.record(game, kind, 0)
        yield game


def test_a_board(as_: As, people: list[User], charlie: User) -> None:
    for game in games(people):
        path = address("table", game)
        for person_ in people[: game.seats]:
            expected = READER + TABLE + BOARD + OTHERS
            assert cost(as_(person_), path) == expected
            assert cost(as_(person_), f"{path}?ledger=all") == expected
        assert cost(as_(charlie), path) == READER + TABLE + BOARD
        assert cost(as_(None), path) == TABLE + BOARD


def test_looking_back(as_: As, people: list[User]) -> None:
    for game in games(people):
        for at in (1, game.number):
            # Plus the moves up to that number.
            assert cost(as_(people[0]), f"{address('table', game)}?at={at}") == READER + TABLE + BOARD + 1


def test_a_poll(as_: As, people: list[User], charlie: User) -> None:
    for game in games(people):
        game.refresh_from_db()
        path = f"{address('poll', game)}?version="
        polls.remember_written(game)
        assert cost(as_(people[0]), f"{path}{game.version}&seal={polls.seal(game, 0)}") == 0
        assert cost(as_(people[0]), f"{path}{game.version}") == READER + TABLE
        assert cost(as_(actor(game)), f"{path}0") == READER + TABLE + BOARD + OTHERS
        assert cost(as_(charlie), f"{path}0") == READER + TABLE + BOARD


def test_a_board_for_seats_only(as_: As, people: list[User]) -> None:
    for game in games(people):
        Game.objects.filter(pk=game.pk).update(audience=Game.Audience.SEATS)
        # Plus whether the reader has a seat.
        assert cost(as_(actor(game)), address("table", game)) == READER + TABLE + BOARD + OTHERS + 1


@pytest.mark.parametrize(("title", "seats"), SIZES)
def test_a_result(as_: As, people: list[User], charlie: User, title: str, seats: int) -> None:
    game = deal(title, people[:seats], 1)
    play_on(game, 1, 500)
    assert game.ending == Game.Ending.PLAYED
    path, expected = address("table", game), READER + TABLE + BOARD + RESULT
    assert cost(as_(charlie), path) == expected
    # Plus the rematch, and the write that marks the result as seen.
    assert cost(as_(people[0]), path) == expected + OTHERS + 1 + 1
    assert cost(as_(people[0]), path) == expected + OTHERS + 1


def test_the_result_of_a_resigned_game(as_: As, people: list[User]) -> None:
    for game in games(people):
        for leaver in people[1:]:
            if game.is_active and game.seat_set.filter(user=leaver).exists():
                play.resign(game, leaver)
        cost(as_(people[0]), address("table", game))
        # Only the seed, because the rules have no outcome, and the changes of ratings; plus the rematch.
        assert cost(as_(people[0]), address("table", game)) == READER + TABLE + BOARD + OTHERS + 2 + 1


def test_an_open_table(as_: As, people: list[User], charlie: User) -> None:
    for seats, bots in [(2, []), (4, ["greedy", "greedy"])]:
        plan = TableSpec("splendor", seats, bots=bots, invited=people[1 : seats - len(bots)], admission="named")
        game = tables.create(people[0], plan)
        # The guests by name and by address, the answers, and the host; then whether the host has blocked the reader or
        # taken them out, and for an invited reader whether they have blocked the host. At a rated table, whether the
        # reader has a rating.
        rated = int(not bots)
        for reader, more in ((people[0], 0), (people[1], 3), (charlie, 2)):
            assert cost(as_(reader), address("table", game)) == READER + TABLE + 4 + more + rated
            # The guests, the host and the blocks.
            assert cost(as_(reader), address("people", game)) == READER + TABLE + 3


def test_my_tables(as_: As, people: list[User]) -> None:
    alice, bob, clara, _dan = people
    rng = Random(1)

    def more(number: int) -> None:
        for _ in range(number):
            running = tables.create(alice, TableSpec("splendor", 4, bots=["greedy", "greedy"]))
            tables.join(running, bob)
            second = deal("duel", [alice, clara], rng.randrange(1000))
            play_on(second, 1, 3)
            tables.create(alice, TableSpec("splendor", 4, bots=["greedy", "greedy"]))
            tables.create(bob, TableSpec("splendor", 4, bots=["greedy", "random"], admission="open"))
            tables.create(clara, TableSpec("splendor", 2, invited=[alice], admission="named"))
            tables.join(tables.create(bob, TableSpec("splendor", 3, bots=["greedy"], audience="anyone")), clara)
            for is_seen in (True, False):
                lost = tables.create(alice, TableSpec("splendor", 4, bots=["greedy", "greedy"]))
                tables.join(lost, bob)
                play.resign(lost, bob)
                lost.seat_set.filter(user=alice).update(seen_end=is_seen)

    # Each group with its seats and their people: the reader's tables, with the moves since; the invitations, after
    # asking whether there are any; the tables open to all, and those to watch. Finally, whether there are finished
    # games, and whether mails reach the reader.
    expected = READER + 3 + 3 + 2 + 2 + 1 + 1
    more(1)
    assert cost(as_(alice), reverse("mine")) == expected
    history = cost(as_(alice), reverse("history"))
    more(9)
    assert cost(as_(alice), reverse("mine")) == expected
    # The reader's seats, their games, the seats and people of those, the changes of ratings, and the sums.
    assert cost(as_(alice), reverse("history")) == history == READER + 5
    # Plus the last game that the search looks at, and whether the reader has met somebody with that name.
    assert cost(as_(alice), reverse("history") + "?title=splendor&against=b&result=won") == history + 2


def test_next(as_: As, people: list[User]) -> None:
    alice, bob, *_ = people
    assert cost_of_next(as_(alice)) == READER + 2
    for number in range(1, 10):
        game = deal("duel", [alice, bob], number)
        if number % 2:
            play.resign(game, bob)
            # Plus the unseen results, if nothing else waits.
            assert cost_of_next(as_(alice)) == READER + (1 if is_awaited(alice) else 2)
        else:
            assert cost_of_next(as_(actor(game))) == READER + 1


def is_awaited(user: User) -> bool:
    return Game.objects.waiting_for(user).exists()


def cost_of_next(client: Client) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(reverse("next")).status_code == 302
    return len(queries)


def test_pages_of_clock_and_note(as_: As, people: list[User], charlie: User) -> None:
    for game in games(people):
        waiting = next(user for user in people if user != actor(game))
        assert cost(as_(charlie), address("clock", game)) == READER + TABLE
        # Plus whether the reader gave extra time.
        assert cost(as_(waiting), address("clock", game)) == READER + TABLE + 1
        assert cost(as_(waiting), address("note", game)) == READER + TABLE


def test_my_tables_without_a_table(as_: As, charlie: User) -> None:
    assert cost(as_(charlie), reverse("mine")) == READER + 5 + 1


def test_the_first_page(as_: As, people: list[User]) -> None:
    for _game in games(people):
        # The deal, the public tables and their seats, and the number of waiting games.
        assert cost(as_(None), reverse("home")) == 3
        assert cost(as_(people[0]), reverse("home")) == READER + 4


def test_a_new_table_and_the_question_before_resigning(as_: As, people: list[User]) -> None:
    # Plus the reader's running games, the last finished ones and their players, and the reader's last tables, with the
    # seats of those.
    assert cost(as_(people[0]), reverse("new")) == READER + 3
    for game in games(people):
        assert cost(as_(people[0]), reverse("new")) == READER + 5
        assert cost(as_(people[0]), address("resign", game)) == READER + TABLE
