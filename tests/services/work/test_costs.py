"""What a sweep costs when many clocks run out, what the end of a game costs, and what keeps queues short."""

from collections import Counter
from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game, Notice, RatingChange
from games.services import play
from games.services.absence import timeouts
from games.services.outbox import notices
from games.services.ratings import counting
from games.services.work import first_moves, sweep
from tests.factories import HOUR, START, acting, at, begun, person, table, take_turn, told_all

pytestmark = pytest.mark.django_db
QUERIES = 16
"""The queries of a sweep besides those for each game."""


@pytest.mark.parametrize("at_zero", ["caretaker", "wait"])
@pytest.mark.parametrize("number", [1, 6])
def test_a_clock_that_runs_out_costs_a_sweep_ten_queries_at_most(
    alice: User, bob: User, at_zero: str, number: int
) -> None:
    games = [table([alice, bob, person(f"person{place}")], at_zero=at_zero) for place in range(number)]
    with at(max(game.deadline for game in games if game.deadline)):
        first_moves.renew()
        told_all(reminders=False)
        with CaptureQueriesContext(connection) as queries:
            sweep.sweep()
    assert Game.objects.filter(deadline=None).count() == number
    assert (len(queries) - QUERIES) / number <= 10


def test_requests_expire_so_that_no_queue_grows_for_ever(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """The sweep makes them again."""
    expiry = dict[str, float | None]()

    def send(name: str, *_arguments: object, expires: float | None = None, **_options: object) -> None:
        expiry[name] = expires

    monkeypatch.setattr(current_app, "send_task", send)
    with django_capture_on_commit_callbacks(execute=True):
        with at(START):
            game = begun([alice, bob], bots=1)
            while not game.is_turn_of_bot:
                take_turn(game)
        with at(START + HOUR):
            notices.owe(Notice.Kind.TEST, alice, key="test:1")
            sweep.sweep()
    assert expiry == dict.fromkeys(("games.tasks." + name for name in ("tend", "dispatch", "deliver", "think")), 60)


def test_a_sweep_reads_each_due_game_once(alice: User, bob: User) -> None:
    game = table([alice, bob], bots=1)
    while acting(game).bot:
        take_turn(game)
    game.refresh_from_db()
    assert game.deadline is not None
    with at(game.deadline):
        told_all()
        assert _read_again() == []
    seat = game.seat_set.get(absent_since__isnull=False)
    assert seat.absent_since is not None
    with at(seat.absent_since + timeouts.CARETAKER_GRACE):
        assert _read_again() == []
    seat.refresh_from_db()
    assert seat.absent


def test_the_end_of_a_game_reads_no_rows_of_other_people(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, found, from_db = Counter[type[Model]](), [], Model.from_db.__func__  # type: ignore[attr-defined]

    def counted(model: type[Model], *row: Any) -> Model:
        read[model] += 1
        made: Model = from_db(model, *row)
        return made

    monkeypatch.setattr(Model, "from_db", classmethod(counted))
    for number in (0, 0, 2):  # the first game makes the rows
        for place in range(number):
            _won_against(person(f"host{place}"), person(f"guest{place}"), read)
        found.append(_won_against(alice, bob, read))
    assert found[2] == found[1]
    assert RatingChange.objects.count() == 10


def _won_against(user: User, loser: User, read: Counter[type[Model]]) -> Counter[type[Model]]:
    """The rows that were read as the user won a game, and as its ratings were looked up."""
    game = begun([user, loser], "duel")
    for _turn in range(4):
        take_turn(game)
    read.clear()
    play.resign(game, loser)
    counting.changes(game.seat_set.all())
    return read.copy()


def _read_again() -> list[str]:
    """The queries of a sweep that read one game by its key."""
    with CaptureQueriesContext(connection) as queries:
        sweep.sweep()
    one = 'FROM "games_game" WHERE "games_game"."id" = '
    return [query["sql"] for query in queries if one in query["sql"] and query["sql"].startswith("SELECT")]
