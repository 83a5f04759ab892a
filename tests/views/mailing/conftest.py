"""Who is not logged in."""

import pytest
from django.test import Client


@pytest.fixture
def anybody() -> Client:
    """Nobody is logged in, and no cookie vouches for a form."""
    return Client(enforce_csrf_checks=True)
