from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.accounts.pages import PASSWORD, last_code, log_in, mails, shown, user_of

pytestmark = pytest.mark.django_db
NEW = "four green emeralds"
RESET = "/account/password/reset/"
RESET_CODE, RESET_NEW = f"{RESET}confirm/", f"{RESET}complete/"


def test_reset_by_code(client, alice):
    elsewhere = Client()
    log_in(elsewhere, "alice")
    assert client.post(RESET, {"email": "Alice@example.org"}).url == RESET_CODE
    assert client.post(RESET_CODE, {"code": last_code()}).url == RESET_NEW

    client.post(RESET_NEW, {"password1": NEW})

    assert user_of(client) == "Alice"
    assert user_of(elsewhere) is None
    assert log_in(Client(), "alice", PASSWORD).status_code == 200
    assert "Your Cabochon password has changed" in [mail.subject for mail in mails()]
    assert log_in(Client(), "alice", NEW).status_code == 302


def test_reset_needs_its_code(client, alice):
    client.post(RESET, {"email": "alice@example.org"})
    assert client.post(RESET_NEW, {"password1": NEW}).url == RESET_CODE
    answers = [client.post(RESET_CODE, {"code": "BBBB-BBBB"}).status_code for _ in range(3)]

    assert answers == [200, 200, 302]
    assert client.post(RESET_CODE, {"code": last_code()}).url == "/account/login/"
    assert log_in(client, "alice").status_code == 302


def test_a_code_works_once(client, alice):
    client.post(RESET, {"email": "alice@example.org"})
    code = last_code()
    client.post(RESET_CODE, {"code": code})
    client.post(RESET_NEW, {"password1": NEW})
    client.post("/account/logout/")

    assert client.post(RESET_CODE, {"code": code}).url == "/account/login/"
    client.post(RESET, {"email": "alice@example.org"})
    assert client.post(RESET_CODE, {"code": code}).status_code == 200
    assert client.post(RESET_NEW, {"password1": PASSWORD}).url == RESET_CODE


def test_reset_reveals_nothing_about_an_address(alice):
    known, unknown = Client(), Client()
    answers = [
        [client.post(RESET, {"email": address}), client.get(RESET_CODE), client.post(RESET_CODE, {"code": "BBBB-BBBB"})]
        for client, address in ((known, "alice@example.org"), (unknown, "nobody@example.org"))
    ]

    for to_known, to_unknown in zip(*answers, strict=True):
        assert (to_known.status_code, to_known.get("Location")) == (to_unknown.status_code, to_unknown.get("Location"))
        assert shown(to_known).replace("alice@", "nobody@") == shown(to_unknown)
    # A stranger cannot make the site write to an address without an account.
    assert [message.to for message in mails()] == [["alice@example.org"]]


def test_a_reset_with_an_empty_code_is_refused(client, db):
    client.post(RESET, {"email": "nobody@example.org"})

    assert [client.post(RESET_CODE, {"code": code}).status_code for code in ("", "-")] == [200, 200]


@pytest.mark.parametrize("confirmed", [False, True], ids=["before the code", "after the code"])
def test_a_code_to_an_old_address_is_void(client, alice, confirmed):
    """Somebody who still reads the old mailbox must not set a password."""
    client.post(RESET, {"email": "Alice@example.org"})
    code = last_code()
    if confirmed:
        assert client.post(RESET_CODE, {"code": code}).url == RESET_NEW
    owner = Client()
    log_in(owner, "alice")
    change_address(owner, "new@example.org")
    owner.post("/account/confirm-email/", {"code": last_code("new@example.org")})

    assert client.post(RESET_CODE, {"code": code}).url == "/account/login/"
    assert client.post(RESET_NEW, {"password1": NEW}).url == RESET
    assert log_in(Client(), "alice", PASSWORD).status_code == 302


def test_resets_are_limited(client, alice):
    answers = [client.post(RESET, {"email": "alice@example.org"}).status_code for _ in range(7)]

    assert answers == [302] * 5 + [429] * 2
    assert len(mails()) == 5


def test_change_of_password(client, alice):
    elsewhere = Client()
    log_in(elsewhere, "alice")
    log_in(client, "alice")
    wrong = client.post("/account/password/change/", {"oldpassword": "no", "password1": NEW})
    assert "That isn’t your current password." in wrong.content.decode()

    assert client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW}).url == "/settings/"

    assert (user_of(client), user_of(elsewhere)) == ("Alice", None)
    assert log_in(Client(), "alice", NEW).status_code == 302


def change_address(client: Client, address: str):
    """Go through the whole flow: the form, the password again, the code."""
    asked = client.post("/account/email/", {"email": address, "action_add": ""})
    assert asked["Location"].startswith("/account/reauthenticate/")
    return client.post(asked["Location"], {"password": PASSWORD})


def test_the_only_address_cannot_be_removed(client, alice):
    """Its owner could neither log in again nor learn of it."""
    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post("/account/email/", {"email": "alice@example.org", "action_remove": ""})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert EmailAddress.objects.filter(user=alice, verified=True, primary=True).exists()


def without_password(*clients: Client) -> None:
    """Log in as Alice, whose account then has no password, as after an invitation."""
    for client in clients:
        log_in(client, "alice")
    alice = User.objects.get()
    alice.set_unusable_password()
    alice.save()
    for client in clients:
        session = client.session
        session[HASH_SESSION_KEY] = alice.get_session_auth_hash()
        session.save()


def test_a_first_password_ends_other_sessions(client, alice):
    elsewhere = Client()
    without_password(client, elsewhere)

    assert client.post("/account/password/set/", {"password1": NEW}).url == "/settings/"

    assert (user_of(client), user_of(elsewhere)) == ("Alice", None)


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/account/password/set/", {"password1": NEW}),
        ("/account/email/", {"email": "new@example.org", "action_add": ""}),
        ("/settings/passkeys/add/", {"name": "Phone"}),
    ],
)
def test_an_old_session_without_a_password_proves_itself_by_mail(client, alice, path, sent):
    without_password(client)
    UserSession.objects.update(created_at=timezone.now() - timedelta(hours=2))

    response = client.post(path, sent)
    assert response.url == RESET
    assert "Please choose a password first. We’ll email you a code for it." in client.get(RESET).content.decode()
    alice.refresh_from_db()
    assert not alice.has_usable_password()
    assert mails() == []

    client.post(RESET, {"email": "alice@example.org"})
    client.post(RESET_CODE, {"code": last_code()})
    client.post(RESET_NEW, {"password1": NEW})
    assert log_in(Client(), "alice", NEW).status_code == 302


def test_a_first_password_beside_a_passkey_needs_the_passkey(client, alice):
    without_password(client)
    Authenticator.objects.create(user=alice, type="webauthn", data={"name": "Phone"})

    # The password is typed once more, because it must not wait in the session.
    assert client.post("/account/password/set/", {"password1": NEW}).url == "/account/password/set/"
    answer = client.get("/account/password/set/")
    assert answer.url.startswith("/settings/passkeys/reauthenticate/")
    assert NEW not in str(dict(client.session))


def test_change_of_address(client, alice):
    elsewhere = Client()
    log_in(elsewhere, "alice")
    log_in(client, "alice")
    assert change_address(client, "new@example.org").url == "/account/confirm-email/"
    assert User.objects.get().email == "alice@example.org"

    assert client.post("/account/confirm-email/", {"code": last_code("new@example.org")}).url == "/settings/"

    assert User.objects.get().email == "new@example.org"
    assert (user_of(client), user_of(elsewhere)) == ("Alice", None)
    told = [(m.to, m.subject) for m in mails()]
    assert told[-1] == (["alice@example.org"], "Your Cabochon email address has changed")
    assert [to for to, _subject in told].count(["new@example.org"]) == 1
    assert [log_in(Client(), login).status_code for login in ("new@example.org", "alice@example.org")] == [302, 200]


def test_a_change_of_address_can_be_undone(client, alice):
    log_in(client, "alice")
    change_address(client, "new@example.org")

    assert client.post("/account/start-again/").url == "/settings/"
    assert client.post("/account/confirm-email/", {"code": last_code()}).url == "/account/email/"
    assert User.objects.get().email == "alice@example.org"


def test_the_address_of_another_user_is_refused(client, alice, bob):
    """The request is answered like any other; only the owner of the address could continue, and would be refused."""
    log_in(client, "alice")
    assert change_address(client, "bob@example.org").url == "/account/confirm-email/"

    response = client.post("/account/confirm-email/", {"code": last_code()})

    assert "This address belongs to another account." in response.content.decode()
    assert sorted(User.objects.values_list("email", flat=True)) == ["alice@example.org", "bob@example.org"]


def test_addresses_are_unique_whatever_their_case(alice):
    with pytest.raises(IntegrityError):
        User.objects.create_user("carol", "ALICE@example.org")
