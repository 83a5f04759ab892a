import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.services import create_confirmed

PASSWORD = "three blue sapphires"


@pytest.fixture(autouse=True)
def fresh_limits(settings):
    """Rate limits are counted, and each test starts at nought."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


@pytest.fixture
def alice(db: None) -> User:
    return create_confirmed("Alice", "alice@example.org", PASSWORD, time_zone="Europe/Paris")


@pytest.fixture
def bob(db: None) -> User:
    return create_confirmed("Bob", "bob@example.org", PASSWORD, time_zone="America/New_York")


def log_in(client: Client, login: str, password: str = PASSWORD, **fields: str):
    return client.post("/account/login/", {"login": login, "password": password, **fields})


def user_of(client: Client) -> str | None:
    """Who the next page thinks is there."""
    found = re.search(r"<bdi>(.*?)</bdi>", client.get("/account/logout/", follow=True).content.decode())
    return found[1] if found else None


def last_code() -> str:
    found = re.search(r"^[B-Z]{4}-[B-Z]{4}$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found, mail.outbox[-1].body
    return found[0]


def shown(response) -> str:
    """The page without what differs from request to request."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
