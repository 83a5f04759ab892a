"""The sweep, which does everything that is due."""

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from kombu.exceptions import OperationalError

from accounts.models import User
from games import tasks
from games.models import Game, Incident, Move, Notice, Seat
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.work import first_moves, sweep, thinking
from tests.factories import DAY, HOUR, START, at, begun, play_on, told_all

pytestmark = pytest.mark.django_db


def test_the_sweep_hands_out_unclaimed_games(
    alice: User, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[int] = []
    while len(waiting) < 9:
        game = tables.create(alice, tables.TableSpec("splendor", 2, bots=["greedy"]))
        if game.seat_set.get(user=alice).index == 1:
            waiting.append(game.pk)
    sent: list[object] = []

    def send(name: str, arguments: list[object], queue: str, expires: float) -> None:
        assert (name, arguments[1:], queue, expires) == ("games.tasks.think", ["celery"], "celery", 60)
        sent.extend(arguments[:1])

    monkeypatch.setattr(current_app, "send_task", send)
    with transaction.atomic():
        sweep.sweep()
    assert sent == waiting[:8]


def hosted(user: User, bot: str, number: int) -> list[int]:
    """Games of the user in which that bot is to act, oldest first."""
    games: list[int] = []
    while len(games) < number:
        game = tables.create(user, tables.TableSpec("splendor", 2, bots=[bot]))
        if game.seat_set.get(user=user).index == 1:
            games.append(game.pk)
        else:
            game.delete()
    return games


def test_people_are_served_in_turn(alice: User, bob: User) -> None:
    """Alice has many tables, and Bob has two newer ones."""
    cache.clear()
    many, two = hosted(alice, "greedy", 5), hosted(bob, "greedy", 2)
    for game in (*many, *two):
        thinking.think(game, "celery")
    served = list(Move.objects.order_by("pk").values_list("game", flat=True))
    assert served == [many[0], two[0], many[2], two[1], many[4], many[1], many[3]]


def test_a_full_queue_does_not_keep_the_sweep_from_others(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[object, ...]] = []

    def send(name: str, arguments: list[object], queue: str, expires: float) -> None:
        sent.append((*arguments, queue))

    slow, quick, simple = hosted(alice, "strongest", 9), hosted(alice, "hard", 1), hosted(alice, "greedy", 1)
    monkeypatch.setattr(current_app, "send_task", send)
    sweep.sweep()
    queues = [(slow[:8], "bots"), (quick, "quick"), (simple, "celery")]
    assert sent == [(game, queue, queue) for games, queue in queues for game in games]


def test_a_task_of_an_earlier_version_finds_its_game(alice: User) -> None:
    """The task names no queue, so it may think about any game, but its own comes first."""
    _older, [game] = hosted(alice, "greedy", 1), hosted(alice, "greedy", 1)
    tasks.think(game)
    assert Move.objects.get().game_id == game


def test_without_a_broker_bots_wait_for_the_sweep(
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Each duty logs the broker's failure once, and tries to send none of its other tasks."""
    asked: list[str] = []

    def refuse(name: str, *_arguments: object, **_options: object) -> None:
        asked.append(name)
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", refuse)
    with at(START), django_capture_on_commit_callbacks(execute=True):
        for _game in range(2):
            game = begun([alice, bob], bots=1)
    waits = f"No broker: game {game.pk - 1} waits for the sweep.", f"No broker: game {game.pk} waits for the sweep."
    assert set(asked) == {"games.tasks.tend", "games.tasks.dispatch"}
    assert set(caplog.messages) == {*waits, "No broker: mails wait for the sweep."}
    Seat.objects.filter(index=0).update(user=None, bot="random")
    Game.objects.filter(to_act=0).update(bot_to_act="random")
    asked.clear()
    caplog.clear()
    with at(START + HOUR):
        sweep.sweep()
    assert asked == ["games.tasks.deliver", "games.tasks.think"]
    assert caplog.messages == [
        "No broker: mails wait for the next sweep.",
        "No broker: this waits for the next sweep.",
    ]


def test_a_failed_duty_does_not_stop_the_others(
    game: Game, duel: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The stored quiet hours of one game are damaged."""
    sent: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, *_arguments, **_options: sent.append(name))
    Notice.objects.all().delete()
    Game.objects.filter(pk=duel.pk).update(deadline=now(), quiet={"zone": 0})
    sweep.sweep()
    assert sent == ["games.tasks.think"]
    assert caplog.messages == ["A duty of the sweep failed."]


def test_a_sweep_that_takes_too_long_ends(duel: Game) -> None:
    """The time limit can strike at any query; no duty ignores it."""

    def interrupt(place: int) -> None:
        asked = count()

        def ask(execute: Any, *question: Any) -> Any:
            if next(asked) == place:
                raise SoftTimeLimitExceeded
            return execute(*question)

        with connection.execute_wrapper(ask):
            sweep.sweep()

    first_moves.renew()
    with CaptureQueriesContext(connection) as queries:
        sweep.sweep()
    for place in range(len(queries)):
        with pytest.raises(SoftTimeLimitExceeded), transaction.atomic():
            interrupt(place)


def test_the_queries_of_a_sweep_do_not_grow_with_the_games(alice: User, bob: User) -> None:
    costs = set()
    first_moves.renew()
    for _round in range(2):
        for _game in range(5):
            game = tables.create(alice, tables.TableSpec("duel", 2))
            tables.join(game, bob)
            tables.create(alice, tables.TableSpec("duel", 2))
        with CaptureQueriesContext(connection) as queries:
            sweep.sweep()
        costs.add(len(queries))
    # One query each, but two for deals: expired tables, guests' seats, deals and reminders; expired, waiting and due
    # mails; the announcement; clocks and absences together; previews; archives; bots; ratings and statistics to count
    # again.
    assert costs == {15}


def test_each_due_game_costs_a_sweep_the_same(alice: User, bob: User) -> None:
    costs = []
    first_moves.renew()
    for number in (1, 4):
        Game.objects.all().delete()
        for _game in range(number):
            game = tables.create(alice, tables.TableSpec("duel", 2))
            tables.join(game, bob)
            play_on(game, number, 15)
        Game.objects.filter(status="active").update(deadline=now(), clock_started_at=now() - timedelta(days=9))
        Notice.objects.update(closed_at=now(), outcome="sent")
        with CaptureQueriesContext(connection) as queries:
            sweep.sweep()
        # As above, and the seats of the games that are due, which are read together.
        costs.append((len(queries) - 16) / number)
    assert costs[0] == costs[1]


def test_tending_a_game_concerns_no_other(alice: User, bob: User) -> None:
    first, second = (begun([alice, bob], "duel") for _game in range(2))
    assert second.deadline is not None
    with at(second.deadline + DAY):
        told_all()
        sweep.tend(second.pk)
    timed_out = Incident.objects.filter(kind__in=("timed_out", "abandoned", "forfeited"))
    assert set(timed_out.values_list("game", flat=True)) == {second.pk}
    assert Game.objects.get(pk=first.pk).version == first.version
