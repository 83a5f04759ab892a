"""A game of each title, at a frozen time."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from tests.factories import deal, play_on


@pytest.fixture(autouse=True)
def still() -> Iterator[None]:
    """Freeze time, so that compared pages show the same time left."""
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False):
        yield


@pytest.fixture(params=TITLES)
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """A game of each title, some turns after the start."""
    game = deal(request.param, [alice, bob], 5)
    play_on(game, 5, 9)
    game.refresh_from_db()
    return game
