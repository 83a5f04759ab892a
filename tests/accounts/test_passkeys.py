"""Passkeys in the settings and at the log-in."""

import json
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.test import Client

from splendor_site import settings as site
from tests.accounts.pages import PASSWORD, last_code, log_in, user_of

pytestmark = pytest.mark.django_db


def test_passkeys_of_others_are_out_of_reach(client, alice, bob):
    his = Authenticator.objects.create(user=bob, type="webauthn", data={"name": "Bob's phone"})
    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})

    assert "Bob&#x27;s phone" not in client.get("/settings/passkeys/").content.decode()
    for path in ("edit", "remove"):
        assert client.get(f"/settings/passkeys/keys/{his.pk}/{path}/").status_code == 404
        assert client.post(f"/settings/passkeys/keys/{his.pk}/{path}/", {"name": "mine"}).status_code == 404
    assert Authenticator.objects.get().data == {"name": "Bob's phone"}


def test_the_name_of_a_passkey_is_short(client, alice):
    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    too_long = "at most 40 characters (it has 41)"
    assert too_long in client.post("/settings/passkeys/add/", {"name": "x" * 41}).content.decode()

    key = Authenticator.objects.create(user=alice, type="webauthn", data={"name": "Phone"})
    edit = f"/settings/passkeys/keys/{key.pk}/edit/"
    assert too_long in client.post(edit, {"name": "x" * 41}).content.decode()
    client.post(edit, {"name": "x" * 40})
    assert Authenticator.objects.get().data == {"name": "x" * 40}


def test_a_passkey_is_not_a_second_factor(client, alice):
    Authenticator.objects.create(user=alice, type="webauthn", data={"name": "Lost phone"})

    assert log_in(client, "alice").url == "/games/"
    assert user_of(client) == "Alice"


def test_a_passkey_belongs_to_the_sites_host_name(client, alice):
    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})

    options = client.get("/settings/passkeys/add/").context["js_data"]["creation_options"]["publicKey"]
    assert options["rp"] == {"id": "testserver", "name": "Cabochon"}


def credential(**response: object) -> str:
    return json.dumps({"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": response})


CLIENT_DATA = urlsafe_b64encode(b'{"type": "x", "challenge": "AAAA", "origin": "https://x"}').decode()
LOGGING_IN = {"authenticatorData": "", "clientDataJSON": CLIENT_DATA, "signature": "AAAA", "userHandle": "AAAA"}
CREATING = {"attestationObject": "", "clientDataJSON": CLIENT_DATA}
SHORT = urlsafe_b64encode(b"\x1b\0").decode()
"""A number of eight bytes, cut short."""


@pytest.mark.parametrize(
    "sent",
    [
        '{"id": 5}',
        credential(**LOGGING_IN),
        credential(**CREATING),
        credential(**CREATING | {"attestationObject": "é"}),
        credential(**CREATING | {"attestationObject": SHORT}),
        credential(**CREATING | {"clientDataJSON": 5}),
        "[" * 2000,
        "5" * 5000,
    ],
)
def test_an_unreadable_passkey_is_refused(client, alice, sent):
    client.get("/settings/passkeys/login/", headers={"accept": "application/json"})
    assert client.post("/settings/passkeys/login/", {"credential": sent}).url == "/account/login/"

    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert client.post("/settings/passkeys/add/", {"credential": sent}).status_code == 200
    assert not Authenticator.objects.exists()
    Authenticator.objects.create(user=alice, type="webauthn", data={"name": "First"})
    assert client.post("/settings/passkeys/reauthenticate/", {"credential": sent}).url == "/account/login/"


def test_a_question_for_a_passkey_is_kept_for_an_hour_and_asked_of_a_network_60_times_a_minute(client, alice, settings):
    settings.ACCOUNT_RATE_LIMITS = {"passkey": site.ACCOUNT_RATE_LIMITS["passkey"]}
    path, sent = "/settings/passkeys/login/", {"accept": "application/json"}
    client.get(path, headers=sent)
    assert client.session.get_expiry_age() == 60 * 60
    log_in(client, "alice")
    client.get("/settings/")
    assert client.session.get_expiry_age() == settings.SESSION_COOKIE_AGE
    stranger = Client()
    assert [stranger.get(path, headers=sent).status_code for _ in range(60)] == [200] * 59 + [429]


def test_a_mailed_code_lasts_after_a_try_with_a_passkey(client, alice):
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False) as clock:
        client.get("/settings/passkeys/login/", headers={"accept": "application/json"})
        clock.shift(timedelta(minutes=50))
        client.post("/account/password/reset/", {"email": alice.email})
        clock.shift(timedelta(minutes=14))
        answered = client.post("/account/password/reset/confirm/", {"code": last_code()})
        assert answered.url == "/account/password/reset/complete/"
