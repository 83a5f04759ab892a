"""Mails about accounts that allauth does not send."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone, translation

from accounts.models import User
from games.services.outbox import site


def write(template: str, user: User, **context: Any) -> dict[str, str]:
    """The facts of a notice with that mail to the user, in their language and time zone."""
    present = {"user": user, "current_site": {"domain": urlsplit(site.url("")).netloc}}
    with translation.override(user.reads), timezone.override(user.zone):
        message = get_adapter().render_mail(template, user.email, {**present, **context})
    assert isinstance(message, EmailMultiAlternatives)
    return {"subject": str(message.subject), "text": str(message.body), "html": str(message.alternatives[0][0])}
