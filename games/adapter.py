"""Sends allauth's mails as notices, like all other mails of the site."""

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

CODE_LIFETIME = timedelta(seconds=settings.ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT)
"""How long a code is valid, and how long the mail with it is useful."""


class Adapter(AccountAdapter):
    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write the mail now, in the reader's language if it is known, otherwise in the page's; a worker sends it."""
        request, reader = present.request, context.get("user") or accounts.owner(email)
        known = {"request": request, "email": email, "current_site": get_current_site(request)}
        language = translation.get_language()
        if reader:  # until the first log-in, nobody has seen the browser's language
            language = reader.reads if reader.last_login else reader.language or language
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
            # A mail with a code is useless once the code expires; other mails report something that was done.
            expires_at=None if "timestamp" in context else now() + CODE_LIFETIME,
            subject=str(message.subject),
            text=str(message.body),
            html=str(html),
        )

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Send the warning even if the address no longer belongs to the account."""
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)
