"""Error reports say where the error happened, and reveal neither a card nor the seed."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from io import StringIO
from typing import Any
from urllib.parse import unquote_plus

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils.log import AdminEmailHandler

from accounts.models import User
from games import tasks
from games.boards import duel, splendor
from games.bots.random_bot import RandomBot
from games.catalogue import TITLES
from games.models import Game, Move
from games.models.position import Position
from games.rules.base import Ruleset
from games.services import play
from games.services.tables import tables
from tests.factories import actor, deal, play_on, ruleset, state
from tests.hidden import CARD

pytestmark = pytest.mark.django_db


class Fault(Exception):
    """The error that these tests raise."""


@pytest.fixture(params=TITLES)
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    game = deal(request.param, [alice, bob], 5)
    play_on(game, 6, 12)
    assert any(held.blind for player in state(game).players for held in player.reserved)
    return game


@pytest.fixture
def said(settings: Any) -> Iterator[Callable[[], str]]:
    """Everything that is logged, as printed on the console, and both parts of the mails to the admins."""
    settings.ADMINS = [("Ada", "ada@example.org")]
    console = StringIO()
    handlers = [logging.StreamHandler(console), AdminEmailHandler(), AdminEmailHandler(include_html=True)]
    loggers = [logging.getLogger(name) for name in ("", "django", "celery")]
    for logger in loggers:
        for handler in handlers:
            logger.addHandler(handler)
    yield lambda: "\n".join([console.getvalue(), *(f"{sent.subject} {sent.body} {html(sent)}" for sent in mail.outbox)])
    for logger in loggers:
        for handler in handlers:
            logger.removeHandler(handler)


def html(sent: Any) -> list[str]:
    return [str(part.content) for part in sent.alternatives]


def leaks(game: Game, text: str) -> set[str]:
    """The parts of the position that the text reveals: cards, and the seed in any spelling."""
    stored = Position.objects.get(game=game).state
    seed = state(game).seed
    spellings = {seed.hex(), stored["seed"], repr(seed), json.dumps(stored["seed"])}
    text = unquote_plus(text)
    return set(CARD.findall(text)) | {spelling for spelling in spellings if spelling in text}


def test_leaks_would_be_found(game: Game) -> None:
    stored, now = Position.objects.get(game=game).state, state(game)
    seen = play.look(game, actor(game)).seen
    assert len(leaks(game, repr(stored))) > 60
    assert len(leaks(game, repr(now.decks))) > 20
    assert len(leaks(game, repr(seen))) > 10
    assert leaks(game, repr(state)) == set()
    assert leaks(game, f"{now.seed!r} {now.seed.hex()}") == {repr(now.seed), now.seed.hex()}


# --- places of errors, always with a position or an observation in a frame ---


def in_apply(game: Game, patch: pytest.MonkeyPatch) -> None:
    def play_it(ruleset: Any, state: Any, action: Any) -> Any:
        seed, decks, copy = state.seed, state.decks, ruleset.dump(state)
        raise Fault(state, len(seed), len(decks), len(copy))

    patch.setattr(Ruleset, "_play", play_it)


def in_the_rules(game: Game, patch: pytest.MonkeyPatch) -> None:
    def observe(state: Any, seat: Any) -> Any:
        decks = state.decks
        return decks[state.seed]

    patch.setattr(ruleset(game), "observe", observe)


def in_the_database(game: Game, patch: pytest.MonkeyPatch) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TRIGGER no_more BEFORE UPDATE ON games_position BEGIN SELECT RAISE(ABORT, 'disk on fire'); END"
        )


def in_the_rows(game: Game, patch: pytest.MonkeyPatch) -> None:
    def bulk_create(moves: Any) -> Any:
        seen = play.look(game, actor(game))
        raise Fault from KeyError(len(seen.legal))

    patch.setattr(type(Move.objects), "bulk_create", lambda self, moves: bulk_create(moves))


def in_look(game: Game, patch: pytest.MonkeyPatch) -> None:
    def all_actions(ruleset: Any, state: Any) -> Any:
        seen = ruleset.observe(state, 0)
        raise Fault(type(seen))

    patch.setattr(Ruleset, "all_actions", all_actions)


def in_the_ledger(game: Game, patch: pytest.MonkeyPatch) -> None:
    def show(event: Any, seat: Any) -> Any:
        facts = event.facts
        raise Fault(len(facts))

    patch.setattr(ruleset(game), "show", show)


def in_the_board(game: Game, patch: pytest.MonkeyPatch) -> None:
    def board(**parts: Any) -> Any:
        raise Fault(len(parts))

    patch.setattr(import_module(f"games.boards.{game.title}.build"), "Board", board)


def in_a_template(game: Game, patch: pytest.MonkeyPatch) -> None:
    def line(language: Any, title: Any, event: Any, names: Any) -> Any:
        raise Fault(event.code)

    patch.setattr("games.rendering._event_line", line)


def in_the_drawing(game: Game, patch: pytest.MonkeyPatch) -> None:
    def card(board: Any, name: Any) -> Any:
        levels = board.levels
        raise Fault(len(levels))

    for kind in (splendor.Board, duel.Board):
        patch.setattr(kind, "card", card)


Place = Callable[[Game, pytest.MonkeyPatch], None]
WRITING: list[Place] = [in_apply, in_the_rules, in_the_database, in_the_rows]
each_page = pytest.mark.parametrize(
    ("game", "debug"),
    [
        ("splendor", True),
        ("duel", False),
        pytest.param("splendor", False, marks=pytest.mark.long),
        pytest.param("duel", True, marks=pytest.mark.long),
    ],
    indirect=["game"],
)
READING: list[Place] = [in_the_rules, in_look, in_the_ledger, in_the_board, in_a_template, in_the_drawing]


@each_page
@pytest.mark.parametrize("place", WRITING)
def test_a_failed_decision_leaks_nothing(
    game: Game, place: Place, debug: bool, settings: Any, monkeypatch: pytest.MonkeyPatch, said: Callable[[], str]
) -> None:
    user = actor(game)
    legal = [str(action) for action in play.look(game, user).legal]
    text = next((text for text in legal if re.search(CARD, text)), legal[0])
    client = Client(raise_request_exception=False)
    client.force_login(user)
    settings.DEBUG = debug
    place(game, monkeypatch)
    path = f"/table/{game.key}/?draft={text}"
    answer = client.post(path, {"number": game.number, "moves": text})
    check(game, answer, debug, said())
    game.refresh_from_db()
    assert game.number == 12


@each_page
@pytest.mark.parametrize("place", READING)
def test_a_failed_page_leaks_nothing(
    game: Game, place: Place, debug: bool, settings: Any, monkeypatch: pytest.MonkeyPatch, said: Callable[[], str]
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(actor(game))
    card = CARD.findall(client.get(f"/table/{game.key}/").content.decode())[0]
    settings.DEBUG = debug
    place(game, monkeypatch)
    answer = client.get(f"/table/{game.key}/", {"card": card, "draft": f"reserve {card}"})
    check(game, answer, debug, said())


def check(game: Game, answer: Any, debug: bool, said: str) -> None:
    """The log and both mails say where the error happened. They reveal no secret, and neither does the page."""
    page = answer.content.decode()
    assert answer.status_code == 500
    assert ("Traceback" in page) == debug
    assert "Internal Server Error: /table/…/" in said
    assert f"/{game.key}/" not in said
    assert "Traceback (most recent call last)" in said
    assert [len(html(sent)) for sent in mail.outbox] == [0, 1]
    assert leaks(game, page) == set()
    assert leaks(game, said) == set()


def test_queries_are_not_logged_in_development(
    game: Game, settings: Any, said: Callable[[], str], client: Client
) -> None:
    """Logged queries would reveal positions, which are among their parameters."""
    settings.DEBUG = True
    user = actor(game)
    client.force_login(user)
    connection.force_debug_cursor = True
    try:
        legal = play.look(game, user).legal
        assert client.post(f"/table/{game.key}/", {"number": 12, "moves": str(legal[0])}).status_code == 302
    finally:
        connection.force_debug_cursor = False
    assert leaks(game, said()) == set()


# --- workers ---


def test_a_failed_bot_leaks_nothing(alice: User, monkeypatch: pytest.MonkeyPatch, said: Callable[[], str]) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 4, bots=["random"] * 3))
    while game.seat_set.get(user=alice).index == 0:
        game = tables.create(alice, tables.TableSpec("splendor", 4, bots=["random"] * 3))

    def choose(bot: Any, seen: Any, legal: Any, *arguments: Any) -> Any:
        raise Fault(len(seen.rows), len(legal))

    monkeypatch.setattr(RandomBot, "choose", choose)
    tasks.think.apply(args=[game.pk])
    assert f"bot random failed in game {game.pk}" in said()
    assert "Traceback" in said()
    assert leaks(game, said()) == set()
    [facts] = game.incident_set.filter(kind="bot_failed", facts__bot="random").values_list("facts", flat=True)
    assert facts == {"bot": "random", "error": "Fault"}


@pytest.mark.parametrize("task", [tasks.think, tasks.tend])
def test_a_failed_task_leaks_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch, said: Callable[[], str], task: Any
) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 4, bots=["greedy"] * 3))

    def broken(*arguments: Any) -> Any:
        raise Fault(state(game))

    monkeypatch.setattr(type(Game.objects.all()), "waiting_for_bot", broken)
    result = task.apply(args=[game.pk])
    assert isinstance(result.result, Fault)
    assert f"Task {task.name}" in said()
    assert "<splendor state 0 main>" in said()
    assert leaks(game, said()) == set()
