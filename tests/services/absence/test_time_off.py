"""Days off and vacations that begin by themselves keep their owners from running out of time."""

from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.models import Game, Notice, Vacation
from games.services.absence import timeouts, vacations
from games.services.clocks import running
from games.services.clocks.moment import now
from tests.factories import (
    DAY,
    HOUR,
    START,
    acting,
    actor,
    at,
    begun,
    decide,
    kinds,
    post,
    run_out,
    table,
    take_turn,
    told_all,
)
from tests.mails.reading import parsed, text
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return table([alice, bob], pace=Game.Pace.DAYS, days=2)


def wishing(game: Game, **wishes: object) -> User:
    """The player to act, who has these wishes."""
    user = acting(game).user
    assert user is not None
    User.objects.filter(pk=user.pk).update(**wishes)
    user.refresh_from_db()
    return user


def test_a_day_of_vacation_begins_instead_of_running_out_of_time(game: Game, smtp: MailServer) -> None:
    user = wishing(game, automatic_vacation=True)
    deadline = game.deadline
    assert deadline is not None
    for day in range(3):
        with at(deadline + day * DAY):
            told_all()
            timeouts.time_out(game)
            post()
        game.refresh_from_db()
        assert game.deadline == deadline + (day + 1) * DAY
        assert acting(game).caretaker == ""
    assert "timed_out" not in kinds(game)
    assert list(Vacation.objects.filter(user=user).order_by("pk").values_list("begins_at", "ends_at")) == [
        (deadline + day * DAY, deadline + (day + 1) * DAY) for day in range(3)
    ]
    mails = [message for message in smtp.messages if message["To"] == user.email]
    assert len(mails) == 3
    assert mails[0]["Subject"].strip().startswith("A day of vacation has begun: Splendor with ")
    assert "You have 20 days of vacation left this year." in text(parsed(mails[0].as_bytes()))


def test_the_clock_of_a_suspended_player_runs_out(game: Game) -> None:
    wishing(game, automatic_vacation=True, suspended_until=START + 60 * DAY, suspended_for="spam")
    assert game.deadline is not None
    with at(game.deadline):
        told_all()
        timeouts.time_out(game)
    assert "timed_out" in kinds(game)
    assert not Vacation.objects.exists()


def test_the_clock_runs_out_once_no_days_are_left(game: Game) -> None:
    user = wishing(game, automatic_vacation=True)
    last = datetime(START.year, 1, 2, tzinfo=UTC)
    Vacation.objects.create(user=user, begins_at=last, ends_at=last + 20 * DAY + 12 * HOUR)
    deadline = game.deadline
    assert deadline is not None
    run_out(game)
    assert game.deadline == deadline + 12 * HOUR
    seat = run_out(game)
    assert seat.caretaker
    assert kinds(game)[-1] == "timed_out"


def test_no_vacation_begins_if_the_last_days_are_taken_meanwhile(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    wishing(game, automatic_vacation=True)
    seat, deadline = acting(game), game.deadline
    assert deadline is not None
    ends = iter([deadline + DAY, None])
    monkeypatch.setattr(vacations, "_automatic_end", lambda *_: next(ends))
    assert not vacations.begin_automatically(game, seat, deadline)
    assert not Vacation.objects.exists()


def test_a_table_without_vacations_knows_no_automatic_ones(alice: User, bob: User) -> None:
    game = table([alice, bob], pace=Game.Pace.DAYS, days=2, vacations=False)
    wishing(game, automatic_vacation=True, days_off=list(range(7)))
    assert run_out(game).caretaker
    assert not Vacation.objects.exists()


def test_only_those_who_wish_it_go_on_vacation(game: Game) -> None:
    assert run_out(game).caretaker
    assert not Vacation.objects.exists()


def test_an_automatic_vacation_ends_where_a_planned_one_begins(game: Game) -> None:
    user = wishing(game, automatic_vacation=True)
    deadline = game.deadline
    assert deadline is not None
    with at(START + HOUR):
        vacations.begin_vacation(user, 3, deadline + 5 * HOUR)
    run_out(game)
    assert game.deadline == deadline + 5 * HOUR + 3 * DAY


def test_one_vacation_serves_all_games(alice: User, bob: User) -> None:
    games = [table([alice, bob], pace=Game.Pace.DAYS, days=2, host_begins=True) for _game in range(2)]
    assert alice == acting(games[0]).user
    wishing(games[0], automatic_vacation=True)
    deadline = games[0].deadline
    assert deadline is not None
    with at(deadline + HOUR):
        told_all()
        for game in games:
            timeouts.time_out(game)
    for game in games:
        game.refresh_from_db()
        assert game.deadline == deadline + DAY
    assert Vacation.objects.count() == 1
    assert Notice.objects.filter(kind="vacation").count() == 1


def test_clocks_stop_on_days_off(alice: User, bob: User) -> None:
    """The game begins on a Thursday; the players have Saturday and Sunday off."""
    start = START + (3 - START.weekday()) % 7 * DAY
    for user in (alice, bob):
        User.objects.filter(pk=user.pk).update(days_off=[5, 6], time_zone="UTC")
    with at(start):
        for user in (alice, bob):
            user.refresh_from_db()
        game = begun([alice, bob], pace=Game.Pace.DAYS, days=3)
        assert game.deadline == start + 5 * DAY
    monday = start.replace(hour=0, minute=0, second=0, microsecond=0) + 4 * DAY
    with at(monday):
        clock = running.read(game, acting(game), now())
        assert clock.used == monday - 2 * DAY - start


def test_new_days_off_count_from_the_next_turn_on(game: Game) -> None:
    user = wishing(game)
    vacations.wish(user, days_off=[0, 1], automatic_vacation=False)
    assert running.deadline(game, acting(game)) == game.deadline
    assert not game.quiet["days_off"]
    take_turn(game)
    while actor(game) != user:
        take_turn(game)
    game.refresh_from_db()
    assert game.quiet["days_off"] == [0, 1]


def test_the_end_of_one_vacation_leaves_the_other(game: Game) -> None:
    user = wishing(game, automatic_vacation=True)
    deadline = game.deadline
    assert deadline is not None
    planned = deadline + 40 * HOUR
    with at(START + HOUR):
        vacations.begin_vacation(user, 3, planned)
    run_out(game)
    with at(deadline + 2 * HOUR):
        vacations.end_vacation(user)
        user.refresh_from_db()
        assert (vacations.vacation_of(user), user.away_until) == (None, planned + 3 * DAY)
        assert vacations.cancel_vacation(user)
        user.refresh_from_db()
        assert user.away_until == now()


def test_no_vacation_begins_for_a_player_who_has_just_moved(game: Game) -> None:
    wishing(game, automatic_vacation=True)
    assert game.deadline is not None
    with at(game.deadline + HOUR):
        told_all()
        just_read = Game.objects.with_seats().get(pk=game.pk)
        decide(game)
        timeouts.time_out(just_read, just_read=True)
    assert not Vacation.objects.exists()
