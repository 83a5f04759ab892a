"""Headers, cookies and keys that protect readers."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
import redis
import time_machine
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core.signing import Signer
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game
from games.services.mailing import links
from splendor_site import settings as site
from splendor_site.cache import ForgivingRedisCache
from tests.factories import As, actor
from tests.outputs import ADDRESSES, path


def test_no_cache_keeps_a_page_of_a_person(as_: As, alice: User, duel: Game) -> None:
    client = as_(alice)
    for name in ADDRESSES:
        answer = client.get(path(name, duel))
        assert {"private", "no-store"} <= {*answer.headers["Cache-Control"].split(", ")}, name
        assert "camera=()" in answer.headers["Permissions-Policy"], name


@pytest.mark.django_db
def test_a_stranger_can_go_back_to_the_first_page_at_once(client: Client, db: None) -> None:
    assert "no-store" not in client.get("/").headers.get("Cache-Control", "")


def test_a_session_ends_after_thirty_days_without_a_visit(as_: As, alice: User) -> None:
    client = as_(alice)
    start = timezone.now()
    for days in (29, 58):
        with time_machine.travel(start + timedelta(days=days)):
            assert client.get("/games/").status_code == 200
    with time_machine.travel(start + timedelta(days=58 + 31)):
        assert client.get("/games/").status_code == 302


def test_visits_write_the_session_once_a_day(as_: As, alice: User) -> None:
    client = as_(alice)
    [first] = Session.objects.values_list("expire_date", flat=True)
    client.get("/games/")
    assert [*Session.objects.values_list("expire_date", flat=True)] == [first]
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        client.get("/games/")
    assert Session.objects.get().expire_date > first


def test_a_new_key_ends_no_link(
    client: Client, duel: Game, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = links.issue(duel, duel.seat_set.get(user=actor(duel)))
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    for fallbacks, status in (([former], 200), ([], 404)):
        settings.SECRET_KEY_FALLBACKS = fallbacks
        # A new key needs a restart.
        monkeypatch.setattr(links, "_signer", Signer(salt="games.links", sep="."))
        assert client.get(link).status_code == status


def test_cookies_belong_to_one_host_in_production() -> None:
    script = (
        "import django; django.setup(); from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.BROWSER_COOKIE_NAME);"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)"
    )
    environment = {
        **os.environ,
        "DEBUG": "0",
        "ALLOWED_HOSTS": "localhost",
        "DJANGO_SETTINGS_MODULE": "splendor_site.settings",
    }
    told = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["__Host-sessionid", "__Host-csrftoken", "__Host-browser", "True", "True"]


def test_the_cache_holds_json(valkey: str) -> None:
    cache = ForgivingRedisCache(f"{valkey}?db=1", site.CACHES["default"])
    cache.set("a", {"b": [1, 2.5, None]})
    cache.set("c", 4)
    assert (cache.get("a"), cache.incr("c")) == ({"b": [1, 2.5, None]}, 5)
    stored = redis.Redis.from_url(f"{valkey}?db=1").get(cache.make_key("a"))
    assert stored == b'{"b": [1, 2.5, null]}'
