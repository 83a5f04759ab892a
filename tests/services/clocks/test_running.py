"""The clocks of a running game."""

from datetime import time, timedelta

import pytest

from accounts.models import User
from games.models import Game, Seat, Vacation
from games.services import play
from games.services.clocks.moment import ago, now
from games.services.play import endings
from tests.factories import DAY, HOUR, START, acting, at, begun, decide, must_return, take_turn

pytestmark = pytest.mark.django_db


def bank(seat: Seat) -> timedelta | None:
    return Seat.objects.get(pk=seat.pk).bank


def test_a_turn_takes_from_the_bank_and_earns_the_increment(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob])
    assert (game.clock_started_at, game.deadline) == (START, START + 3 * DAY)
    with at(START + 30 * HOUR):
        first = take_turn(game)
    assert bank(first) == (72 - 30 + 12) * HOUR
    assert (game.clock_started_at, game.deadline) == (START + 30 * HOUR, START + 30 * HOUR + 3 * DAY)
    assert game.turn_number == game.number
    with at(START + 31 * HOUR):
        second = take_turn(game)
    # 71 hours are left and 12 are added; the sum is below the cap of seven days.
    assert bank(second) == 83 * HOUR
    assert game.deadline == START + 31 * HOUR + (72 - 30 + 12) * HOUR


def test_the_bank_never_passes_the_cap(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob])
        for _turn in range(30):
            take_turn(game)
    assert set(Seat.objects.filter(game=game).values_list("bank", flat=True)) == {7 * DAY}


def test_a_pace_in_days_gives_them_for_every_turn(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], pace="days", days=2)
    assert game.deadline == START + 2 * DAY
    with at(START + DAY):
        seat = take_turn(game)
    assert (bank(seat), game.deadline) == (2 * DAY, START + 3 * DAY)


def test_without_a_pace_no_clock_runs(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], pace="none")
    assert (game.clock_started_at, game.deadline) == (None, None)
    with at(START + DAY):
        seat = take_turn(game)
    assert (game.deadline, bank(seat)) == (None, None)
    assert game.move_set.order_by("number")[0].time_used == DAY


def test_a_turn_of_two_decisions_earns_once_and_keeps_its_deadline(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob])
        while not must_return(game):
            decide(game, prefer="take")
    seat = acting(game)
    before, deadline, turn = bank(seat), game.deadline, game.turn_number
    assert before is not None
    with at(START + HOUR):
        decide(game, prefer="reserve L1")
    assert (game.to_act, game.turn_number, game.deadline) == (seat.index, turn, deadline)
    assert bank(seat) == before - HOUR
    with at(START + 3 * HOUR):
        decide(game, prefer="return")
    assert game.turn_number == game.number
    assert bank(seat) == min(before - 3 * HOUR + 12 * HOUR, 7 * DAY)
    times = [move.time_used for move in game.move_set.order_by("-number")[:2]]
    assert times == [2 * HOUR, HOUR]


def test_quiet_hours_of_a_turn_are_those_at_its_start(alice: User, bob: User) -> None:
    for user in (alice, bob):
        user.time_zone, user.quiet_from, user.quiet_until = "Europe/Paris", time(23), time(8)
        user.save()
    with at(START + 12 * HOUR):  # two in the morning in Paris
        game = begun([alice, bob])
    # Three days later it is two in the morning again, so the clock runs out at eight, in summer time.
    assert game.deadline == START + 3 * DAY + 18 * HOUR
    User.objects.update(quiet_from=None, quiet_until=None)
    with at(START + 13 * HOUR):
        game.refresh_from_db()
        assert game.quiet == {"zone": "Europe/Paris", "start": "23:00:00", "end": "08:00:00", "days_off": []}
        take_turn(game)
    assert game.deadline == START + 13 * HOUR + 3 * DAY


def test_a_vacation_defers_the_deadline_if_the_table_allows_it(alice: User, bob: User) -> None:
    for user in (alice, bob):
        Vacation.objects.create(user=user, begins_at=START + DAY, ends_at=START + 8 * DAY)
    with at(START):
        game = begun([alice, bob])
        assert game.deadline == START + 10 * DAY
    Game.objects.filter(pk=game.pk).update(vacations=False)
    game.refresh_from_db()
    with at(START + HOUR):
        take_turn(game)
    assert game.deadline == START + HOUR + 3 * DAY


def test_no_clock_runs_while_a_bot_is_to_act(alice: User) -> None:
    with at(START):
        game = begun([alice], bots=1)
        if acting(game).user == alice:
            take_turn(game)
    assert acting(game).acting_bot == "greedy"
    assert (game.clock_started_at, game.deadline) == (None, None)
    with at(START + HOUR):
        take_turn(game)
    assert (game.clock_started_at, game.deadline is None) == (START + HOUR, False)


def test_the_end_stops_the_clock(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob])
        play.resign(game, alice)
    game.refresh_from_db()
    assert (game.clock_started_at, game.deadline) == (None, None)


def test_ago_can_be_nested() -> None:
    with at(START), ago(DAY):
        assert now() == START - DAY
        with ago(HOUR):
            assert now() == START - DAY - HOUR
        assert now() == START - DAY


@pytest.mark.parametrize(
    ("lasted", "told"),
    [(timedelta(seconds=59), "less than a minute"), (timedelta(minutes=1), "1 minute"), (DAY + HOUR, "1 day")],
)
def test_a_finished_game_has_a_duration(duel: Game, alice: User, lasted: timedelta, told: str) -> None:
    play.resign(duel, alice)
    Game.objects.update(started_at=START, ended_at=START + lasted)
    game = Game.objects.with_seats().get()
    ending = endings.of(game, list(game.seat_set.all()), ["alice", "bob"], play.look(game, alice))
    assert ending.facts.replace("\xa0", " ").startswith(f"0 moves in {told}, ended ")


@pytest.mark.parametrize("later", [1, 2])
def test_a_resignation_of_another_player_leaves_the_clock_running(
    alice: User, bob: User, charlie: User, later: int
) -> None:
    with at(START):
        game = begun([alice, bob, charlie])
        take_turn(game)
        assert game.to_act == 1
        deadline, leaver = game.deadline, game.seat_set.get(index=(game.to_act + later) % 3).user
        assert leaver is not None
        play.resign(game, leaver)
    game.refresh_from_db()
    assert (game.deadline, game.clock_started_at) == (deadline, START)
