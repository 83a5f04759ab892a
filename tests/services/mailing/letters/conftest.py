"""A game on a Monday."""

import pytest
import time_machine

from accounts.models import User
from games.models import Game
from tests.factories import deal, play_on
from tests.services.mailing.letters.reading import MONDAY


@pytest.fixture(autouse=True)
def _monday():
    with time_machine.travel(MONDAY, tick=False):
        yield


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    """A game at the beginning of a turn, after everybody has played a few turns."""
    game = deal("splendor", [alice, bob, charlie], 3)
    play_on(game, 3, 20)
    while game.number != game.turn_number:
        play_on(game, 3, 1)
    return game
