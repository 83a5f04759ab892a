"""`/next/`, a bookmark: the table that waits longest for me."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services import play, tables
from games.services.moment import ago, now
from tests.views.conftest import As

pytestmark = pytest.mark.django_db
NEXT = "/next/"


def table(alice: User, bob: User, hours: int) -> Game:
    """Alice's turn, for so many hours."""
    while True:
        with ago(timedelta(hours=hours)):
            game = tables.create(alice, tables.Plan("splendor", 2))
            tables.join(game, bob)
        if game.seat_set.get(index=game.to_act).user == alice:
            return game
        game.delete()


def where(game: Game) -> str:
    return reverse("table", args=[game.key])


def test_who_waited_longest_is_next_and_a_deadline_goes_before(as_: As, alice: User, bob: User) -> None:
    young, old = table(alice, bob, 1), table(alice, bob, 5)
    client = as_(alice)
    assert client.get(NEXT).url == where(old)  # type: ignore[attr-defined]
    Game.objects.filter(pk=young.pk).update(deadline=now() + timedelta(days=1))
    assert client.get(NEXT).url == where(young)  # type: ignore[attr-defined]
    assert client.get(NEXT, {"after": young.key}).url == where(old)  # type: ignore[attr-defined]


def test_without_any_it_leads_to_my_tables(as_: As, alice: User, bob: User) -> None:
    game = table(alice, bob, 1)
    assert as_(bob).get(NEXT).url == reverse("mine")  # type: ignore[attr-defined]
    assert as_(alice).get(NEXT, {"after": game.key}).url == reverse("mine")  # type: ignore[attr-defined]
    play.resign(game, alice)
    assert as_(alice).get(NEXT, {"after": "\0"}).url == reverse("mine")  # type: ignore[attr-defined]
    assert as_(None).get(NEXT).url == f"/account/login/?next={NEXT}"  # type: ignore[attr-defined]


def test_the_key_and_the_button_lead_there(as_: As, alice: User, bob: User) -> None:
    game = table(alice, bob, 1)
    client = as_(alice)
    assert f'href="{NEXT}?after={game.key}"' in client.get(where(game)).content.decode()
    assert f'href="{NEXT}"' in client.get(reverse("mine")).content.decode()
