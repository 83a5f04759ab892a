"""Where allauth asks the site, which knows more of mails than the accounts do: theirs go the way of all others."""

from datetime import timedelta
from typing import Any

from allauth.core import context as present
from django.conf import settings
from django.contrib.sites.shortcuts import get_current_site
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone, translation
from django.utils.crypto import get_random_string

from accounts import services as accounts
from accounts.adapter import AccountAdapter
from games.models import Notice
from games.services.clocks.moment import now
from games.services.outbox import notices

LIFE = timedelta(seconds=settings.ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT)
"""How long a code is valid, and a mail of use that somebody waits for."""


class Adapter(AccountAdapter):
    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Worded now, in the reader's language if it is known and else in that of the page; sent by a worker."""
        request, reader = present.request, context.get("user") or accounts.owner(email)
        known = {"request": request, "email": email, "current_site": get_current_site(request)}
        language = (reader.language if reader else "") or translation.get_language()
        zone = reader.zone if reader else timezone.get_current_timezone()
        with translation.override(language), timezone.override(zone):
            message = self.render_mail(template_prefix, email, {**known, **context})
        assert isinstance(message, EmailMultiAlternatives)
        [(html, _kind)] = message.alternatives
        notices.owe(
            Notice.Kind.ACCOUNT,
            reader,
            address=email,
            key=f"{template_prefix}:{get_random_string(12)}",
            # Somebody waits for it, unless it is about something that was done.
            expires_at=None if "timestamp" in context else now() + LIFE,
            subject=str(message.subject),
            text=str(message.body),
            html=str(html),
        )

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Even if the address is no longer that of the person it belonged to."""
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)
