"""The poll: the cache answers while it knows the version, and the answer is always right."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from games.services.absence import pauses
from games.services.versions import polls
from tests.factories import START

pytestmark = pytest.mark.django_db
Committing = Callable[..., Any]


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


@pytest.fixture
def client(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def question(client: Client, game: Game) -> str:
    """The address that the page polls."""
    page = client.get(reverse("table", args=[game.key])).content.decode()
    found = re.search(r'data-poll="([^"]+)"', page)
    assert found
    return html.unescape(found[1])


def ask(client: Client, question: str) -> tuple[int, int]:
    """The status of the answer, and its number of queries."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(question, headers={"HX-Request": "true"})
    assert answer["Cache-Control"] == "private, no-store"
    return answer.status_code, len(queries)


def decide(game: Game, committing: Committing) -> None:
    game.refresh_from_db()
    user = game.seat_set.get(index=game.to_act).user
    assert user
    with committing(execute=True):
        play.submit(game, play.Actor(user), game.number, [str(play.look(game, user).legal[0])])


def test_a_poll_without_news_reads_no_row(
    client: Client, duel: Game, django_capture_on_commit_callbacks: Committing
) -> None:
    where = question(client, duel)
    status, queries = ask(client, where)
    assert (status, queries > 0) == (204, True)  # the cache was empty
    assert ask(client, where) == (204, 0)
    decide(duel, django_capture_on_commit_callbacks)
    assert ask(client, where)[0] == 200
    assert ask(client, question(client, duel)) == (204, 0)


DAY = 24 * 3600
WAITS = {
    "person": [(0, 1.5), (119, 1.5), (120, 10), (599, 10), (600, 30), (30 * DAY, 30)],
    "bot": [(0, 0.4), (9, 0.4), (10, 0.7), (59, 0.7), (60, 2), (299, 2), (300, 10), (30 * DAY, 10)],
}
"""Seconds since the last decision, and the seconds to wait, by who is to act."""


@pytest.mark.parametrize("actor", WAITS)
def test_a_page_asks_often_while_something_happens_and_seldom_at_rest(client: Client, duel: Game, actor: str) -> None:
    """The page, the database and the cache give the same interval."""
    if actor == "bot":
        Seat.objects.filter(game=duel, index=duel.to_act).update(caretaker="greedy")
        Game.objects.update(bot_to_act="greedy")
    with time_machine.travel(START, tick=False) as clock:
        Game.objects.filter(pk=duel.pk).update(changed_at=START)
        where = question(client, duel)
        for age, expected in WAITS[actor]:
            clock.move_to(START + timedelta(seconds=age))
            cache.clear()
            page = client.get(reverse("table", args=[duel.key])).content.decode()
            [said] = re.findall(r'data-after="([^"]+)"', page)
            answers = [client.get(where)["X-Poll-After"] for _ in range(2)]
            assert [float(text) for text in (said, *answers)] == [expected] * 3


def test_news_missing_from_the_cache_comes_a_minute_later(client: Client, duel: Game) -> None:
    where = question(client, duel)
    assert ask(client, where)[0] == 204
    decide(duel, lambda execute: CaptureQueriesContext(connection))  # and the cache does not learn of it
    assert ask(client, where) == (204, 0)
    cache.clear()  # a minute later
    assert ask(client, where)[0] == 200


def test_cached_answers_last_a_minute(client: Client, duel: Game) -> None:
    with time_machine.travel(START, tick=False) as clock:
        where = question(client, duel)
        ask(client, where)
        clock.shift(59)
        assert ask(client, where) == (204, 0)
        clock.shift(2)
        status, queries = ask(client, where)
        assert (status, queries > 0) == (204, True)


def test_a_reader_counts_as_looking_for_two_minutes_after_a_poll(
    client: Client, duel: Game, alice: User, bob: User
) -> None:
    mine, other = (Seat.objects.get(game=duel, user=user) for user in (alice, bob))
    with time_machine.travel(START, tick=False) as clock:
        where = question(client, duel)
        assert ask(client, where)[0] == 204
        clock.shift(30)
        assert ask(client, where) == (204, 0)
        clock.shift(119)
        assert (polls.is_looking(duel, mine), polls.is_looking(duel, other)) == (True, False)
        clock.shift(2)
        assert not polls.is_looking(duel, mine)


def test_a_new_position_is_noted_at_once(duel: Game) -> None:
    mine = Seat.objects.get(game=duel, index=0)
    with time_machine.travel(START, tick=False):
        polls.remember_written(duel)
        polls.unchanged(polls.seal(duel, 0))
        assert polls.is_looking(duel, mine)
        duel.number, duel.version = duel.number + 1, duel.version + 1
        polls.remember_written(duel)
        assert not polls.is_looking(duel, mine)
        polls.unchanged(polls.seal(duel, 0))
        assert polls.is_looking(duel, mine)


def test_a_reader_is_noted_every_ten_seconds(duel: Game) -> None:
    mine = Seat.objects.get(game=duel, index=0)
    with time_machine.travel(START, tick=False) as clock:
        polls.remember_written(duel)
        polls.unchanged(polls.seal(duel, 0))
        cache.delete(f"looking:{duel.key}:0")
        for second in range(1, 11):
            clock.shift(1)
            polls.unchanged(polls.seal(duel, 0))
            assert polls.is_looking(duel, mine) == (second == polls.NOTED_SECONDS)


def test_a_process_that_forgets_readers_notes_them_again(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polls, "MAX_NOTED", 1)
    polls.remember_written(duel)
    mine = Seat.objects.get(game=duel, index=0)
    for seat in (0, 1):
        polls.unchanged(polls.seal(duel, seat))
    cache.delete(f"looking:{duel.key}:0")
    assert not polls.is_looking(duel, mine)
    polls.unchanged(polls.seal(duel, 0))
    assert polls.is_looking(duel, mine)


def test_an_older_version_does_not_replace_a_newer_one(
    client: Client, duel: Game, django_capture_on_commit_callbacks: Committing
) -> None:
    where, before = question(client, duel), Game.objects.get(pk=duel.pk)
    decide(duel, django_capture_on_commit_callbacks)
    polls.remember_read(before)
    assert ask(client, where)[0] == 200


def test_a_page_that_is_open_when_its_game_is_stopped_goes_to_the_page_that_says_so(
    client: Client, duel: Game, alice: User, bob: User
) -> None:
    where, table = question(client, duel), reverse("table", args=[duel.key])
    for user in (alice, bob):
        pauses.ask_to_stop(duel, user)
    moves = {"moves": "take a1", "number": 0}
    open_page = {"HX-Request": "true"}
    for answer in (client.get(where, headers=open_page), client.post(table, moves, headers=open_page)):
        assert (answer.status_code, answer["HX-Redirect"]) == (200, table)
    assert client.post(table, moves)["Location"] == table
    assert "stop the game" in client.get(table).content.decode()


def test_a_player_who_is_logged_out_is_told_and_does_not_become_a_spectator(
    client: Client, duel: Game, django_capture_on_commit_callbacks: Committing
) -> None:
    mine, watched = question(client, duel), question(Client(), duel)
    client.logout()
    decide(duel, django_capture_on_commit_callbacks)
    assert ask(client, mine)[0] == 401
    assert ask(client, watched)[0] == 200


def test_without_a_seal_of_the_site_readers_are_looked_up(client: Client, duel: Game) -> None:
    Game.objects.filter(pk=duel.pk).update(audience=Game.Audience.SEATS)
    where = question(client, duel)
    assert ask(client, where)[0] == 204
    for forged in (where[:-1], where.replace("seal=", "seal=x"), where.partition("&")[0]):
        assert Client().get(forged).status_code == 404
        assert ask(client, forged)[0] == 204
    # The seal is good for this address only.
    seal = where.partition("&")[2]
    assert client.get(f"{reverse('mine')}?{seal}").status_code == 200
    assert client.post(where).status_code == 405
