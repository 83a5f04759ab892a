"""Anonymous clients."""

import pytest
from django.test import Client


@pytest.fixture
def anybody() -> Client:
    """An anonymous client that enforces CSRF checks."""
    return Client(enforce_csrf_checks=True)
