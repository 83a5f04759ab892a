"""The output of `manage.py bots_status` for decisions made at known times."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
import redis
import time_machine
from django.core.management import call_command

from accounts.models import User
from games.models import Game, Move
from games.services import play
from games.services.tables import tables
from games.services.versions import writing
from games.services.work import thinking, waits

pytestmark = pytest.mark.django_db

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
EMPTY = "Requests wait: 0 in celery, 0 in quick, 0 in bots, 0 in mail.\n"


@pytest.fixture(autouse=True)
def broker(settings, valkey: str) -> None:
    settings.REDIS_URL = valkey


def status(*arguments: str) -> str:
    out = StringIO()
    call_command("bots_status", *arguments, stdout=out)
    return out.getvalue()


def begun(alice: User, title: str, *bots: str) -> Game:
    """A game in which the first bot is to act, and all bots come before Alice."""
    while True:
        game = tables.create(alice, tables.TableSpec(title, len(bots) + 1, bots))
        if [seat.bot for seat in game.seat_set.order_by("index")] == [*bots, ""]:
            return game
        game.delete()


def test_a_move_stores_its_bots_waiting_and_thinking_time(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel(START, tick=False) as clock:
        game = begun(alice, "duel", "random")
        clock.shift(5)
        choose = thinking._choose

        def slowly(*of):
            clock.shift(2.5)
            return choose(*of)

        monkeypatch.setattr(thinking, "_choose", slowly)
        thinking.think(game.pk)
        clock.shift(60)
        game.refresh_from_db()
        play.submit(game, play.Actor(alice), 1, [str(play.look(game, alice).legal[0])])
    first, second = Move.objects.order_by("number")
    assert (first.waited, first.thought) == (timedelta(seconds=5), timedelta(seconds=2.5))
    assert (second.waited, second.thought) == (None, None)


def test_the_wait_for_a_caretaker_begins_when_it_takes_over(alice: User, bob: User, charlie: User) -> None:
    with time_machine.travel(START, tick=False) as clock:
        game = tables.create(alice, tables.TableSpec("splendor", 3))
        for person in (bob, charlie):
            tables.join(game, person)
        game.refresh_from_db()
        clock.shift(3600)
        acting = game.seat_set.get(index=game.to_act).user
        assert acting
        play.resign(game, acting)
        clock.shift(3)
        writing.record(game, "bot_silent", game.to_act)
        clock.shift(1)
        assert json.loads(status("--json"))["waiting"] == {"games": 1, "longest": 4.0}
        thinking.think(game.pk)
        assert Move.objects.get().waited == timedelta(seconds=4)
        [thought] = json.loads(status("--json"))["hour"]["thoughts"]
        assert (thought["bot"], thought["waited"]["longest"]) == ("greedy", 4.0)


def decided(game: Game, numbers: range, at: datetime, waited: float, thought: float) -> None:
    """Store decisions of the bot in the first seat; number n waits and thinks n times as long as given, in seconds."""
    Move.objects.bulk_create(
        Move(
            game=game,
            number=number,
            seat=0,
            actor="bot",
            made_at=at,
            waited=timedelta(seconds=number * waited),
            thought=timedelta(seconds=number * thought),
        )
        for number in numbers
    )


def test_decisions_are_counted_by_title_and_bot(alice: User) -> None:
    with time_machine.travel(START - timedelta(hours=20), tick=False) as clock:
        earlier = begun(alice, "duel", "easy")
        decided(earlier, range(2, 3), START - timedelta(hours=20), 4.5, 0.004)
        writing.record(earlier, "bot_silent", 0)
        clock.move_to(START - timedelta(days=2))
        decided(earlier, range(3, 9), START - timedelta(days=2), 100, 100)
        clock.move_to(START)
        game = begun(alice, "splendor", "strongest", "medium")
        decided(game, range(1, 41), START, 0.1, 0.05)
        Move.objects.create(game=game, number=41, seat=1, actor="user", made_at=START)
        writing.record(game, "bot_failed", 0, bot="strongest", error="KeyError")
        writing.record(game, "bot_failed", 0, bot="strongest", error="KeyError")
        clock.shift(90)
        assert status() == (
            "Seconds: median / 95% within / longest\n"
            "The last hour:\n"
            "  splendor strongest      40 decisions   waited 2.05 / 3.80 / 4.00   thought 1.02 / 1.90 / 2.00\n"
            "  bot_failed: 2\n"
            "The last day:\n"
            "  duel easy                1 decisions   waited 9.00 / 9.00 / 9.00   thought 0.01 / 0.01 / 0.01\n"
            "  splendor strongest      40 decisions   waited 2.05 / 3.80 / 4.00   thought 1.02 / 1.90 / 2.00\n"
            "  bot_failed: 2\n"
            "  bot_silent: 1\n"
            "Now 2 games wait for a bot, the longest for 72090.0 s.\n" + EMPTY
        )
        told = json.loads(status("--json"))
    assert told["waiting"] == {"games": 2, "longest": 72090.0}
    assert told["hour"] == {
        "thoughts": [
            {
                "title": "splendor",
                "bot": "strongest",
                "decisions": 40,
                "waited": {"median": 2.05, "p95": 3.8, "longest": 4.0},
                "thought": {"median": 1.025, "p95": 1.9, "longest": 2.0},
            }
        ],
        "incidents": {"bot_failed": 2},
    }


def test_times_are_rounded_to_milliseconds() -> None:
    first, second = timedelta(microseconds=1_234_567), timedelta(microseconds=1_242_467)
    assert waits.Spread.of([second, first]) == waits.Spread(1.239, 1.242, 1.242)
    assert waits.Spread.of([first]) == waits.Spread(1.235, 1.235, 1.235)


def test_without_bots_nothing_waits() -> None:
    assert status() == (
        "Seconds: median / 95% within / longest\n"
        "The last hour:\n  no decisions\nThe last day:\n  no decisions\nNow 0 games wait for a bot.\n" + EMPTY
    )


def test_the_status_shows_the_queues(settings) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.rpush("bots", "one", "another")
        broker.rpush("mail", "one")
    try:
        assert status().endswith("\nRequests wait: 0 in celery, 0 in quick, 2 in bots, 1 in mail.\n")
        assert json.loads(status("--json"))["queues"] == {"celery": 0, "quick": 0, "bots": 2, "mail": 1}
    finally:
        with redis.Redis.from_url(settings.REDIS_URL) as broker:
            broker.delete("bots", "mail")


def test_the_status_comes_without_a_broker(settings, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/nothing"
    assert status().endswith("\nThe broker does not answer.\n")
    assert json.loads(status("--json"))["queues"] == {}
