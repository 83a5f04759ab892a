"""Actions from pages that are out of date."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from games.services.absence import pauses
from tests.factories import As, begun
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db


def answer(client: Client, name: str, game: Game) -> str:
    """Do the action; return the text of the table after it."""
    return text(client.post(address(name, game), follow=True).content)


def test_a_page_that_is_out_of_date_neither_ends_a_pause_nor_takes_back_a_request(
    as_: As, alice: User, bob: User
) -> None:
    game = begun([alice, bob])
    pauses.ask(game, alice)
    answer(as_(bob), "resume", game)
    assert "Agree to a pause" in text(as_(bob).get(address("table", game)).content)
    pauses.ask(game, bob)
    assert "You withdrew" not in answer(as_(alice), "withdraw_pause", game)
    game.refresh_from_db()
    assert game.paused_at
