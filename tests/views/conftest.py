from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.staff import member, used_passkey

As = Callable[[User | None], Client]


@pytest.fixture
def as_() -> As:
    """A client in which the user is logged in; `None` for nobody."""

    def visit(user: User | None) -> Client:
        client = Client()
        if user:
            client.force_login(user)
        return client

    return visit


@pytest.fixture
def mia(db: None) -> User:
    return member()


@pytest.fixture
def desk(mia: User) -> Client:
    """A browser in which a member of staff has used her passkey."""
    return used_passkey(Client(), mia)
