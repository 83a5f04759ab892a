import pytest
from django.core.cache import cache

from accounts.models import User
from accounts.services import create_confirmed
from tests.accounts.pages import PASSWORD


@pytest.fixture(autouse=True)
def fresh_limits(settings):
    """Clear the counters of rate limits before each test."""
    settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


@pytest.fixture
def alice(db: None) -> User:
    return create_confirmed("Alice", "alice@example.org", PASSWORD, time_zone="Europe/Paris")


@pytest.fixture
def bob(db: None) -> User:
    return create_confirmed("Bob", "bob@example.org", PASSWORD, time_zone="America/New_York")
