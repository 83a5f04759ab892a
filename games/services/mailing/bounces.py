"""Mails that do not arrive: kept for the person they were for until one does, and shown on that person's pages."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Delivery, Preferences
from games.services.clocks.moment import now
from games.services.outbox import preferences

LONGEST = 300


def failed(user: User, why: str) -> None:
    """The last mail to that person did not arrive, and this is what a mail server said."""
    preferences.change(user, trouble=_cut(why), trouble_at=now())


def worked(user: User) -> None:
    """The mail server has taken a mail for that person. That ends the trouble, unless mails come back later, which it
    would have taken too."""
    kept = Preferences.of(user)
    if kept.trouble and not _sent(user).filter(result=kept.trouble).exists():
        settled(user)


def came_back(address: str, why: str) -> None:
    """A mail that the mail server had taken did not arrive."""
    for user in User.objects.filter(email__iexact=address):
        with transaction.atomic():
            last = _sent(user).order_by("-sent_at").first()
            if last:
                Delivery.objects.filter(pk=last.pk).update(result=_cut(why))
            failed(user, why)


def arrived(address: str, at: datetime) -> None:
    """A mail has reached that address."""
    for user in User.objects.filter(email__iexact=address):
        if Preferences.objects.filter(user=user, trouble_at__lte=at).exists():
            settled(user)


def settled(user: User) -> None:
    """Mails arrive again, as far as is known."""
    Preferences.objects.filter(user=user).exclude(trouble="").update(trouble="", trouble_at=None)


def _sent(user: User) -> QuerySet[Delivery]:
    return Delivery.objects.filter(notice__recipient=user, sent_at__isnull=False)


def _cut(why: str) -> str:
    return why[:LONGEST] or _("No reason was given.")
