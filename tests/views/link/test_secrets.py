"""The cards that the page of a link shows, and the queries that the page makes."""

import re
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game
from games.services import play
from tests.factories import As, actor, deal, person, play_on, state
from tests.hidden import GAMES, hides_from_others, hiding, known, named, proofs
from tests.views.link.pages import board, legal, link, to_act
from tests.views.reading import text

pytestmark = pytest.mark.django_db

# --- secrets ---


@pytest.fixture(params=GAMES, ids=str)
def secretive(request: pytest.FixtureRequest) -> Game:
    """A game in which at least two seats hold a card that nobody else knows, and one of them is to act."""
    title, seats, decisions = request.param
    return hiding(title, seats, decisions, hides_from_others)


def test_a_link_shows_exactly_what_its_seat_may_know(as_: As, secretive: Game) -> None:
    user, expected = actor(secretive), known(secretive, state(secretive), secretive.to_act)
    assert expected > known(secretive, state(secretive), None)
    path = link(secretive)
    rng = Random(2)
    queries = [{}, {"ledger": "all"}, {"draft": "reserve L1"}, {"card": sorted(expected)[0]}]
    queries += [{"draft": action} for action in rng.sample(legal(secretive), 4)]
    for query in queries:
        for headers in ({}, {"HX-Request": "true"}):
            page = Client().get(path, query, headers=headers).content
            own = as_(user).get(f"/table/{secretive.key}/", query, headers=headers).content
            assert named(page.decode()) == named(own.decode()) == expected
            assert proofs(secretive, page.decode()) == {"commitment"}
            if not headers:
                assert board(page) == board(own)


def test_an_old_link_shows_only_public_moves(secretive: Game) -> None:
    user, turn, seat = actor(secretive), secretive.turn_number, to_act(secretive)
    path = link(secretive)
    reserves = [text for text in legal(secretive) if text.startswith("reserve L")]
    play.submit(secretive, play.Actor(user), secretive.number, (reserves or legal(secretive))[:1])
    while secretive.is_active and secretive.turn_number == turn:
        play_on(secretive, 1, 1)
        secretive.refresh_from_db()
    moves = [move for move in secretive.move_set.filter(number__gte=turn).order_by("number") if move.seat == seat.index]
    page = Client().get(path).content
    assert named(page.decode()) == set()
    assert proofs(secretive, page.decode()) == set()
    assert "drew" not in text(page)
    assert len(re.findall(r"<li>", page.decode())) == len(moves)


# --- queries ---


def test_the_cost_of_the_page_does_not_grow_with_the_game(alice: User, bob: User) -> None:
    people = [alice, bob, person("clara"), person("dan")]

    def cost(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(path).status_code == 200
        return len(queries)

    found = set()
    for number, (title, seats) in enumerate([("splendor", 2), ("splendor", 4), ("duel", 2)]):
        game = deal(title, people[:seats], number)
        for decisions in (10, 30):
            play_on(game, number, decisions)
            path, watched = link(game), cost(f"/table/{game.key}/")
            found.add((watched, cost(path), cost(f"{path}?ledger=all")))
            draft, done = link(game, legal(game)[0]), game.turn_number
            while game.turn_number == done:
                play_on(game, 1, 1)
                game.refresh_from_db()
            # The game, its seats, the owner's preferences, the moves.
            assert cost(path) == cost(draft) == 4
    # The owner's preferences, in addition to a spectator's queries.
    [(watched, *costs)] = found
    assert costs == [watched + 1] * 2
