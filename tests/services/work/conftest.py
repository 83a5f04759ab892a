import pytest

from accounts.models import User
from games.models import Game
from games.services.tables import tables


@pytest.fixture
def game(alice: User) -> Game:
    """A game of Alice and three bots in which a bot is to act; Alice has moved if she began."""
    while True:
        game = tables.create(alice, tables.TableSpec("splendor", 4, bots=["greedy", "random", "greedy"]))
        if game.seat_set.get(user=alice).index != 0:
            return game
