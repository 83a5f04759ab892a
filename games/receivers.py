"""Receivers of signals from libraries, which have no other way to report: a mail service about its mails, allauth about
a new address, and Django about a log-in and about a connection to the database."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.account.signals import email_changed, email_verification_code_rejected
from anymail.signals import AnymailTrackingEvent, EventType, tracking
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts import services as accounts
from accounts import sessions
from accounts.models import User
from games.services.clocks.moment import compare, now
from games.services.mailing import bounces
from games.services.outbox import opt_out
from games.services.tables import guests
from games.wording import phrases


@receiver(connection_created)
def connected(connection: BaseDatabaseWrapper, **_sender: Any) -> None:
    """Go by the clock of the database from now on."""
    compare(connection)


@receiver(tracking)
def told(event: AnymailTrackingEvent, **_sender: Any) -> None:
    """Record what a mail service reports about a mail."""
    tell = TOLD.get(event.event_type)
    if tell and event.recipient:
        why = event.mta_response or event.description or event.reject_reason or ""
        tell(event.recipient, why, event.timestamp or now())


@receiver(email_changed)
def new_address(user: User, request: HttpRequest, **_sender: Any) -> None:
    """When a user changes their address, forget trouble with the old one, and log the user out everywhere else."""
    bounces.settled(user)
    sessions.end_others(user, request.session.session_key)


@receiver(email_verification_code_rejected)
def code_rejected(user: User, last_attempt: bool, **_sender: Any) -> None:
    """After the last wrong code, a sign-up is over, so that its name and its address are free again."""
    if last_attempt:
        accounts.abandon(user)


@receiver(user_logged_in)
def takes_games_along(request: HttpRequest, user: User, **_sender: Any) -> None:
    """Give a person who played as a guest in this browser the guest's games."""
    guest = getattr(request, "guest", None)
    if guest is None or user.is_guest:
        return
    both = guests.take_along(guest, user)
    messages.success(request, _("The games you played as a guest are now yours."))
    if both:
        text = _("You already had a seat at %(tables)s. Your guest seat there wasn’t moved to your account.")
        messages.info(request, text % {"tables": phrases.join([game.called for game in both])})


def _came_back(address: str, why: str, _at: datetime) -> None:
    bounces.came_back(address, why)


def _complained(address: str, why: str, _at: datetime) -> None:
    """The owner of the address reported a mail as spam, so the site sends no more invitations to it."""
    opt_out.refuse(address)
    bounces.came_back(address, why)


def _arrived(address: str, _why: str, at: datetime) -> None:
    bounces.arrived(address, at)


TOLD: dict[str, Callable[[str, str, datetime], None]] = {
    EventType.BOUNCED: _came_back,
    EventType.REJECTED: _came_back,
    EventType.FAILED: _came_back,
    EventType.COMPLAINED: _complained,
    EventType.DELIVERED: _arrived,
}
"""The handlers of reports; others, such as opened mails, are ignored for privacy."""
