"""Pauses and vacations stop clocks, and extra time extends them; no other time is lost or gained."""

from datetime import time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import User
from games.models import Game, Incident, Notice, Seat, Vacation
from games.services import play
from games.services.absence import pauses, vacations
from games.services.clocks import running
from games.services.clocks.moment import now
from games.services.work import sweep
from tests.factories import (
    DAY,
    HOUR,
    START,
    acting,
    at,
    begun,
    decide,
    each_began,
    kinds,
    person,
    run_out,
    table,
    take_turn,
    told_all,
)

pytestmark = pytest.mark.django_db


def test_a_pause_begins_when_all_agree_and_keeps_the_time_left(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob])
        each_began(game)
    seat, deadline = acting(game), game.deadline
    assert deadline is not None
    with at(START + 10 * HOUR):
        pauses.ask(game, alice)
        pauses.ask(game, alice)
        game.refresh_from_db()
        assert (game.paused_at, game.deadline) == (None, deadline)
        pauses.ask(game, bob)
        game.refresh_from_db()
        assert (game.paused_at, game.deadline, game.clock_started_at) == (now(), None, None)
    seat.refresh_from_db()
    assert seat.bank == deadline - START - 10 * HOUR
    with at(START + 30 * DAY):
        sweep.sweep()
        pauses.resume(game, bob)
        pauses.resume(game, bob)
    game.refresh_from_db()
    assert game.deadline == deadline + 30 * DAY - 10 * HOUR
    assert kinds(game)[-3:] == ["asked_pause", "paused", "resumed"]
    with at(START + 30 * DAY + HOUR):
        decide(game)
    assert game.move_set.order_by("-number")[0].time_used == 11 * HOUR


def test_the_sweep_begins_a_pause_whose_task_was_lost(alice: User, bob: User) -> None:
    """The last player who has not asked leaves."""
    clara = person("clara")
    game = table([alice, bob, clara])
    pauses.ask(game, alice)
    pauses.ask(game, bob)
    play.resign(game, clara)
    sweep.sweep()
    game.refresh_from_db()
    assert game.paused_at


def test_nobody_asks_again_who_has_just_withdrawn(alice: User, bob: User) -> None:
    clara = person("clara")
    game = table([alice, bob, clara])
    for ask in (pauses.ask, pauses.ask_to_stop):
        ask(game, alice)
        ask(game, bob)
    play.resign(game, clara)
    read = Game.objects.with_seats().get(pk=game.pk)
    list(read.seat_set.all())
    for user in (alice, bob):
        pauses.withdraw(game, user)
        pauses.play_on(game, user)
    pauses.settle(read)
    game.refresh_from_db()
    assert (game.paused_at, game.status) == (None, Game.Status.ACTIVE)
    assert not Seat.objects.filter(game=game, wants_pause=True).exists()


def test_a_request_for_a_pause_can_be_withdrawn(alice: User, bob: User) -> None:
    game = table([alice, bob])
    with at(START + HOUR):
        pauses.ask(game, alice)
        pauses.withdraw(game, alice)
        pauses.ask(game, bob)
    game.refresh_from_db()
    assert game.paused_at is None


def test_a_withdrawn_request_leaves_those_of_the_others(alice: User, bob: User) -> None:
    game = table([alice, bob, person("clara")])
    for user in (alice, bob):
        pauses.ask(game, user)
    pauses.withdraw(game, alice)
    assert [seat.user for seat in Seat.objects.filter(game=game, wants_pause=True)] == [bob]


def test_moves_in_a_pause_start_no_clock(alice: User, bob: User) -> None:
    game = table([alice, bob])
    with at(START + HOUR):
        pauses.ask(game, alice)
        pauses.ask(game, bob)
    with at(START + DAY):
        seat = take_turn(game)
        seat.refresh_from_db()
        assert seat.bank == (72 + 12 - 1 + 12) * HOUR
        assert (game.deadline, game.clock_started_at) == (None, None)
        assert game.move_set.order_by("-number")[0].time_used == HOUR
    with at(START + 2 * DAY):
        pauses.resume(game, alice)
        game.refresh_from_db()
        assert game.deadline == now() + 84 * HOUR


def test_only_players_of_a_game_with_a_clock_can_pause(alice: User, bob: User, charlie: User) -> None:
    game = table([alice, bob])
    with at(START):
        for act in (pauses.ask, pauses.resume, pauses.more_time):
            with pytest.raises(play.NotYours):
                act(game, charlie)
        slow = begun([alice, bob], pace="none")
        with pytest.raises(pauses.ClockRefusal, match="no_clock"):
            pauses.ask(slow, alice)


def test_extra_time_is_given_once_for_each_decision(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat, deadline = acting(game), game.deadline
    assert deadline is not None
    assert seat.user is not None
    [giver] = {alice, bob} - {seat.user}
    with at(START + HOUR):
        for _click in range(2):
            pauses.more_time(game, giver)
        with pytest.raises(pauses.ClockRefusal, match="own_clock"):
            pauses.more_time(game, seat.user)
    game.refresh_from_db()
    assert game.deadline == deadline + DAY
    assert Incident.objects.filter(kind="gave_time").count() == 1
    with at(START + HOUR):
        for _turn in range(2):
            take_turn(game)
        deadline = game.deadline
        assert deadline is not None
        pauses.more_time(game, giver)
    game.refresh_from_db()
    assert game.deadline == deadline + DAY


def test_a_player_without_time_gets_a_whole_day_more(alice: User, bob: User) -> None:
    game = table([alice, bob])
    game.at_zero = "wait"
    game.save()
    seat = run_out(game)
    [giver] = {alice, bob} - {seat.user}
    with at(START + 20 * DAY):
        pauses.more_time(game, giver)
        game.refresh_from_db()
        assert game.deadline == now() + DAY


@pytest.mark.parametrize("automatic", [False, True])
def test_a_clock_that_has_run_out_stays_at_zero_after_a_pause(alice: User, bob: User, automatic: bool) -> None:
    """Nobody is told again, and no vacation begins."""
    game = table([alice, bob])
    Game.objects.update(at_zero="wait")
    seat = run_out(game)
    [other] = {alice, bob} - {seat.user}
    User.objects.update(automatic_vacation=automatic)
    told = Notice.objects.filter(kind="absence").count()
    with at(START + 20 * DAY):
        for user in (alice, bob):
            pauses.ask(game, user)
    with at(START + 30 * DAY):
        pauses.resume(game, other)
        told_all()
        sweep.sweep()
    game.refresh_from_db()
    assert (game.paused_at, game.deadline, kinds(game).count("overtime")) == (None, None, 1)
    assert (Notice.objects.filter(kind="absence").count(), Vacation.objects.count()) == (told, 0)


def test_a_pause_leaves_the_time_that_quiet_hours_give(alice: User, bob: User) -> None:
    """A clock that comes to its end at night runs out in the morning; a pause at night takes nothing of that away."""
    for user in (alice, bob):
        user.quiet_from, user.quiet_until = time(22), time(8)
        user.save()
    game = table([alice, bob])
    seat, night = acting(game), START.replace(hour=3) + DAY
    [other] = {alice, bob} - {seat.user}
    Seat.objects.filter(pk=seat.pk).update(bank=night - HOUR - START)
    Game.objects.filter(pk=game.pk).update(deadline=night + 5 * HOUR)
    game.refresh_from_db()
    with at(night):
        for user in (alice, bob):
            pauses.ask(game, user)
    with at(night + 9 * HOUR):
        pauses.resume(game, other)
        sweep.sweep()
    game.refresh_from_db()
    seat.refresh_from_db()
    assert (game.deadline, seat.caretaker) == (night + 14 * HOUR, "")


def test_a_pause_gives_no_day_off_twice(alice: User, bob: User) -> None:
    """The clock would have come to its end on Friday night, and Saturday and Sunday are off."""
    for user in (alice, bob):
        user.quiet_from, user.quiet_until, user.days_off = time(22), time(8), [5, 6]
        user.save()
    game = table([alice, bob])
    seat, friday = acting(game), START + 4 * DAY
    game.clock_started_at, seat.bank = friday, 11 * HOUR
    Game.objects.filter(pk=game.pk).update(clock_started_at=friday)
    Seat.objects.filter(pk=seat.pk).update(bank=seat.bank)
    game.refresh_from_db()
    monday = running.deadline(game, seat)
    assert monday == START + 7 * DAY - 4 * HOUR
    Game.objects.filter(pk=game.pk).update(deadline=monday)
    with at(friday + 11 * HOUR + HOUR / 2):
        for user in (alice, bob):
            pauses.ask(game, user)
    with at(friday + 11 * HOUR + 3 * HOUR / 4):
        pauses.resume(game, next(iter({alice, bob} - {seat.user})))
    game.refresh_from_db()
    assert game.deadline
    assert game.deadline - monday < HOUR


def test_a_vacation_moves_deadlines_and_its_early_end_moves_them_back(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat, deadline = acting(game), game.deadline
    assert deadline is not None
    assert seat.user is not None
    with at(START + HOUR):
        vacations.begin_vacation(seat.user, 10)
        with pytest.raises(vacations.VacationRefusal, match="on_vacation"):
            vacations.begin_vacation(seat.user, 1)
        game.refresh_from_db()
        assert game.deadline == deadline + 10 * DAY
        assert vacations.time_left(seat.user, now()) == 11 * DAY
    with at(START + 3 * DAY + HOUR):
        told_all()
        sweep.sweep()
        vacations.end_vacation(seat.user)
        vacations.end_vacation(seat.user)
        game.refresh_from_db()
        assert game.deadline == deadline + 3 * DAY
        assert vacations.time_left(seat.user, now()) == 18 * DAY


def test_vacations_are_limited_by_the_days_of_the_year(alice: User) -> None:
    with at(START):
        with pytest.raises(vacations.VacationRefusal, match="too_long"):
            vacations.begin_vacation(alice, 22)
        with pytest.raises(vacations.VacationRefusal, match="no_days"):
            vacations.begin_vacation(alice, 0)
        vacations.begin_vacation(alice, 21)
    with at(START + 30 * DAY), pytest.raises(vacations.VacationRefusal, match="too_long"):
        vacations.begin_vacation(alice, 1)
    # Ten days of this year and eleven of the next one.
    with at(START.replace(month=12, day=22, hour=0)):
        Vacation.objects.all().delete()
        vacations.begin_vacation(alice, 21)
        assert vacations.time_left(alice, now()) == 11 * DAY
        assert vacations.time_left(alice, now() + 15 * DAY) == 10 * DAY
    # All days of the next year.
    with at(START.replace(month=12, day=31, hour=0)):
        Vacation.objects.all().delete()
        with pytest.raises(vacations.VacationRefusal, match="too_long"):
            vacations.begin_vacation(alice, 23)
        vacations.begin_vacation(alice, 22)


def test_a_table_that_forbids_vacations_does_not_wait(alice: User, bob: User) -> None:
    game = table([alice, bob])
    game.vacations = False
    game.save()
    seat, deadline = acting(game), game.deadline
    assert seat.user is not None
    version = game.version
    with at(START + HOUR):
        vacations.begin_vacation(seat.user, 10)
    game.refresh_from_db()
    assert (game.deadline, game.version) == (deadline, version)


def test_a_vacation_in_a_pause_changes_nothing_at_the_table(alice: User, bob: User) -> None:
    game = table([alice, bob])
    with at(START + HOUR):
        for user in (alice, bob):
            pauses.ask(game, user)
        version = game.version
        for user in (alice, bob):
            vacations.begin_vacation(user, 10)
    game.refresh_from_db()
    assert game.version == version


def test_only_the_users_present_vacation_counts(alice: User, bob: User) -> None:
    for user, begins, ends in ((alice, -9, -5), (alice, 5, 9), (bob, -1, 1)):
        Vacation.objects.create(user=user, begins_at=START + begins * DAY, ends_at=START + ends * DAY)
    before = list(Vacation.objects.values())
    with at(START):
        assert vacations.vacation_of(alice) is None
        vacations.end_vacation(alice)
    assert list(Vacation.objects.values()) == before


class Conservation(TestCase):
    """With pauses and vacations in any order, a clock gives its player exactly the time that was on it."""

    @given(
        st.lists(
            st.tuples(st.sampled_from(["pause", "resume", "away", "home"]), st.integers(1, 30)), min_size=1, max_size=12
        )
    )
    def test_time_is_conserved(self, script: list[tuple[str, int]]) -> None:
        User.objects.all().delete()
        alice, bob = person("alice"), person("bob")
        with at(START):
            game = begun([alice, bob], pace="relaxed")
            each_began(game)
        seat = acting(game)
        assert seat.user is not None
        assert seat.bank is not None
        full, ran, instant, stands = seat.bank, timedelta(0), START, {"pause": False}
        until = START
        for word, hours in script:
            with at(instant):
                if word == "pause":
                    pauses.ask(game, alice)
                    pauses.ask(game, bob)
                    stands["pause"] = True
                elif word == "resume":
                    pauses.resume(game, alice)
                    stands["pause"] = False
                elif word == "away" and until <= instant:
                    vacations.begin_vacation(seat.user, 1)
                    until = instant + DAY
                elif word == "home":
                    vacations.end_vacation(seat.user)
                    until = min(until, instant)
                game.refresh_from_db()
                if stands["pause"]:
                    assert game.deadline is None
                else:
                    assert game.deadline == max(instant, until) + full - ran
            following = instant + hours * HOUR
            if not stands["pause"]:
                ran += max(following - max(instant, until), timedelta(0))
            instant = following
            if full - ran < HOUR:
                break
        # A player who comes home late gains nothing.
        assert Seat.objects.get(pk=seat.pk).bank <= full  # type: ignore[operator]
