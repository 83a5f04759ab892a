"""Members of staff for tests."""

import time

from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, Report
from games.services.tables import reports
from tests.factories import person


def member(name: str = "mia") -> User:
    """A member of staff."""
    user = person(name)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.refresh_from_db()
    return user


def used_passkey(client: Client, user: User, kind: str = "webauthn") -> Client:
    """The client, logged in as the user, who has just used a passkey, or another second factor."""
    client.force_login(user)
    session = client.session
    session["account_authentication_methods"] = [{"method": "mfa", "type": kind, "id": 1, "at": time.time()}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client


def at(name: str, row: User | Game | Report | None = None) -> str:
    """The address of that page, about that row."""
    return reverse(name, args=[row.pk] if row else [])


def page(client: Client, address: str) -> str:
    """The page at that address."""
    answer = client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def reported(game: Game, reporter: User, author: User) -> Report:
    """A report of that author's name."""
    text = reports.Text(Report.Kind.USER_NAME, author.username, author)
    reports.report(game, reporter, text, "It means <something>.")
    return Report.objects.latest("pk")
