"""Hints in a first game against bots, until their reader has had enough of them."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from games.services import play
from tests.factories import As, begun

pytestmark = pytest.mark.django_db


def hint(client: Client, game: Game, query: str = "") -> str:
    page = client.get(reverse("table", args=[game.key]) + query).content.decode()
    found = re.search(r'class="ideas advice".*?<p>(.*?)</p>', page, re.DOTALL)
    return found[1] if found else ""


def first_game(client: Client, title: str) -> Game:
    client.post(f"/play/{title}/")
    return Game.objects.with_seats().latest("pk")


@pytest.mark.parametrize("title", TITLES)
def test_a_guest_has_hints_until_they_end_them_for_good(title: str) -> None:
    client = Client()
    game = first_game(client, title)
    assert "cheap card" in hint(client, game)
    assert hint(client, game, "?draft=reserve L1") == ""
    ended = client.post(reverse("no_hints", args=[game.key]))
    assert ended["Location"] == reverse("table", args=[game.key])
    assert hint(client, game) == ""
    assert hint(client, first_game(client, title)) == ""


def test_a_finished_game_ends_the_hints_for_its_title_only(alice: User, as_: As) -> None:
    client = as_(alice)
    game = first_game(client, "splendor")
    assert hint(client, game)
    play.resign(game, alice)
    assert hint(client, first_game(client, "splendor")) == ""
    assert hint(client, first_game(client, "duel"))


def test_a_game_with_another_person_has_no_hints(alice: User, bob: User, as_: As) -> None:
    game = begun([alice, bob])
    assert {hint(as_(alice), game), hint(as_(bob), game)} == {""}


def test_others_see_no_hints_and_end_nobody_elses(alice: User, bob: User, as_: As) -> None:
    client = as_(alice)
    game = first_game(client, "splendor")
    Game.objects.update(audience=Game.Audience.ANYONE)
    assert hint(as_(bob), game) == ""
    as_(bob).post(reverse("no_hints", args=[game.key]))
    assert hint(client, game)
