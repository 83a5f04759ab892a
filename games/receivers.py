"""What other programs tell the site: a mail service about mails on their way, the accounts about a new address. Their
signals are the only doors they have for it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.account.signals import email_changed
from anymail.signals import AnymailTrackingEvent, EventType, tracking
from django.dispatch import receiver

from accounts.models import User
from games.services.clocks.moment import now
from games.services.mailing import bounces
from games.services.outbox import opt_out


@receiver(tracking)
def told(event: AnymailTrackingEvent, **_sender: Any) -> None:
    """A mail service says what became of a mail."""
    tell = TOLD.get(event.event_type)
    if tell and event.recipient:
        why = event.mta_response or event.description or event.reject_reason or ""
        tell(event.recipient, why, event.timestamp or now())


@receiver(email_changed)
def new_address(user: User, **_sender: Any) -> None:
    """What did not arrive at the old address says nothing about the new one."""
    bounces.settled(user)


def _came_back(address: str, why: str, _at: datetime) -> None:
    bounces.came_back(address, why)


def _complained(address: str, why: str, _at: datetime) -> None:
    """Its owner calls a mail spam: strangers do not write there again."""
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
"""Who hears what; the rest, such as mails that were opened, is nobody's business."""
