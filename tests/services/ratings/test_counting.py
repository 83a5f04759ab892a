"""Which games count for ratings, in which order, and that counting everything again changes nothing."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from io import StringIO
from math import log
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import create_guest
from games.catalogue import TITLES
from games.models import Game, Pool, Rating, RatingChange, Seat
from games.services import play
from games.services.absence import timeouts
from games.services.privacy import deletion
from games.services.ratings import anchors, counting, model
from games.services.tables import tables
from tests.factories import DAY, HOUR, START, at, begun, person, run_out, take_turn

pytestmark = pytest.mark.django_db
Row = tuple[Any, ...]


def rounds(game: Game, number: int = 2) -> None:
    """Let everybody take so many turns."""
    for _turn in range(number * game.seats):
        take_turn(game)


def resigned(
    people: Sequence[User], when: datetime = START, *, turns: int = 2, title: str = "duel", **spec: Any
) -> Game:
    """A game that the first of the people won because the others resigned after so many turns."""
    with at(when):
        game = begun([*people], title, **spec)
        rounds(game, turns)
        for loser in reversed(people[1:]):
            play.resign(game, loser)
    return game


def digits() -> tuple[list[Row], list[Row]]:
    """All numbers of all ratings."""
    columns = ("pool", "user", "points", "uncertainty", "games", "played_at")
    changes = RatingChange.objects.order_by("seat").values_list()
    return list(Rating.objects.order_by("pool", "user").values_list(*columns)), list(changes)


def points(user: User) -> float:
    return Rating.objects.get(user=user).points


@pytest.fixture
def alice() -> User:
    return person("alice")


@pytest.fixture
def bob() -> User:
    return person("bob")


@pytest.fixture
def chloe() -> User:
    return person("chloe")


def test_the_winner_gains_what_the_other_loses(alice: User, bob: User) -> None:
    game = resigned([alice, bob])
    assert points(alice) > 1000 > points(bob)
    assert points(alice) + points(bob) == pytest.approx(2000)
    change = RatingChange.objects.get(seat__game=game, seat__user=alice)
    assert (change.points_before, change.points, change.weight) == (1000, points(alice), 1)
    rating = Rating.objects.select_related("pool").get(user=alice)
    assert (rating.pool.title, rating.pool.seats, rating.pool.bots, rating.games) == ("duel", 2, False, 1)


def test_a_game_that_is_too_short_counts_for_nobody(alice: User, bob: User) -> None:
    resigned([alice, bob], turns=1)
    assert digits() == ([], [])


@pytest.mark.parametrize("spec", [{"rated": False}, {"pace": Game.Pace.NONE}])
def test_a_game_without_a_clock_or_against_the_host_s_wish_counts_for_nobody(
    alice: User, bob: User, spec: dict[str, Any]
) -> None:
    assert not resigned([alice, bob], **spec).rated
    assert digits() == ([], [])


def test_a_game_with_a_guest_counts_for_nobody(alice: User) -> None:
    assert not resigned([alice, create_guest()]).rated
    assert digits() == ([], [])


def test_players_who_resigned_share_the_last_rank(alice: User, bob: User, chloe: User) -> None:
    with at(START):
        game = begun([alice, bob, chloe], "splendor")
        rounds(game)
        play.resign(game, chloe)
        Seat.objects.filter(game=game, user=bob).update(score=14)
        play.resign(game, bob)
    assert points(alice) > points(bob) == points(chloe)


def test_players_who_are_not_out_rank_by_points() -> None:
    seats = [Seat(won=True, score=15), Seat(score=9), Seat(score=14), Seat(score=9), Seat(score=20, resigned=True)]
    assert counting.ranks(seats) == [1, 3, 2, 3, 5]
    assert counting.ranks([Seat(won=True), Seat(won=True), Seat(score=30, caretaker="greedy")]) == [1, 1, 3]


def test_a_player_whose_time_ran_out_loses(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], "duel", at_zero=Game.AtZero.FORFEIT)
        rounds(game)
    loser = run_out(game).user
    assert loser
    game.refresh_from_db()
    assert not game.is_active
    assert points(loser) < 1000


def test_a_player_who_came_back_in_time_is_rated_as_played(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], "duel")
        rounds(game)
    deadline = game.deadline
    away = run_out(game).user
    assert away
    assert deadline
    with at(deadline + HOUR):
        timeouts.come_back(game, away)
        play.resign(game, bob if away == alice else alice)
    assert points(away) > 1000


def test_games_against_bots_have_a_rating_of_their_own(alice: User, bob: User) -> None:
    resigned([alice, bob])
    with at(START):
        game = tables.create(alice, tables.TableSpec("duel", 2, ["medium"], pace=Game.Pace.NONE))
        rounds(game)
        play.resign(game, alice)
    people, bots = Rating.objects.filter(user=alice).order_by("pool__bots")
    assert people.points > 1000 > bots.points
    of_bot = RatingChange.objects.get(seat__game=game, seat__bot="medium")
    measured = TITLES["duel"].ratings["medium"][2]
    assert (of_bot.points_before, of_bot.points) == (measured.points, measured.points)
    assert of_bot.uncertainty == measured.interval / 2


def test_a_fourth_game_in_thirty_days_counts_half(alice: User, bob: User) -> None:
    games = [resigned([alice, bob], START + day * DAY) for day in (0, 1, 2, 3, 40)]
    changes = RatingChange.objects.filter(seat__user=alice, seat__game__in=games).order_by("ended_at")
    assert [change.weight for change in changes] == [1, 1, 1, 0.5, 1]


def test_only_games_with_the_same_opponent_count_less(alice: User, bob: User, chloe: User) -> None:
    for day in range(4):
        resigned([alice, chloe], START + day * DAY)
    game = resigned([alice, bob], START + 4 * DAY)
    assert {change.weight for change in RatingChange.objects.filter(seat__game=game)} == {1}


def test_bots_at_the_table_are_no_opponents_met_before(alice: User, bob: User) -> None:
    for day in range(4):
        with at(START + day * DAY):
            game = tables.create(alice, tables.TableSpec("splendor", 3, ["medium"]))
            tables.join(game, bob)
            game.refresh_from_db()
            rounds(game)
            play.resign(game, bob)
    changes = RatingChange.objects.filter(seat__user=alice).order_by("ended_at", "seat__game")
    assert [change.weight for change in changes] == [1, 1, 1, 0.5]


def _season(people: Sequence[User]) -> None:
    alice, bob, chloe = people
    for day in range(3):
        resigned([alice, bob], START + day * DAY)
        resigned([chloe, alice], START + day * DAY + HOUR)
        resigned([bob, chloe, alice], START + day * DAY + 2 * HOUR, title="splendor")


def test_the_command_gives_the_same_digits(alice: User, bob: User, chloe: User) -> None:
    _season([alice, bob, chloe])
    counted = digits()
    assert len(counted[1]) == 3 * 7
    Rating.objects.update(points=0)
    call_command("rate")
    assert digits() == counted
    Rating.objects.all().delete()
    RatingChange.objects.all().delete()
    call_command("rate")
    assert [row[2:] for row in digits()[0]] == [row[2:] for row in counted[0]]
    assert digits()[1] == counted[1]


def test_a_game_that_commits_late_counts_in_its_place(alice: User, bob: User, chloe: User) -> None:
    with at(START):
        game = begun([alice, bob], "duel")
        rounds(game)
    resigned([chloe, alice], START + HOUR)
    with at(START):
        play.resign(game, bob)
    counted = digits()
    call_command("rate")
    assert digits() == counted
    first = RatingChange.objects.filter(seat__user=alice).order_by("ended_at").values_list("seat__game", flat=True)[0]
    assert first == game.pk


def test_a_game_that_ends_last_is_counted_alone(alice: User, bob: User) -> None:
    """It takes as many statements whatever ended before it, and in other pools after it."""
    statements = []
    for day in range(1, 4):
        resigned([alice, bob], START + 9 * DAY, title="splendor")
        with CaptureQueriesContext(connection) as queries:
            resigned([alice, bob], START + day * DAY)
        statements.append(sum("games_rating" in query["sql"] for query in queries))
    assert statements[1] == statements[2]


def test_bots_keep_the_rating_of_their_game(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(START):
        game = tables.create(alice, tables.TableSpec("duel", 2, ["medium"], pace=Game.Pace.NONE))
        rounds(game)
        play.resign(game, alice)
    counted = digits()
    monkeypatch.setattr(counting, "_anchor", lambda *_: model.Rating(3000, 50))
    call_command("rate")
    assert digits() == counted


def test_deletion_and_renaming_leave_the_numbers(alice: User, bob: User, chloe: User) -> None:
    _season([alice, bob, chloe])
    ratings, changes = digits()
    User.objects.filter(pk=bob.pk).update(username="robert")
    others = [row for row in ratings if row[1] in (alice.pk, bob.pk)]
    deletion.delete(chloe)
    assert [row for row in digits()[0] if row[1] in (alice.pk, bob.pk)] == others
    assert digits()[1] == changes
    call_command("rate")
    assert [row for row in digits()[0] if row[1] in (alice.pk, bob.pk)] == others
    assert digits()[1] == changes
    resigned([alice, bob], START + timedelta(days=5))


def test_a_game_that_no_longer_counts_leaves_the_ratings(alice: User, bob: User, chloe: User) -> None:
    resigned([alice, bob])
    once = digits()
    game = resigned([alice, chloe], START + DAY)
    resigned([alice, bob], START + 2 * DAY)
    Game.objects.filter(pk=game.pk).update(rated=False)
    game.refresh_from_db()
    counting.void(game)
    counting.count_stale()
    assert Rating.objects.get(user=alice).games == 2
    assert not Rating.objects.filter(user=chloe).exists()
    assert digits()[1][:2] == once[1]
    counted = digits()
    call_command("rate")
    assert digits() == counted


def test_many_later_games_are_counted_in_parts(
    alice: User, bob: User, chloe: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "GAMES_AT_ONCE", 2)
    first = resigned([alice, bob])
    for day, loser in enumerate([alice, bob, chloe, alice, bob], 1):
        resigned([loser, chloe if loser != chloe else bob], START + day * DAY)
    Game.objects.filter(pk=first.pk).update(rated=False)
    first.refresh_from_db()
    counting.void(first)
    monkeypatch.setattr(counting, "SECONDS", 0.0)
    counting.count_stale()
    assert Pool.objects.filter(stale_since__isnull=False).exists()
    monkeypatch.setattr(counting, "SECONDS", 60.0)
    counting.count_stale()
    assert not Pool.objects.filter(stale_since__isnull=False).exists()
    counted = digits()
    call_command("rate")
    assert digits() == counted


def test_a_voided_game_is_undone_even_if_two_later_ones_end_out_of_order(alice: User, bob: User, chloe: User) -> None:
    game = resigned([alice, chloe])
    with at(START + DAY):
        late = begun([alice, bob], "duel")
        rounds(late)
    Game.objects.filter(pk=game.pk).update(rated=False)
    game.refresh_from_db()
    counting.void(game)
    resigned([alice, bob], START + 2 * DAY)
    with at(START + DAY):
        play.resign(late, bob)
    # The two wait for the counting, which is too long for a move.
    assert not RatingChange.objects.filter(seat__game__in=Game.objects.exclude(pk=game.pk)).exists()
    counting.count_stale()
    assert not Rating.objects.filter(user=chloe).exists()
    counted = digits()
    call_command("rate")
    assert digits() == counted


def test_nothing_to_count_takes_one_query(alice: User, bob: User, django_assert_num_queries: Any) -> None:
    resigned([alice, bob])
    with django_assert_num_queries(1):
        counting.count_stale()


def test_without_the_latest_game_ratings_are_as_before_it(alice: User, bob: User) -> None:
    resigned([alice, bob])
    once = digits()
    game = resigned([alice, bob], START + DAY)
    Game.objects.filter(pk=game.pk).update(rated=False)
    game.refresh_from_db()
    counting.void(game)
    counting.count_stale()
    assert digits() == once


def test_ratings_of_bots_are_proposed_from_games_with_people(alice: User) -> None:
    with at(START):
        for number in range(anchors.FEWEST):
            game = tables.create(alice, tables.TableSpec("duel", 2, ["medium"], pace=Game.Pace.NONE))
            rounds(game)
            if number % 4:
                play.resign(game, alice)
            else:
                Game.objects.filter(pk=game.pk).update(status="finished", to_act=None, bot_to_act=None, ended_at=START)
                Seat.objects.filter(game=game, user=alice).update(won=True)
                game.refresh_from_db()
                counting.count(game)
    assert not list(anchors.propose())
    pool = Pool.objects.create(title="duel", seats=2, bots=False)
    Rating.objects.create(pool=pool, user=alice, points=1200, uncertainty=50, games=60, played_at=START)
    (proposal,) = anchors.propose()
    assert (proposal.title, proposal.seats, proposal.bot, proposal.duels) == ("duel", 2, "medium", anchors.FEWEST)
    # The bot won three of four games: in Elo's formula 191 points above the person.
    assert abs(proposal.rating.points - 1391) < 60
    chance = 1 / (1 + 10 ** ((1200 - proposal.rating.points) / 400))
    known = 1 / (2 * model.SPREAD) ** 2 + anchors.FEWEST * chance * (1 - chance) * (log(10) / 400) ** 2
    assert proposal.rating.interval == pytest.approx(1.96 / known**0.5, abs=1)
    out = StringIO()
    call_command("rate", "--bots", stdout=out)
    assert out.getvalue().startswith('duel: "medium": {2: Rating(')
    # A voided game says nothing about the bot.
    Game.objects.filter(pk=game.pk).update(rated=False)
    game.refresh_from_db()
    counting.void(game)
    counting.count_stale()
    assert not list(anchors.propose())
