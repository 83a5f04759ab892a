from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User

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
