"""Bots in seats: each decision gets exactly one move, even if tasks are retried, doubled or late."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django import db

from accounts.models import User
from games import tasks
from games.bots.random_bot import RandomBot
from games.bots.splendor.greedy import Greedy
from games.models import Game, Incident, Move, Seat
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.versions import writing
from games.services.work import bot_queues, thinking
from tests.factories import DAY, START, at

pytestmark = pytest.mark.django_db


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


def test_a_fault_of_the_database_is_not_the_bots(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker tries it later, and no weaker bot takes the decision."""

    def locked(*_: object, **__: object) -> None:
        raise db.OperationalError("database is locked")

    monkeypatch.setattr(play, "submit", locked)
    with pytest.raises(db.OperationalError):
        thinking.think(game.pk)
    assert failures(game) == []


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


@pytest.mark.parametrize(("times", "doublings"), [(3, 0), (4, 0), (5, 1), (7, 3), (99, 5)])
def test_a_decision_that_no_bot_can_make_is_tried_less_and_less_often(
    game: Game, monkeypatch: pytest.MonkeyPatch, times: int, doublings: int
) -> None:
    for bot in (Greedy, RandomBot):
        monkeypatch.setattr(bot, "choose", failing)
    for _time in range(times):
        writing.record(game, "bot_silent", 0)
    with at(START):
        thinking.think(game.pk)
    assert Game.objects.get(pk=game.pk).bot_claimed_until == START + timedelta(seconds=30) * 2**doublings


def test_a_request_whose_game_another_worker_claims_serves_the_next_one(
    game: Game, duel: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = iter([duel.pk, game.pk])
    monkeypatch.setattr(bot_queues, "next_game", lambda *_: next(chosen))
    Game.objects.filter(pk=duel.pk).update(bot_claimed_until=now() + DAY)
    thinking.think(game.pk)
    assert list(Move.objects.values_list("game", "seat")) == [(game.pk, 0)]


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
