"""What people do with their accounts leaves the accounts of others as they are, and does not show them."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Model
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils.timezone import now

from accounts import services, sessions, staff
from accounts.models import RecoveryCode, User
from games.models import Preferences
from tests.accounts.pages import log_in, sign_up

pytestmark = pytest.mark.django_db


def rows_of(user: User) -> Iterator[Any]:
    keys = UserSession.objects.filter(user=user).values("session_key")
    tables: dict[type[Model], str] = {
        User: "pk", EmailAddress: "user", UserSession: "user", Authenticator: "user", RecoveryCode: "user",
        Preferences: "user",
    }  # fmt: skip
    for table, owner in tables.items():
        yield from table._default_manager.filter(**{owner: user.pk}).order_by("pk").values()
    yield from Session.objects.filter(session_key__in=keys).order_by("pk").values()


def add_passkey(user: User, kind: str = Authenticator.Type.WEBAUTHN) -> None:
    Authenticator.objects.create(user=user, type=kind, data={"name": "Key ring"})


def request_of(client: Client, user: User) -> HttpRequest:
    request = RequestFactory().get("/")
    request.user, request.session = user, client.session
    return request


@pytest.fixture
def others(bob: User) -> list[User]:
    """Bob, who has set everything, and Charlie, who has not confirmed the address yet."""
    staff.appoint(bob)
    add_passkey(bob)
    log_in(Client(), "bob")
    assert UserSession.objects.filter(user=bob).exists()
    Preferences.objects.create(user=bob, off=["turn"], trouble="full", trouble_at=now())
    User.objects.filter(pk=bob.pk).update(language="fr", theme="dark", last_login=now())
    sign_up(Client())
    return [bob, User.objects.get(username="Charlie")]


def test_an_account_shows_and_changes_its_own_rows_only(client: Client, alice: User, others: list[User]) -> None:
    before = [list(rows_of(user)) for user in others]
    second, third, expired = Client(), Client(), Client()
    for each in (client, second, third, expired):
        log_in(each, "alice")
    Session.objects.filter(pk=expired.session.session_key).update(expire_date=now())
    for path, chosen in {
        "/settings/theme/": {"theme": "light"},
        "/settings/language/": {"language": "en"},
        "/settings/": {"time_zone": "Europe/Paris", "language": "", "theme": "auto"},
        "/settings/time-zone/": {"time_zone": "Asia/Tokyo"},
    }.items():
        assert client.post(path, chosen).status_code == 302, path
    assert client.get("/settings/").context["passkeys"] == 0
    key = client.session.session_key
    mine = sessions.devices(alice, key)
    assert [device.current for device in mine] == [True, False, False]
    client.post(f"/settings/sessions/{mine[1].row.pk}/end/")
    assert len(sessions.devices(alice, key)) == 2
    assert sessions.end_others(alice, key) == 1
    services.end_hints(alice)
    services.note_language(alice, "fr")
    codes = staff.appoint(alice)
    assert (staff.has_passkey(alice), staff.codes_left(alice)) == (False, len(codes))
    assert not staff.use_code(request_of(client, others[0]), others[0], codes[0])
    assert staff.use_code(request_of(client, alice), alice, codes[0])
    assert staff.codes_left(alice) == len(codes) - 1
    add_passkey(alice, Authenticator.Type.TOTP)
    assert not staff.has_passkey(alice)
    staff.appoint(alice)
    staff.dismiss(alice)
    assert staff.codes_left(alice) == 0
    services.free_address("alice@example.org", alice)
    services.abandon(alice)
    sessions.end_all(alice)
    sessions.forget({"alice@example.org"})
    assert not UserSession.objects.filter(user=alice).exists()
    assert [list(rows_of(user)) for user in others] == before


def test_only_the_own_log_in_counts(client: Client, alice: User, bob: User) -> None:
    """The log-in of another account is neither a proof nor a known network."""
    log_in(client, "alice")
    UserSession.objects.update(created_at=now() - 2 * sessions.FRESH, ip="192.0.2.1")
    log_in(Client(), "bob")
    request = request_of(client, alice)
    assert not sessions.is_fresh(request)
    assert sessions.is_at_home(request, bob)
    assert not sessions.is_at_home(request, alice)
    UserSession.objects.filter(user=alice).update(created_at=now() - sessions.FRESH + timedelta(minutes=1))
    assert sessions.is_fresh(request)
