"""What writes accounts, outside the flows of allauth."""

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts import names
from accounts.models import User

# A sign-up holds its name and address this long without a confirmation.
PATIENCE = timedelta(hours=1)
STONES = ("Agate", "Amber", "Beryl", "Garnet", "Jasper", "Opal", "Topaz", "Zircon")


@transaction.atomic
def create_confirmed(username: str, email: str, password: str | None, **fields: Any) -> User:
    """An account that can log in at once: for demo people and tests."""
    user: User = User.objects.create_user(username, email.lower(), password, **fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def create_for_reader(email: str, username: str, **fields: Any) -> User:
    """An account of who proves to read that address, by a link in a mail: without a password so far. A sign-up that
    merely typed the address goes. Raises `IntegrityError` if the name is taken, or the address by another account."""
    with transaction.atomic():
        unconfirmed().filter(email__iexact=email).delete()
        return create_confirmed(username, email, None, **fields)


def is_confirmed(user: User) -> bool:
    """Whether that person has proved to read their address."""
    found: bool = EmailAddress.objects.filter(user=user, verified=True).exists()
    return found


def owner(email: str) -> User | None:
    """Whose address that is, if of anybody here; a sign-up that merely typed it is nobody's."""
    return User.objects.filter(email__iexact=email).exclude(pk__in=unconfirmed().values("pk")).first()


def free_name(email: str) -> str:
    """A user name that nobody has yet for who has that address: the beginning of it, or else a stone."""
    local = "".join(c for c in email.partition("@")[0].partition("+")[0] if c.isascii())
    word = re.sub(r"[^A-Za-z0-9]+", "-", local)[: names.LONGEST - 2].strip("-")
    wishes = [f"{wish}{number}" for wish in (word, *STONES) for number in ("", *range(2, 10))]
    keys = {wish: names.skeleton(wish) for wish in wishes if _may_be_a_name(wish)}
    taken = {*User.objects.filter(name_key__in=keys.values()).values_list("name_key", flat=True)}
    return next((wish for wish, key in keys.items() if key not in taken), "")


def _may_be_a_name(name: str) -> bool:
    with suppress(ValidationError):
        names.validate(name)
        return not names.is_reserved(name) and names.skeleton(name) != names.skeleton(settings.SITE_NAME)
    return False


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
