"""Members of staff for tests."""

import time

from django.test import Client

from accounts.models import User
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
