"""What writes accounts, outside the flows of allauth."""

from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User

# A sign-up holds its name and address this long without a confirmation.
PATIENCE = timedelta(hours=1)


@transaction.atomic
def create_confirmed(username: str, email: str, password: str, **fields: Any) -> User:
    """An account that can log in at once: for demo people and tests."""
    user: User = User.objects.create_user(username, email.lower(), password, **fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def unconfirmed() -> QuerySet[User]:
    """Signed up, but never seen again: no log-in, and no address that was confirmed."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    return User.objects.filter(
        Exists(addresses), ~Exists(addresses.filter(verified=True)), last_login=None, is_staff=False, is_superuser=False
    )


def free_stale_names() -> None:
    """Sign-ups that were never confirmed give back their names and addresses."""
    unconfirmed().filter(date_joined__lt=timezone.now() - PATIENCE).delete()


def forget() -> None:
    """What nobody needs any more: sessions that ran out, sign-ups that were never confirmed."""
    call_command("clearsessions")
    free_stale_names()


def free_address(email: str, confirmed_by: User) -> None:
    """Who proves to read an address owns it; a sign-up that merely typed it goes."""
    unconfirmed().filter(email__iexact=email).exclude(pk=confirmed_by.pk).delete()


def abandon(user: User) -> None:
    """The person takes back a sign-up before its confirmation."""
    unconfirmed().filter(pk=user.pk).delete()
