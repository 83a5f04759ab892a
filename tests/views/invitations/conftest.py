"""Users with confirmed addresses."""

import pytest

from accounts.models import User
from accounts.services import create_confirmed


@pytest.fixture
def alice(db: None) -> User:
    return create_confirmed("alice", "alice@example.org", "correct horse")


@pytest.fixture
def bob(db: None) -> User:
    return create_confirmed("bob", "bob@example.org", "correct horse", time_zone="Europe/Rome")
