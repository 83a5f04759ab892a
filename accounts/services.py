"""Creates, finds, renames and suspends accounts, and forgets sign-ups that nobody has confirmed."""

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import get_language

from accounts import names, sessions
from accounts.models import Counter, Offence, User

# An unconfirmed sign-up older than this is deleted, once a day.
UNCONFIRMED_LIFETIME = timedelta(hours=1)
NUMBER_DIGITS = (4, 4, 5, 6, 7, 8)
"""The lengths of the numbers to try for a new guest, or for an anonymous user."""
STONES = ("Agate", "Amber", "Beryl", "Garnet", "Jasper", "Opal", "Topaz", "Zircon")


@transaction.atomic
def create_confirmed(username: str, email: str, password: str | None, **fields: Any) -> User:
    """Create an account with a confirmed address, which can log in at once."""
    user: User = User.objects.create_user(username, email.lower(), password, **fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def create_for_reader(email: str, username: str, **fields: Any) -> User:
    """Create an account without a password for a person whose link from a mail proves that they read the address.
    Delete unconfirmed sign-ups with the address or the name. Raises `IntegrityError` if an account has one of them."""
    with transaction.atomic():
        free(email, username)
        return create_confirmed(username, email, None, language=get_language() or "", **fields)


def create_guest() -> User:
    """Create a user without an address or a password, under a number that no other guest has."""
    return _create_numbered(names.GUEST, is_guest=True)


def create_anonymous() -> User:
    """Create the anonymous user who takes the places of a deleted one. Nobody can log in as them."""
    return _create_numbered(names.DELETED, is_active=False)


def _create_numbered(beginning: str, **fields: Any) -> User:
    for digits in NUMBER_DIGITS:
        name = f"{beginning}{secrets.choice(range(10 ** (digits - 1), 10**digits))}"
        with suppress(IntegrityError), transaction.atomic():
            user: User = User.objects.create_user(name, password=None, **fields)
            return user
    raise RuntimeError(f"no free number for a name with {beginning}")


def end_hints(user: User) -> None:
    """Show this user no more hints in first games."""
    User.objects.filter(pk=user.pk).update(hints=False)


def keep(guest: User, username: str, email: str, time_zone: str) -> User:
    """Turn the guest into an account with a confirmed address and without a password. Raises `IntegrityError` if an
    account has the name or the address."""
    with transaction.atomic():
        free(email, username)
        guest.is_guest, guest.username, guest.email = False, username, email.lower()
        guest.time_zone = guest.time_zone or time_zone
        guest.save(update_fields=["is_guest", "username", "name_key", "email", "time_zone"])
        EmailAddress.objects.create(user=guest, email=guest.email, verified=True, primary=True)
    return guest


def rename(user: User, username: str) -> None:
    """Give the account another name, as the adapter's `clean_username` returns it. Raises `IntegrityError` if somebody
    has just taken it."""
    user.username = username
    with transaction.atomic():
        free("", username, besides=user.pk)
        user.save(update_fields=["username", "name_key"])


def suspend(user: User, until: datetime, offence: Offence, note: str) -> None:
    """Keep the user from logging in and from acting until then, and end their sessions."""
    user.suspended_until, user.suspended_for, user.suspension_note = until, offence, note
    user.save(update_fields=["suspended_until", "suspended_for", "suspension_note"])
    sessions.end_all(user)


def lift(user: User) -> None:
    """End the user's suspension now."""
    user.suspended_until, user.suspended_for, user.suspension_note = None, "", ""
    user.save(update_fields=["suspended_until", "suspended_for", "suspension_note"])


def note_language(user: User, language: str) -> None:
    """Remember the language of a page for the user's mails, unless they chose one. Writes only a change."""
    if not user.language and user.seen_language != language:
        User.objects.filter(pk=user.pk).update(seen_language=language)


def is_confirmed(user: User) -> bool:
    """Whether the user has proved that they read their address."""
    found: bool = EmailAddress.objects.filter(user=user, verified=True).exists()
    return found


def login_of(credentials: Mapping[str, Any]) -> str:
    """What somebody typed to log in: an address, or else a name."""
    return str(credentials.get("email") or credentials.get("username") or "")


def find(login: str) -> User | None:
    """The account with that name or address, as somebody typed it to log in. Guests have neither, and unconfirmed
    sign-ups are no accounts yet."""
    either = Q(name_key=names.skeleton(login)) | ~Q(email="") & Q(lower=Lower(Value(login)))
    return confirmed(User.objects.alias(lower=Lower("email")).filter(either, is_guest=False)).first()


def owner(email: str) -> User | None:
    """The account with that address, if there is one; unconfirmed sign-ups do not count."""
    return confirmed(at(email)).first()


def free_name(email: str) -> str:
    """A free user name to suggest for that address: its first part, or else a gem; empty if all are taken."""
    local = "".join(c for c in email.partition("@")[0].partition("+")[0] if c.isascii())
    word = re.sub(r"[^A-Za-z0-9]+", "-", local)[: names.MAX_NAME_LENGTH - 2].strip("-")
    wishes = [f"{wish}{number}" for wish in (word, *STONES) for number in ("", *range(2, 10))]
    keys = {wish: names.skeleton(wish) for wish in wishes if _may_be_a_name(wish)}
    named = User.objects.filter(name_key__in=keys.values())
    taken = {*confirmed(named).values_list("name_key", flat=True)}
    return next((wish for wish, key in keys.items() if key not in taken), "")


def _may_be_a_name(name: str) -> bool:
    with suppress(ValidationError):
        names.validate(name)
        return not names.is_reserved(name) and names.skeleton(name) != names.skeleton(settings.SITE_NAME)
    return False


def at(email: str) -> QuerySet[User]:
    """The user with that address, in small or capital letters. The query uses the index of addresses."""
    return User.objects.alias(lower=Lower("email")).filter(lower=Lower(Value(email))).exclude(email="")


def unconfirmed(among: QuerySet[User] | None = None) -> QuerySet[User]:
    """Sign-ups without a log-in and without a confirmed address."""
    return (User.objects.all() if among is None else among).filter(_is_unconfirmed())


def confirmed(among: QuerySet[User]) -> QuerySet[User]:
    """These users without the unconfirmed sign-ups."""
    return among.exclude(_is_unconfirmed())


def _is_unconfirmed() -> Q:
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    plain = Q(last_login=None, is_staff=False, is_superuser=False)
    return plain & Exists(addresses) & ~Exists(addresses.filter(verified=True))


def forget() -> None:
    """Delete expired sessions with the networks and browsers they came from, expired counters, and old unconfirmed
    sign-ups."""
    call_command("clearsessions")
    UserSession.objects.filter(~Exists(Session.objects.filter(session_key=OuterRef("session_key")))).delete()
    Counter.objects.filter(expires_at__lte=timezone.now()).delete()
    unconfirmed().filter(date_joined__lt=timezone.now() - UNCONFIRMED_LIFETIME).delete()


def free(email: str, username: str, besides: int = 0) -> None:
    """Delete unconfirmed sign-ups with that address or that name, which hold neither: the latest sign-up counts.
    Otherwise the name would tell whether the address of a sign-up was new. Must be called in a transaction: a row that
    is being confirmed is waited for, and then stays."""
    for found in (at(email), User.objects.filter(name_key=names.skeleton(username)).exclude(pk=besides)):
        locked = unconfirmed(found).order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True)
        unconfirmed(User.objects.filter(pk__in=list(locked))).delete()


def free_address(email: str, confirmed_by: User) -> None:
    """Delete other unconfirmed sign-ups with an address that a user has confirmed."""
    unconfirmed(at(email)).exclude(pk=confirmed_by.pk).delete()


def abandon(user: User) -> None:
    """Delete a sign-up that the person withdraws before confirming it."""
    unconfirmed().filter(pk=user.pk).delete()
