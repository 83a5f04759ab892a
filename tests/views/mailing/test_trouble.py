"""Mails that do not arrive, and a mail service's reports about them."""

import base64
import json
from collections.abc import Iterator
from importlib import reload
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import clear_url_caches

from accounts.models import User
from games.models import Preferences
from games.services.mailing import bounces
from games.services.outbox import opt_out
from splendor_site import urls
from tests.factories import As
from tests.smtp import MailServer
from tests.views.mailing.owed import BANNER, GONE, LIST, SETTINGS, owe_test
from tests.views.reading import text

pytestmark = pytest.mark.django_db

# --- mails that do not arrive ---

OWN_PAGES = ("/games/", "/settings/", SETTINGS, LIST)


def banners(client: Client) -> list[bool]:
    return [BANNER in text(client.get(address).content) for address in OWN_PAGES]


def test_a_refused_mail_shows_a_banner_until_one_is_accepted(as_: As, alice: User, bob: User, smtp: MailServer) -> None:
    client = as_(alice)
    assert banners(client) == [False] * 4
    smtp.refuse["alice@example.org"] = GONE
    owe_test(alice)
    assert banners(client) == [True] * 4
    assert f"the mail server refused an email to alice@example.org : {GONE}" in text(client.get("/games/").content)
    assert banners(as_(bob)) == [False] * 4

    smtp.refuse.clear()
    owe_test(alice)
    assert banners(client) == [False] * 4
    assert len(smtp.messages) == 1


def test_a_user_can_report_that_mails_arrive(as_: As, alice: User, smtp: MailServer) -> None:
    bounces.failed(alice, GONE)
    client = as_(alice)
    assert "Good." in text(client.post("/settings/mail/works/", follow=True).content)
    assert banners(client) == [False] * 4


def test_a_missing_reason_is_replaced_and_a_long_one_cut(alice: User) -> None:
    bounces.failed(alice, "")
    assert Preferences.of(alice).trouble == "The server gave no reason."
    bounces.failed(alice, "x" * 1000)
    assert Preferences.of(alice).trouble == "x" * 300


# --- reports of a mail service ---

SECRET = "postmark:three blue sapphires"
HOOK = "/anymail/postmark/tracking/"


@pytest.fixture
def hook(settings: Any) -> Iterator[Client]:
    """A client that posts as the mail service, with the right secret."""
    settings.ANYMAIL_WEBHOOK_SECRET = SECRET
    reload(urls)
    clear_url_caches()
    word = base64.b64encode(SECRET.encode()).decode()
    yield Client(enforce_csrf_checks=True, headers={"authorization": f"Basic {word}"})
    settings.ANYMAIL_WEBHOOK_SECRET = ""
    reload(urls)
    clear_url_caches()


def tell(client: Client, body: dict[str, Any]) -> int:
    return client.post(HOOK, json.dumps(body), content_type="application/json").status_code


def bounce(address: str, at: str = "2026-05-01T12:00:00Z") -> dict[str, Any]:
    """Postmark's report of a bounce."""
    return {
        "RecordType": "Bounce",
        "ID": 4323372036854775807,
        "Type": "HardBounce",
        "TypeCode": 1,
        "Name": "Hard bounce",
        "Tag": "",
        "MessageID": "5d1f7a30-92c4-4a6b-9c0e-7a8f0f6be7d1",
        "ServerID": 23,
        "MessageStream": "outbound",
        "Description": "The server was unable to deliver the message, as there is no such user or mailbox.",
        "Details": f"smtp;550 5.1.1 The account <{address}> does not exist",
        "Email": address,
        "From": "no-reply@games.example.org",
        "BouncedAt": at,
        "DumpAvailable": True,
        "Inactive": True,
        "CanActivate": True,
        "Subject": "Your turn: Splendor with Bob",
        "Metadata": {},
    }


def delivered(address: str, at: str) -> dict[str, Any]:
    """Postmark's report of a delivery."""
    return {
        "RecordType": "Delivery",
        "MessageID": "77cd5a1c-0c5b-4b7f-a3a4-1c7b8e3a6b0f",
        "Recipient": address,
        "DeliveredAt": at,
        "Details": "250 2.0.0 OK",
        "Tag": "",
        "ServerID": 23,
        "Metadata": {},
        "MessageStream": "outbound",
    }


def complaint(address: str) -> dict[str, Any]:
    """Postmark's report of a spam complaint."""
    return bounce(address) | {
        "RecordType": "SpamComplaint",
        "Type": "SpamComplaint",
        "TypeCode": 100001,
        "Name": "Spam complaint",
        "Description": "The subscriber explicitly marked this message as spam.",
        "Details": "",
    }


def test_without_a_secret_reports_are_refused(anybody: Client) -> None:
    assert tell(anybody, bounce("alice@example.org")) == 404


def test_reports_with_the_wrong_secret_are_refused(hook: Client, anybody: Client, alice: User) -> None:
    assert tell(anybody, bounce("alice@example.org")) == 400
    word = base64.b64encode(b"postmark:guess").decode()
    assert tell(Client(headers={"authorization": f"Basic {word}"}), bounce("alice@example.org")) == 400
    assert not Preferences.objects.exists()


def test_a_bounce_shows_a_banner(hook: Client, as_: As, alice: User, bob: User, smtp: MailServer) -> None:
    owe_test(alice)
    assert tell(hook, bounce("Alice@Example.org")) == 200
    client, why = as_(alice), "smtp;550 5.1.1 The account <Alice@Example.org> does not exist"
    assert banners(client) == [True] * 4
    assert banners(as_(bob)) == [False] * 4
    assert f"A test Sent to alice@example.org, but it came back. {why}" in text(client.get(LIST).content)

    # The mail server accepts the next mail too, before it bounces.
    owe_test(alice)
    assert len(smtp.messages) == 2
    assert Preferences.of(alice).trouble == why


def test_a_later_delivery_hides_the_banner(hook: Client, as_: As, alice: User) -> None:
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False):
        tell(hook, bounce("alice@example.org"))
    # The report about an earlier mail may come late.
    assert tell(hook, delivered("alice@example.org", "2026-05-01T11:59:00Z")) == 200
    assert banners(as_(alice)) == [True] * 4
    assert tell(hook, delivered("alice@example.org", "2026-05-01T12:05:00Z")) == 200
    assert banners(as_(alice)) == [False] * 4


def test_a_spam_complaint_stops_mails_from_strangers(hook: Client, alice: User) -> None:
    assert tell(hook, complaint("stranger@example.net")) == 200
    assert opt_out.is_refused("stranger@example.net")
    assert not Preferences.objects.exists()
    assert tell(hook, complaint("alice@example.org")) == 200
    assert Preferences.of(alice).trouble == "The subscriber explicitly marked this message as spam."


def test_other_reports_of_a_service_are_ignored(hook: Client, alice: User) -> None:
    opened = delivered("alice@example.org", "2026-05-01T12:00:00Z") | {"RecordType": "Open", "FirstOpen": True}
    soft = bounce("alice@example.org") | {"Type": "Transient", "TypeCode": 2}
    assert [tell(hook, body) for body in (opened, soft, bounce("nobody@example.org"))] == [200, 200, 200]
    assert not Preferences.objects.exists()
