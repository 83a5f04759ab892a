import pytest

from accounts.models import User
from games.models import Game
from games.services import tables


def person(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "correct horse")


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


@pytest.fixture
def charlie(db: None) -> User:
    """A stranger."""
    return person("charlie")


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """Alice and Bob have just begun a Duel."""
    game = tables.create(alice, tables.Plan("duel", 2))
    tables.join(game, bob)
    return game
