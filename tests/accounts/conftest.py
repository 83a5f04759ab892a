import pytest
from django.core.cache import cache

from accounts.models import User
from accounts.services import create_confirmed
from splendor_site import settings as site
from tests.accounts.pages import PASSWORD


@pytest.fixture(autouse=True)
def fresh_limits(settings):
    """Use the limits of the site, and clear their counters before each test."""
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


@pytest.fixture
def alice(db: None) -> User:
    return create_confirmed("Alice", "alice@example.org", PASSWORD, time_zone="Europe/Paris")


@pytest.fixture
def bob(db: None) -> User:
    return create_confirmed("Bob", "bob@example.org", PASSWORD, time_zone="America/New_York")
