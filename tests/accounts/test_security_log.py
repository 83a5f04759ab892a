"""The security log tells who did what from where, and nothing that could be used to log in."""

import json
import logging
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client

from accounts.models import User
from splendor_site.logs import Plain, Structured
from tests.accounts.pages import PASSWORD, log_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def heard(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    logger = logging.getLogger("security")
    logger.addHandler(caplog.handler)
    yield
    logger.removeHandler(caplog.handler)


def test_log_ins_are_noted_with_the_network(alice: User, caplog: pytest.LogCaptureFixture) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    log_in(client, "alice", "wrong secret")
    log_in(client, "nobody@example.org", "wrong secret")
    log_in(client, "alice")
    client.post("/account/logout/")

    who = f"user={alice.pk} network=192.0.2.7"
    assert caplog.messages == [
        f"log-in failed {who}",
        "log-in failed network=192.0.2.7",
        f"log-in {who}",
        f"log-out {who}",
    ]


def test_changes_of_passwords_are_noted(alice: User, caplog: pytest.LogCaptureFixture) -> None:
    client = Client()
    client.force_login(alice)
    new = "a longer secret than before"
    client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert f"password changed user={alice.pk} network=127.0.0.1" in caplog.messages
    assert not [text for text in caplog.messages if new in text or PASSWORD in text or "alice" in text]


def test_refused_requests_are_noted_at_powers_of_ten(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(enforce_csrf_checks=True)
    for _ in range(25):
        assert client.post("/account/login/", {"login": "secret"}).status_code == 403
    assert [text for text in caplog.messages if text.startswith("refused")] == [
        "refused network=127.0.0.1 status=403 times=1",
        "refused network=127.0.0.1 status=403 times=10",
    ]
    cache.clear()


def test_a_count_that_expires_meanwhile_refuses_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocMemCache, "add", lambda *_facts: False)
    assert Client(enforce_csrf_checks=True).post("/account/login/", {"login": "secret"}).status_code == 403


@pytest.mark.parametrize(
    ("host", "body"), [("testserver", b"&" * 5000), ("elsewhere.example.org", b"login=alice")], ids=["body", "host"]
)
def test_unreadable_requests_are_noted(
    host: str, body: bytes, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = client.generic("POST", "/account/login/", body, kind, headers={"host": host})
    assert answer.status_code == 400
    assert "refused network=127.0.0.1 status=400 times=1" in caplog.messages
    cache.clear()


def test_a_line_has_time_and_level_as_text_or_as_json(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("security").info("%s %s", "log-in", "user=4", extra={"facts": {"event": "log-in", "user": 4}})
    [record] = caplog.records
    record.created = 1_700_000_000.25
    assert Plain().format(record) == "2023-11-14T22:13:20.250+00:00 INFO security: log-in user=4"
    assert json.loads(Structured().format(record)) == {
        "time": "2023-11-14T22:13:20.250+00:00",
        "level": "INFO",
        "logger": "security",
        "message": "log-in user=4",
        "event": "log-in",
        "user": 4,
    }
