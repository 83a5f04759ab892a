"""What finished games add up to, and that counting everything again changes nothing."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import create_guest
from games.catalogue import TITLES
from games.models import ALL, CountedUser, Game, HeadToHead, Move, Seat, Tally
from games.models.position import Position
from games.pages import statistics
from games.services import play
from games.services.absence import pauses
from games.services.moderation import acts
from games.services.play.ends import conclude
from games.services.privacy import deletion
from games.services.statistics import counting
from games.services.tables import guests, tables
from games.services.work import sweep
from tests.factories import DAY, START, at, begun, person, play_well, ruleset, state, take_turn
from tests.services.statistics.sums import everything
from tests.staff import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    return person("alice")


@pytest.fixture
def bob() -> User:
    return person("bob")


@pytest.fixture
def chloe() -> User:
    return person("chloe")


def resigned(people: Sequence[User], when: datetime = START, *, title: str = "duel", loser: int = 1) -> Game:
    """A game in which everybody had two turns, and which all but one person then left."""
    with at(when):
        game = begun([*people], title)
        for _turn in range(2 * game.seats):
            take_turn(game)
        order = [*people[loser:], *people[:loser]]
        for user in order[: len(people) - 1]:
            play.resign(game, user)
    return game


def played(people: Sequence[User], when: datetime = START, *, title: str = "splendor", **scores: int) -> Game:
    """A game that was played to its end after two turns of everybody; the names with the highest score won."""
    with at(when):
        game = begun([*people], title)
        for _turn in range(2 * game.seats):
            take_turn(game)
        for name, score in scores.items():
            won = score == max(scores.values())
            Seat.objects.filter(game=game, user__username=name).update(score=score, won=won)
        ended = {"status": "finished", "ending": "played", "to_act": None, "bot_to_act": None, "ended_at": when}
        Game.objects.filter(pk=game.pk).update(deadline=None, clock_started_at=None, **ended)
        game.refresh_from_db()
        conclude(game)
    return game


def tally(user: User, seats: int = ALL, title: str = "splendor") -> Tally:
    return Tally.objects.get(user=user, title=title, seats=seats, bots=False)


def duel(user: User, opponent: User, seats: int = ALL, title: str = "splendor") -> HeadToHead:
    return HeadToHead.objects.get(user=user, opponent=opponent, title=title, seats=seats, bots=False)


def recounted() -> bool:
    """Whether counting again gives the same rows, also if there are none before."""
    counted = everything()
    for table in (Tally, HeadToHead, CountedUser):
        table._default_manager.all().delete()
    call_command("count_statistics")
    assert counted
    return everything() == counted


def test_victories_and_defeats_by_seats(alice: User, bob: User, chloe: User) -> None:
    played([alice, bob], alice=15, bob=10)
    played([alice, bob, chloe], START + DAY, alice=9, bob=17, chloe=12)
    played([alice, bob, chloe], START + 2 * DAY, alice=16, bob=16, chloe=12)
    mine = tally(alice)
    assert (mine.games, mine.won, mine.shared, mine.lost, mine.played) == (3, 1, 1, 1, 3)
    assert (mine.first_at, mine.last_at) == (START, START + 2 * DAY)
    assert [tally(alice, seats).games for seats in (2, 3)] == [1, 2]
    assert sum(games for games, _won, _even in mine.places) == 3
    assert sum(won for _games, won, _even in mine.places) == 2
    assert sum(even for _games, _won, even in mine.places) == 6 + 4 + 4


def test_head_to_head_compares_ranks(alice: User, bob: User, chloe: User) -> None:
    played([alice, bob], alice=15, bob=10)
    played([alice, bob, chloe], START + DAY, alice=9, bob=17, chloe=12)
    against = duel(chloe, alice)
    assert (against.games, against.won, against.shared, against.lost) == (1, 1, 0, 0)
    against = duel(alice, bob)
    assert (against.games, against.won, against.shared, against.lost) == (2, 1, 0, 1)
    assert (against.points, against.points_of_opponent, against.last_at) == (24, 27, START + DAY)
    assert duel(alice, bob, 2).games == 1


@pytest.mark.parametrize("title", TITLES)
def test_figures_are_those_of_the_final_position(alice: User, bob: User, title: str) -> None:
    game = begun([alice, bob], title)
    play_well(game, 1, 400)
    assert game.ending == Game.Ending.PLAYED
    seat = Seat.objects.get(game=game, user=alice)
    player = ruleset(game).observe(state(game), None).players[seat.index or 0]
    third = len(player.nobles) if title == "splendor" else player.crowns
    mine = tally(alice, title=title)
    assert mine.figures == [seat.score, len(player.cards), third]
    assert (mine.colours, mine.rounds) == ([*player.bonuses[:5]], game.round)
    moves = Move.objects.filter(game=game, seat=seat.index or 0, time_used__gt=timedelta(0))
    assert sum(mine.times.values()) == moves.count()
    assert recounted()


def test_the_first_game_with_the_most_points_is_the_record(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    games = []
    for seed in (1, 2, 4):
        games.append(begun([alice, bob]))
        play_well(games[-1], seed, 400)
    scores = [Seat.objects.get(game=game, user=alice).score for game in games]
    assert scores[0] < scores[1] == scores[2]
    mine = tally(alice)
    assert (mine.most_points, mine.most_points_game) == (max(scores), games[scores.index(max(scores))])


def test_a_time_is_kept_to_a_fifth() -> None:
    for seconds in (1, 59, 3600, 40 * 86400):
        assert counting.seconds(counting.step(seconds)) == pytest.approx(seconds, rel=0.2)


@pytest.mark.parametrize(
    ("times", "median"),
    [
        ({}, None),
        ({40: 1}, 40),
        ({40: 2, 18_000: 1}, 40),
        ({40: 1, 600: 1, 18_000: 2}, 600),
        ({40: 1, 18_000: 2}, 18_000),
    ],
)
def test_half_of_the_moves_took_the_median_time_at_most(times: dict[int, int], median: int | None) -> None:
    steps = {str(counting.step(seconds)): number for seconds, number in times.items()}
    half = {step: number // 2 for step, number in steps.items()}
    rest = {step: number - half[step] for step, number in steps.items()}
    found = statistics.median_time([Tally(times=half), Tally(times=rest)])
    assert (found and found.total_seconds()) == (median and pytest.approx(median, rel=0.2))


def test_a_game_that_somebody_left_counts_in_no_average(alice: User, bob: User) -> None:
    resigned([alice, bob])
    for user, won in ((alice, 1), (bob, 0)):
        mine = tally(user, title="duel")
        assert (mine.games, mine.won, mine.played, mine.figures, mine.most_points_game) == (1, won, 0, [], None)
    assert recounted()


def test_streaks_and_records_lead_to_their_games(alice: User, bob: User) -> None:
    games = [
        played([alice, bob], START + day * DAY, alice=points, bob=16)
        for day, points in enumerate((15, 18, 16, 22, 15, 14))
    ]
    mine = tally(alice)
    assert (mine.best_streak, mine.best_streak_game) == (3, games[3])
    assert (mine.streak, mine.last_game) == (-2, games[5])
    assert mine.fewest_rounds_game == games[1]
    assert recounted()


def test_a_game_that_commits_late_counts_in_its_place(alice: User, bob: User, chloe: User) -> None:
    games = [played([alice, bob], START + day * DAY, alice=15, bob=14) for day in (0, 1, 3, 4)]
    assert tally(alice).best_streak_game == games[3]
    # Games of another title or number of seats, with bots or of other people belong to other streaks.
    played([alice, bob, chloe], START + 3.2 * DAY, alice=15, bob=14, chloe=13)
    resigned([alice, bob], START + 3.5 * DAY)
    resigned([alice, bob], START + 5 * DAY)
    played([alice, bob], START + 2 * DAY, alice=14, bob=15)
    mine = tally(alice, seats=2)
    assert (mine.best_streak, mine.best_streak_game, mine.streak, mine.last_game) == (2, games[1], 2, games[3])
    assert (tally(alice).best_streak, tally(alice).best_streak_game) == (3, games[3])
    assert recounted()


def test_games_with_bots_are_counted_apart(alice: User, bob: User) -> None:
    resigned([alice, bob])
    with at(START):
        game = tables.create(alice, tables.TableSpec("splendor", 4, ["easy", "easy", "medium"], pace=Game.Pace.NONE))
        play.resign(game, alice)
    mine = Tally.objects.filter(user=alice, seats=ALL).order_by("bots").values_list("title", "bots", "games", "won")
    assert list(mine) == [("duel", False, 1, 1), ("splendor", True, 1, 0)]
    rows = HeadToHead.objects.filter(user=alice, seats=4, opponent=None).order_by("bot")
    assert list(rows.values_list("bot", "games")) == [("easy", 1), ("medium", 1)]
    assert recounted()


def test_a_game_without_a_result_counts_for_nobody(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], "duel")
        for user in (alice, bob):
            pauses.ask_to_stop(game, user)
    assert everything() == []


def test_a_voided_game_counts_for_nobody(alice: User, bob: User) -> None:
    resigned([alice, bob])
    once = everything()
    game = resigned([alice, bob], START + DAY)
    assert everything() != once
    acts.void(member(), game, "Given away")
    sweep.sweep()
    assert everything() == once
    assert not CountedUser.objects.filter(stale=True).exists()
    assert recounted()


def test_a_deleted_account_leaves_the_numbers_of_others(alice: User, bob: User, chloe: User) -> None:
    for day, people in enumerate(([alice, bob], [alice, chloe], [bob, chloe, alice])):
        resigned(people, START + day * DAY, title="splendor")
    counted = everything()
    deletion.delete(bob)
    opponents = {row.opponent.called.split()[0] for row in HeadToHead.objects.exclude(opponent=None) if row.opponent}
    assert opponents == {"alice", "chloe", "Deleted"}
    assert not CountedUser.objects.filter(user__is_active=False).exists()

    def nameless(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        there = (alice.pk, chloe.pk)
        kept = [row for row in rows if row["user_id"] in there]
        return sorted(({**row, "opponent_id": row.get("opponent_id") in there} for row in kept), key=str)

    assert nameless(everything()) == nameless(counted)
    assert recounted()


def test_a_guest_who_logs_in_brings_their_games(alice: User, bob: User, chloe: User) -> None:
    guest = create_guest()
    resigned([bob, guest])
    resigned([bob, chloe], title="splendor")
    assert guests.take_along(guest, alice) == []
    assert duel(chloe, bob).games == 1
    counting.count_stale()
    assert (tally(alice, title="duel").games, duel(bob, alice, title="duel").won) == (1, 1)
    assert not Tally.objects.exclude(user__in=(alice, bob, chloe)).exists()
    assert recounted()


def test_a_game_with_a_damaged_position_counts_without_figures(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], "duel")
        Position.objects.filter(game=game).update(state={})
        play.resign(game, bob)
    mine = tally(alice, title="duel")
    assert (mine.games, mine.won, mine.played) == (1, 1, 0)
    assert recounted()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_games_of_an_older_site_are_counted_after_the_upgrade(alice: User, bob: User) -> None:
    resigned([alice, bob])
    counted = everything()
    try:
        call_command("migrate", "games", "0027", verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
    assert everything() == []
    counting.count_stale()
    assert everything() == counted


def test_those_who_have_finished_a_game_are_counted_again(alice: User, bob: User, chloe: User) -> None:
    resigned([alice, bob])
    begun([alice, chloe])
    assert counting.count_all() == 2


def test_times_are_those_of_the_person(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], "duel", host_begins=True)
        take_turn(game)
        take_turn(game)
        for actor, minutes in (("user", 3), ("link", 5), ("bot", 7)):
            used = timedelta(minutes=minutes)
            Move.objects.create(game=game, number=90 + minutes, seat=0, actor=actor, made_at=START, time_used=used)
        play.resign(game, bob)
    assert tally(alice, title="duel").times == {str(counting.step(60 * minutes)): 1 for minutes in (3, 5)}


def test_a_game_writes_no_rows_of_earlier_opponents(alice: User, bob: User) -> None:
    written = []
    for number in (0, 0, 20):  # the first game makes the rows
        for place in range(number):
            other = person(f"person{place}")
            for seats in (ALL, 2):
                Tally.objects.create(user=other, title="duel", seats=seats, bots=False, first_at=START, last_at=START)
                HeadToHead.objects.create(
                    user=alice, title="duel", seats=seats, bots=False, opponent=other, last_at=START
                )
        game = begun([alice, bob], "duel")
        with CaptureQueriesContext(connection) as queries:
            play.resign(game, bob)
        written.append(sum(len(query["sql"]) for query in queries))
    assert written[2] < 1.1 * written[1]
