import pytest

from accounts.models import User
from accounts.services import create_confirmed
from games.models import Game
from games.services.tables import tables
from games.services.tables.tables import TableSpec


@pytest.fixture
def alice(db: None) -> User:
    """A host with a confirmed address."""
    return create_confirmed("alice", "alice@example.org", "correct horse")


@pytest.fixture
def table(alice: User) -> Game:
    return tables.create(alice, TableSpec("splendor", 4))
