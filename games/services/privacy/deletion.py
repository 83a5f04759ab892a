"""Deletes accounts, and idle guests. `fates` says what becomes of each row."""

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts import sessions
from accounts.models import User
from games.models import Game, Invitation, NeverAgain, Notice, Seat
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.outbox import account_mails, notices, previews
from games.services.privacy import fates
from games.services.ratings import counting
from games.services.statistics import counting as statistics
from games.services.tables import tables
from games.services.versions import writing

GUEST_LIFETIME = timedelta(days=30)
"""How long a guest may be idle."""
NEW_ADDRESS = "account/email/email_confirmation:"
"""The beginning of the keys of mails with a code to a new address."""
UNDER_WAY = Q(status__in=(Game.Status.OPEN, Game.Status.ACTIVE))


def delete(user: User) -> None:
    """Delete the account, all or nothing. A caretaker plays the user's running games on, their open tables close, and
    an anonymous user takes their places in all games. The owner of the account gets one last mail."""
    for _attempt in range(writing.MAX_ATTEMPTS):
        with suppress(writing.Moved), writing.moved_by_deadlock(), transaction.atomic():
            addresses = _delete(user)
            break
    else:
        raise writing.Stale
    if addresses:
        sessions.forget(addresses)


def _delete(user: User) -> set[str]:
    """Delete the account; return the addresses that nobody has any more."""
    # Other transactions lock a game before a person, so this one does too.
    theirs = Game.objects.of(user) | Game.objects.filter(host=user)
    locked = theirs.select_for_update(of=("self",)).order_by("pk")
    games = list(locked.values_list("pk", flat=True))  # the finished ones too, which two accounts may share
    if not User.objects.filter(pk=user.pk, is_guest=user.is_guest).exists():
        return set()  # a second click, or a guest who has just made an account
    running = list(locked.filter(UNDER_WAY))
    counting.lock(running, user)
    statistics.lock(running, user)
    for game in running:
        if game.status == Game.Status.ACTIVE:
            timeouts.leave_for_good(game, user)
        elif game.host_id == user.pk:
            tables.cancel(game, user)
        else:
            tables.leave(game, user)
    present = User.objects.select_for_update().filter(pk=user.pk).first()
    if present is None or present.is_guest != user.is_guest:
        raise writing.Moved  # the same, meanwhile
    # While their row is locked, the user cannot sit down.
    if theirs.exclude(pk__in=games).exists():
        raise writing.Moved  # they have just sat down somewhere
    _anonymise(user, list(theirs.values_list("pk", flat=True)))
    addresses = _addresses(user)
    Invitation.objects.filter(address__in=addresses).delete()
    NeverAgain.objects.filter(address__in=addresses).delete()
    Notice.objects.filter(recipient=None, address__in=addresses).delete()
    sessions.end_all(user)
    address = user.email
    farewell: dict[str, Any] = {}
    if address:
        farewell |= account_mails.write("account/email/account_deleted", user, timestamp=now())
    user.delete()
    if farewell:
        notices.owe(Notice.Kind.ACCOUNT, address=address, key=notices.FAREWELL, **farewell)
    return addresses


def _anonymise(user: User, games: list[int]) -> None:
    """Put an anonymous user in the user's places. Tables lose the name that the user gave them, or that names the
    user, and pictures are drawn again."""
    theirs = Game.objects.filter(pk__in=games)
    tells = re.compile(rf"(?<!\w){re.escape(user.username)}(?!\w)", re.IGNORECASE)
    named = [pk for pk, name in theirs.exclude(name="").values_list("pk", "name") if tells.search(name)]
    theirs.filter(pk__in=named).update(name="")
    theirs.exclude(UNDER_WAY).update(quiet={}, version=F("version") + 1)
    Seat.objects.filter(user=user).update(held_until=None, muted=False, wants_pause=False, wants_stop=False)
    fates.anonymise(user)
    previews.redraw(theirs)


def _addresses(user: User) -> set[str]:
    """The addresses, in lower case, at which the site knows or knew the user, and which are nobody else's now. An
    address to which only a code was sent may be a stranger's."""
    known = {user.email, *EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)}
    sent = Notice.objects.filter(recipient=user).exclude(key__startswith=NEW_ADDRESS)
    known |= {*sent.values_list("address", flat=True), *sent.values_list("delivery_set__address", flat=True)}
    known = {address.lower() for address in known if address}
    return known - {*User.objects.exclude(pk=user.pk).filter(email__in=known).values_list("email", flat=True)}


def idle_guests() -> QuerySet[User]:
    """The guests who have been idle for a month."""
    since = now() - GUEST_LIFETIME
    lately = Seat.objects.filter(user=OuterRef("pk"), game__changed_at__gt=since)
    return User.objects.filter(~Exists(lately), is_guest=True, date_joined__lte=since)


def forget_guest(guest: User) -> None:
    """Delete the guest, and their games against bots, unless they have played or made an account since they were read.
    A guest at a table with people stays until its game is over."""
    with transaction.atomic():
        # Other transactions lock a game before a person, so this one does too.
        list(Game.objects.of(guest).select_for_update(of=("self",)).order_by("pk"))
        if not list(idle_guests().select_for_update(of=("self",)).filter(pk=guest.pk)):
            return
        others = Seat.objects.filter(game=OuterRef("pk"), bot="").exclude(user=guest)
        Game.objects.of(guest).filter(~Exists(others)).delete()
    if not Game.objects.of(guest).filter(UNDER_WAY).exists():
        delete(guest)
    else:
        statistics.recount(guest.pk)
