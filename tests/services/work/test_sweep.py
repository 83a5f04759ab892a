"""Bots in seats: each decision gets exactly one move, even if tasks are retried, doubled or late."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
import time_machine
from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from kombu.exceptions import OperationalError

from accounts.models import User
from games import tasks
from games.bots.random_bot import RandomBot
from games.bots.splendor.greedy import Greedy
from games.models import Game, Incident, Move, Notice, Seat
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.versions import writing
from games.services.work import first_moves, sweep, thinking
from tests.factories import DAY, HOUR, START, at, begun, play_on, told_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User) -> Game:
    """A game of Alice and three bots in which a bot is to act; Alice has moved if she began."""
    while True:
        game = tables.create(alice, tables.TableSpec("splendor", 4, bots=["greedy", "random", "greedy"]))
        if game.seat_set.get(user=alice).index != 0:
            return game


def test_a_bot_plays_one_move_however_often_it_is_asked(game: Game) -> None:
    thinking.think(game.pk)
    assert list(Move.objects.values_list("number", "seat", "actor")) == [(0, 0, "bot")]
    game.refresh_from_db()
    assert (game.number, game.to_act, game.bot_claimed_until) == (1, 1, None)


def test_bots_play_until_a_person_is_to_act_and_then_rest(game: Game, alice: User) -> None:
    mine = game.seat_set.get(user=alice).index
    assert mine is not None
    for _ in range(20):
        thinking.think(game.pk)
    game.refresh_from_db()
    assert game.to_act == mine
    assert Move.objects.filter(seat=mine).count() == 0


def test_a_claimed_decision_is_left_alone_until_the_lease_ends(game: Game) -> None:
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    Game.objects.update(bot_claimed_until=start + timedelta(seconds=30))
    with time_machine.travel(start, tick=False) as clock:
        thinking.think(game.pk)
        clock.shift(30)
        thinking.think(game.pk)
        assert Move.objects.count() == 0
        clock.shift(1)
        thinking.think(game.pk)
        assert Move.objects.count() == 1


def test_a_bot_has_ten_seconds_and_its_claim_lasts_thirty(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot has ten seconds, including its second chance. Then it is interrupted, and its substitutes have twenty."""
    claims = []

    def choose(*_: object) -> Any:
        claims.append(Game.objects.get(pk=game.pk).bot_claimed_until)
        return "take wug"

    monkeypatch.setattr(Greedy, "choose", choose)
    monkeypatch.setattr(RandomBot, "choose", choose)
    with at(START):
        thinking.think(game.pk)
    assert claims == [START + timedelta(seconds=30)]
    assert (tasks.think.soft_time_limit, tasks.think.time_limit) == (10, 30)


def failing(*_: object) -> Any:
    raise ZeroDivisionError


def illegal(*_: object) -> str:
    return "take wwwwww"


def failures(game: Game) -> list[tuple[str, int | None, dict[str, str]]]:
    incidents = Incident.objects.filter(game=game, kind__startswith="bot").order_by("pk")
    return list(incidents.values_list("kind", "seat", "facts"))


def failed(bot: str, error: str) -> tuple[str, int, dict[str, str]]:
    return ("bot_failed", 0, {"bot": bot, "error": error})


@pytest.mark.parametrize(("name", "bot"), [("greedy", Greedy), ("random", RandomBot)])
@pytest.mark.parametrize(("fault", "errors"), [(failing, ["ZeroDivisionError"]), (illegal, ["IllegalAction"] * 2)])
def test_a_bot_that_fails_is_replaced_for_the_decision(
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    name: str,
    bot: Any,
    fault: Any,
    errors: list[str],
) -> None:
    game.seat_set.filter(index=0).update(bot=name)
    monkeypatch.setattr(bot, "choose", fault)
    thinking.think(game.pk)
    assert failures(game) == [failed(name, error) for error in errors]
    assert caplog.messages == [f"bot {name} failed in game {game.pk}"] * len(errors)
    assert list(Move.objects.values_list("number", "seat", "actor")) == [(0, 0, "bot")]


def test_a_bot_that_fails_once_is_asked_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.seat_set.filter(index=0).update(bot="random")
    choices = iter(["take wwwwww", "take wug"])
    monkeypatch.setattr(RandomBot, "choose", lambda *_: next(choices))
    thinking.think(game.pk)
    assert failures(game) == [failed("random", "IllegalAction")]
    assert list(Move.objects.values_list("number", "notation")) == [(0, "take wug")]


def test_a_game_waits_if_every_bot_fails(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for bot in (Greedy, RandomBot):
        monkeypatch.setattr(bot, "choose", failing)
    thinking.think(game.pk)
    assert {facts["bot"] for _, _, facts in failures(game)} == {"greedy", "random"}
    thinking.think(game.pk)
    assert len(failures(game)) == 2
    assert Move.objects.count() == 0


def test_a_bot_lost_twice_with_its_worker_is_replaced_for_the_decision(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Killed(BaseException):
        """Stands for the death of a worker whose claim has expired."""

    def kill(*_: object) -> Any:
        raise Killed

    game.seat_set.filter(index=0).update(bot="greedy")
    monkeypatch.setattr(Greedy, "choose", kill)
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False) as clock:
        for _ in range(2):
            with pytest.raises(Killed):
                thinking.think(game.pk)
            clock.shift(31)
        thinking.think(game.pk)
    assert failures(game) == [("bot_silent", 0, {})] * 2
    assert caplog.messages == [f"A bot's claim on game {game.pk} led to no move."] * 2
    assert list(Move.objects.values_list("number", "seat")) == [(0, 0)]


@pytest.mark.parametrize("times", [0, 1, 2, 3, 4, 5, 6, 20])
def test_after_two_losses_the_next_bot_is_asked_and_the_last_one_always(
    game: Game, duel: Game, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Failures at other decisions and in other games do not count."""
    game.seat_set.filter(index=0).update(bot="easy")
    for _time in range(4):
        writing.record(duel, "bot_silent", 0)
        writing.record(game, "bot_silent", 0)
    Incident.objects.filter(game=game, kind="bot_silent").update(after_number=9)
    for _time in range(times):
        writing.record(game, "bot_silent", 0)
    asked: list[str] = []

    def choose(_game: Game, _seat: Seat, name: str) -> str:
        asked.append(name)
        return "take wug"

    monkeypatch.setattr(thinking, "_choose", choose)
    thinking.think(game.pk)
    assert asked == [["easy", "greedy", "random"][min(times // 2, 2)]]


@pytest.mark.parametrize("overtaken", ["by a decision", "by the end"])
def test_a_change_while_a_bot_thinks_is_not_its_failure(
    alice: User, monkeypatch: pytest.MonkeyPatch, overtaken: str
) -> None:
    """Another bot is not asked either."""
    while True:
        game = tables.create(alice, tables.TableSpec("duel", 2, bots=["random"]))
        if game.seat_set.get(user=alice).index == 1:
            break
    asked: list[str] = []

    def choose(game: Game, seat: Seat, name: str) -> str:
        asked.append(name)
        legal = [str(action) for action in play.offer(game, seat, variants=False)[1]]
        if overtaken == "by the end":
            play.resign(Game.objects.get(pk=game.pk), alice)
        else:
            play.submit(Game.objects.get(pk=game.pk), play.BOT, 0, legal[:1])
        return legal[1]

    monkeypatch.setattr(thinking, "_choose", choose)
    thinking.think(game.pk)
    assert (asked, failures(game)) == (["random"], [])
    assert Move.objects.count() == (overtaken == "by a decision")


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
