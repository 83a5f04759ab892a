"""An upgrade keeps everything that people have played on a site."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Incident, Move, Seat, Vacation
from games.services import play
from games.services.play import history
from games.services.tables import tables
from tests.factories import deal, play_on

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


SITE_OF_7DF243D = [("accounts", "0003_clocks_and_mail"), ("games", "0005_how_long_bots_take")]


def told() -> list[Any]:
    moves = Move.objects.order_by("game", "number").values_list("game", "number", "events", "points", "tokens")
    return [*moves, *Seat.objects.order_by("pk").values_list("pk", "seen_number")]


BEFORE_7DF243D = pytest.mark.long
"""Sites older than 7df243d; `tests/upgrades` has those since."""


@BEFORE_7DF243D
def test_moves_of_an_older_site_get_their_events(alice: User, bob: User) -> None:
    games = [tables.create(alice, tables.TableSpec(title, 2, pace="none")) for title in TITLES]
    for game in games:
        tables.join(game, bob)
        rng = Random(game.title)
        while game.number < 30:
            seat = game.seat_set.get(index=game.to_act)
            assert seat.user
            _seen, legal = play.offer(game, seat, variants=False)
            play.submit(game, play.Actor(seat.user), game.number, [str(rng.choice(legal))])
    before = told()
    try:
        call_command("migrate", "games", "0001", verbosity=0)
        Seat.objects.update(seen_number=0)
    finally:
        call_command("migrate", verbosity=0)
    assert told() == before
    assert all(history.replays(game) for game in games)


@BEFORE_7DF243D
def test_tables_of_an_older_site_get_clocks(alice: User, bob: User) -> None:
    waiting = tables.create(alice, tables.TableSpec("duel", 2))
    running, over = (tables.create(alice, tables.TableSpec("duel", 2)) for _game in range(2))
    for game in (running, over):
        tables.join(game, bob)
    play.resign(over, bob)
    try:
        # No clock ran at these tables.
        Game.objects.update(deadline=None)
        call_command("migrate", "games", "0002", verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
    waiting.refresh_from_db()
    assert waiting.expires_at == waiting.changed_at + timedelta(days=14)
    running.refresh_from_db()
    assert (running.deadline, running.clock_started_at) == (None, None)
    assert set(running.seat_set.values_list("bank", "seen_end")) == {(timedelta(days=3), False)}
    assert set(over.seat_set.values_list("seen_end", flat=True)) == {True}
    seat = running.seat_set.get(index=running.to_act)
    assert seat.user is not None
    play.submit(running, play.Actor(seat.user), 0, [str(play.look(running, seat.user).legal[0])])
    running.refresh_from_db()
    assert running.deadline == running.changed_at + timedelta(days=3)


def test_names_of_an_older_site_get_new_keys(alice: User) -> None:
    """The Cyrillic letter ghe looks like r today, and there is a “roo” already."""
    people = {"roo": "roo", "гоо": "гoo", "гокка": "гokka"}  # noqa: RUF001
    try:
        call_command("migrate", "accounts", "0004", verbosity=0)
        state = MigrationExecutor(connection).loader.project_state([("accounts", "0004_plain_words")])
        users = state.apps.get_model("accounts", "User").objects
        users.bulk_create(users.model(username=name, name_key=key, email=name) for name, key in people.items())
    finally:
        call_command("migrate", verbosity=0)
    for user in User.objects.all():
        user.theme = "dark"
        user.save()
    kept = User.objects.exclude(pk=alice.pk).filter(theme="dark").values_list("username", "name_key")
    assert dict(kept) == {"roo": "roo", "гоо": "гoo", "гокка": "rokka"}  # noqa: RUF001


def test_a_site_of_7df243d_keeps_its_hosts_notes_bots_and_vacations(alice: User) -> None:
    strengths = ["easy", "medium", "strongest"]
    game = tables.create(alice, tables.TableSpec("splendor", 4, bots=strengths))
    mine, begin = game.seat_set.get(user=alice), datetime(2026, 11, 1, 8, tzinfo=UTC)
    try:
        for app, migration in SITE_OF_7DF243D:
            call_command("migrate", app, migration, verbosity=0)
        old = MigrationExecutor(connection).loader.project_state(SITE_OF_7DF243D).apps
        assert old.get_model("games", "Game").objects.get().created_by_id == alice.pk
        assert set(old.get_model("games", "Seat").objects.values_list("bot", flat=True)) == {"", *strengths}
        old.get_model("games", "Seat").objects.filter(user=alice.pk).update(plan="Save gold.", caretaker="easy")
        incidents = old.get_model("games", "Incident").objects
        facts = {"bot": "easy", "error": "KeyError"}
        incidents.create(game_id=game.pk, after_number=0, kind="bot_failed", facts=facts, at=game.created_at)
        vacations = old.get_model("accounts", "Vacation").objects
        vacations.create(user_id=alice.pk, begins_at=begin, ends_at=begin + timedelta(days=9))
    finally:
        call_command("migrate", verbosity=0)
    game.refresh_from_db()
    mine.refresh_from_db()
    assert (game.host, mine.note, mine.caretaker) == (alice, "Save gold.", "beginner")
    assert set(game.seat_set.values_list("bot", flat=True)) == {"", "beginner", "medium", "strongest"}
    assert Incident.objects.get(kind="bot_failed").facts == {"bot": "beginner", "error": "KeyError"}
    vacation = Vacation.objects.get()
    assert (vacation.user, vacation.begins_at, vacation.ends_at) == (alice, begin, begin + timedelta(days=9))
    assert "accounts_vacation" not in connection.introspection.table_names()


def test_games_of_an_older_site_get_their_round(alice: User, bob: User) -> None:
    games = [deal(title, [alice, bob], 3) for title in TITLES]
    for game in games:
        play_on(game, 3, 60)
    before = list(Game.objects.order_by("pk").values_list("round", "is_last_round"))
    assert min(before) > (10, False)
    assert (True in {is_last for _round, is_last in before}) == Game.objects.filter(seat_set__score__gte=15).exists()
    Game.objects.update(round=1, is_last_round=False)
    import_module("games.migrations.0013_names_and_rounds").count_rounds(apps, None)
    assert list(Game.objects.order_by("pk").values_list("round", "is_last_round")) == before
