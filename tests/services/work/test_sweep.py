"""Bots in seats: exactly one move for each decision, whatever is retried, doubled or late."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
import time_machine
from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.bots.random_bot import RandomBot
from games.bots.splendor.greedy import Greedy
from games.models import Game, Incident, Move, Notice
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.work import sweep, thinking
from tests.factories import play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User) -> Game:
    """Alice and three bots, of whom one is to act: Alice has moved if she began."""
    while True:
        game = tables.create(alice, tables.Plan("splendor", 4, bots=["greedy", "random", "greedy"]))
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
    Game.objects.update(bot_claimed_until=start + thinking.LEASE)
    with time_machine.travel(start, tick=False) as clock:
        thinking.think(game.pk)
        assert Move.objects.count() == 0
        clock.shift(thinking.LEASE.total_seconds() + 1)
        thinking.think(game.pk)
        assert Move.objects.count() == 1


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
    game: Game, monkeypatch: pytest.MonkeyPatch, name: str, bot: Any, fault: Any, errors: list[str]
) -> None:
    game.seat_set.filter(index=0).update(bot=name)
    monkeypatch.setattr(bot, "choose", fault)
    thinking.think(game.pk)
    assert failures(game) == [failed(name, error) for error in errors]
    assert list(Move.objects.values_list("number", "seat", "actor")) == [(0, 0, "bot")]


def test_a_bot_may_err_once(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.seat_set.filter(index=0).update(bot="random")
    choices = iter(["take wwwwww", "take wug"])
    monkeypatch.setattr(RandomBot, "choose", lambda *_: next(choices))
    thinking.think(game.pk)
    assert failures(game) == [failed("random", "IllegalAction")]
    assert list(Move.objects.values_list("number", "notation")) == [(0, "take wug")]


def test_without_any_bot_that_can_the_game_waits(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for bot in (Greedy, RandomBot):
        monkeypatch.setattr(bot, "choose", failing)
    thinking.think(game.pk)
    assert {facts["bot"] for _, _, facts in failures(game)} == {"greedy", "random"}
    thinking.think(game.pk)
    assert len(failures(game)) == 2
    assert Move.objects.count() == 0


def test_a_bot_lost_twice_with_its_worker_is_replaced_for_the_decision(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """As far as the game can tell."""

    def kill(*_: object) -> Any:
        raise Killed

    game.seat_set.filter(index=0).update(bot="greedy")
    monkeypatch.setattr(Greedy, "choose", kill)
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False) as clock:
        for _ in range(thinking.CHANCES):
            with pytest.raises(Killed):
                thinking.think(game.pk)
            clock.shift(thinking.LEASE.total_seconds() + 1)
        thinking.think(game.pk)
    assert failures(game) == [("bot_silent", 0, {})] * 2
    assert list(Move.objects.values_list("number", "seat")) == [(0, 0)]


def test_a_game_that_ends_while_a_bot_thinks_is_no_fault_of_it(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    while True:
        game = tables.create(alice, tables.Plan("duel", 2, bots=["random"]))
        if game.seat_set.get(user=alice).index == 1:
            break

    def choose(self: Any, seen: Any, legal: Any, *_: object) -> Any:
        play.resign(Game.objects.get(pk=game.pk), alice)
        return legal[0]

    monkeypatch.setattr(RandomBot, "choose", choose)
    thinking.think(game.pk)
    assert failures(game) == []
    assert Move.objects.count() == 0


def test_the_sweep_hands_out_what_nobody_claimed(
    alice: User, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[int] = []
    while len(waiting) <= sweep.BOTS_AT_ONCE:
        game = tables.create(alice, tables.Plan("splendor", 2, bots=["greedy"]))
        if game.seat_set.get(user=alice).index == 1:
            waiting.append(game.pk)
    sent: list[int] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, arguments, **options: sent.extend(arguments))
    with transaction.atomic():
        sweep.sweep()
    assert sent == waiting[: sweep.BOTS_AT_ONCE]


def test_a_sweep_that_takes_too_long_ends(duel: Game) -> None:
    """At whatever question it is told so: no duty goes on as if nothing had happened."""

    def interrupt(place: int) -> None:
        asked = count()

        def ask(execute: Any, *question: Any) -> Any:
            if next(asked) == place:
                raise SoftTimeLimitExceeded
            return execute(*question)

        with connection.execute_wrapper(ask):
            sweep.sweep()

    with CaptureQueriesContext(connection) as queries:
        sweep.sweep()
    for place in range(len(queries)):
        with pytest.raises(SoftTimeLimitExceeded), transaction.atomic():
            interrupt(place)


def test_a_sweep_asks_the_same_questions_however_many_games_there_are(alice: User, bob: User) -> None:
    costs = set()
    for _round in range(2):
        for _game in range(5):
            game = tables.create(alice, tables.Plan("duel", 2))
            tables.join(game, bob)
            tables.create(alice, tables.Plan("duel", 2))
        with CaptureQueriesContext(connection) as queries:
            sweep.sweep()
        costs.add(len(queries))
    # Tables that expire and those to remind of; mails: which expire, whether they wait, which are due; clocks and
    # absences; bots.
    assert costs == {7}


def test_what_a_sweep_finds_costs_the_same_for_each(alice: User, bob: User) -> None:
    costs = []
    for number in (1, 4):
        Game.objects.all().delete()
        for _game in range(number):
            game = tables.create(alice, tables.Plan("duel", 2))
            tables.join(game, bob)
            play_on(game, number, 15)
        Game.objects.filter(status="active").update(deadline=now(), clock_started_at=now() - timedelta(days=9))
        Notice.objects.update(closed_at=now(), outcome="sent")
        with CaptureQueriesContext(connection) as queries:
            sweep.sweep()
        costs.append((len(queries) - 7) / number)
    assert costs[0] == costs[1]
