"""The figures of a soak count real faults, and leave out cases that only look like faults."""

from datetime import timedelta

import pytest

from accounts.models import User
from bench.soak.figures import Figures, reckon
from games.models import Delivery, Game, Incident, Move, Notice, Seat, Vacation
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.work import sweep
from tests.factories import START, acting, at, begun, decide, must_return, table

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def post() -> None:
    """Do the workers' work with everything that is due."""
    for notice in Notice.objects.due(now()):
        deliveries.deliver(notice.pk)


def time_runs_out(game: Game) -> Seat:
    """Let the seat to act run out of time after it was told of its turn; return the seat."""
    seat = acting(game)
    assert game.deadline is not None
    with at(game.deadline):
        post()
        sweep.sweep()
    seat.refresh_from_db()
    assert seat.caretaker
    return seat


def reckoned() -> Figures:
    """The figures of a site that lost nothing."""
    mails = [str(pk) for pk in Notice.objects.filter(outcome="sent").values_list("pk", flat=True)]
    moves = {(move.game_id, move.number): (move.seat, move.notation) for move in Move.objects.all()}
    return reckon(mails, {}, moves, 0, now())


def test_a_player_who_times_out_twice_in_a_turn_was_told_in_time(alice: User, bob: User) -> None:
    """The player leaves the turn half done, comes back before a bot decides, and is told of the rest of it."""
    with at(START):
        game = begun([alice, bob], pace="fast")
        while not must_return(game):
            decide(game, prefer="take")
        decide(game, prefer="reserve L1")
    seat = time_runs_out(game)
    assert seat.absent_since is not None
    assert seat.user is not None
    with at(seat.absent_since + MINUTE):
        timeouts.come_back(game, seat.user)
    time_runs_out(game)
    figures = reckoned()
    assert (figures.clocks_run_out, figures.faults) == (2, [])


def test_a_late_notice_does_not_count(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat = time_runs_out(game)
    incident = Incident.objects.get(kind="timed_out")
    assert reckoned().faults == []
    turn = Delivery.objects.filter(notice__key=f"turn:{game.pk}:{game.turn_number}")
    assert turn.update(sent_at=incident.at + MINUTE) == 1
    figures = reckoned()
    assert (figures.clocks_run_out, figures.people_timed_out_without_having_been_told) == (1, 1)
    assert figures.faults == [
        f"people_timed_out_without_having_been_told: game {game.pk}, seat {seat.index}, "
        f"{incident.at:%Y-%m-%dT%H:%M} UTC: timed_out at number {incident.after_number}"
    ]


@pytest.mark.parametrize(("before", "faults"), [(timedelta(0), 0), (MINUTE, 1)], ids=["at that instant", "before"])
def test_a_vacation_that_begins_when_time_runs_out_comes_too_late(
    alice: User, bob: User, before: timedelta, faults: int
) -> None:
    game = table([alice, bob])
    due, seat = game.deadline, time_runs_out(game)
    assert due is not None
    assert seat.user is not None
    Vacation.objects.create(user=seat.user, begins_at=due - before, ends_at=due + timedelta(days=1))
    figures = reckoned()
    assert (figures.clocks_run_out, figures.clocks_run_out_in_protected_hours) == (1, faults)
