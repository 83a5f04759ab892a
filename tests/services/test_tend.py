"""Bots in seats: exactly one move for each decision, whatever is retried, doubled or late."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from celery import current_app
from django.db import transaction

from accounts.models import User
from games.bots.random_bot import RandomBot
from games.bots.splendor.greedy import Greedy
from games.models import Game, Incident, Move
from games.services import tables, tend

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User) -> Game:
    """Alice and three bots, of whom one is to act: Alice has moved if she began."""
    while True:
        game = tables.create(alice, tables.Plan("splendor", 4, bots=["greedy", "random", "greedy"]))
        if game.seat_set.get(user=alice).index != 0:
            return game


def test_a_bot_plays_one_move_however_often_it_is_asked(game: Game) -> None:
    tend.think(game.pk)
    assert list(Move.objects.values_list("number", "seat", "actor")) == [(0, 0, "bot")]
    game.refresh_from_db()
    assert (game.number, game.to_act, game.bot_claimed_until) == (1, 1, None)


def test_bots_play_until_a_person_is_to_act_and_then_rest(game: Game, alice: User) -> None:
    mine = game.seat_set.get(user=alice).index
    assert mine is not None
    for _ in range(20):
        tend.think(game.pk)
    game.refresh_from_db()
    assert game.to_act == mine
    assert Move.objects.filter(seat=mine).count() == 0


def test_a_claimed_decision_is_left_alone_until_the_lease_ends(game: Game) -> None:
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    Game.objects.update(bot_claimed_until=start + tend.LEASE)
    with time_machine.travel(start, tick=False) as clock:
        tend.think(game.pk)
        assert Move.objects.count() == 0
        clock.shift(tend.LEASE.total_seconds() + 1)
        tend.think(game.pk)
        assert Move.objects.count() == 1


def failing(self: Any, *arguments: object) -> Any:
    raise ZeroDivisionError


def illegal(self: Any, seen: object, legal: object, *arguments: object) -> str:
    return "take wwwwww"


@pytest.mark.parametrize("fault", [failing, illegal])
def test_a_bot_that_fails_is_replaced_for_the_decision(
    game: Game, monkeypatch: pytest.MonkeyPatch, fault: Any, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Greedy, "choose", fault)
    monkeypatch.setattr(RandomBot, "choose", fault if fault is illegal else RandomBot.choose)
    first = game.seat_set.get(index=0).bot
    tend.think(game.pk)
    failures = list(Incident.objects.filter(kind="bot_failed").values_list("seat", "facts"))
    if fault is failing:
        assert Move.objects.count() == 1
        assert [facts["bot"] for _, facts in failures] == (["greedy"] if first == "greedy" else [])
    else:
        assert Move.objects.count() == 0
        assert {facts["error"] for _, facts in failures} == {"BadNotation"} or {
            facts["error"] for _, facts in failures
        } == {"IllegalAction"}


def test_the_sweep_hands_out_what_nobody_claimed(
    alice: User, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [tables.create(alice, tables.Plan("splendor", 2, bots=["greedy"])) for _ in range(12)]
    waiting = [game.pk for game in games if game.seat_set.get(user=alice).index == 1]
    sent: list[int] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, arguments: sent.extend(arguments))
    with transaction.atomic():
        tend.sweep()
    assert sent == waiting[: tend.AT_ONCE]
