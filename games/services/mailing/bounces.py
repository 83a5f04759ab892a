"""Mails that did not arrive. The reason is kept with the user's preferences, and pages show it, until a mail
arrives."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from accounts import services as accounts
from accounts.models import User
from games.models import Delivery, Preferences
from games.services.clocks.moment import now
from games.services.outbox import preferences

MAX_REASON_LENGTH = 300
NO_REASON = gettext_noop("The server gave no reason.")
"""Stored in place of a reason; pages translate it."""


def failed(user: User, why: str) -> None:
    """Record that the last mail to the user did not arrive, with the mail server's answer."""
    preferences.change(user, trouble=_cut(why), trouble_at=now())


def worked(user: User) -> None:
    """Record that the mail server has accepted a mail for the user. This ends the trouble, unless the last mail bounced
    after the server had accepted it."""
    kept = Preferences.of(user)
    if kept.trouble and not _sent(user).filter(result=kept.trouble).exists():
        settled(user)


def came_back(address: str, why: str) -> None:
    """Record that a mail bounced after the mail server had accepted it."""
    for user in accounts.at(address):
        with transaction.atomic():
            last = _sent(user).order_by("-sent_at").first()
            if last:
                Delivery.objects.filter(pk=last.pk).update(result=_cut(why))
            failed(user, why)


def arrived(address: str, at: datetime) -> None:
    """Record that a mail has reached that address."""
    _settle(Preferences.objects.filter(user__in=accounts.at(address), trouble_at__lte=at))


def settled(user: User) -> None:
    """Forget the user's trouble: mails arrive again, as far as we know."""
    _settle(Preferences.objects.filter(user=user))


def _settle(troubled: QuerySet[Preferences]) -> None:
    troubled.update(trouble="", trouble_at=None)


def _sent(user: User) -> QuerySet[Delivery]:
    return Delivery.objects.filter(notice__recipient=user, sent_at__isnull=False)


def _cut(why: str) -> str:
    return why[:MAX_REASON_LENGTH] or NO_REASON
