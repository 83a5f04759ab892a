"""The mails about accounts, with facts made up."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.core.context import request_context
from django.core.mail import EmailMultiAlternatives
from django.test import RequestFactory

from accounts.models import Offence, User
from games.services.clocks.moment import now
from tests.tree import ROOT

PREFIXES = sorted(
    f"{app}/email/{path.name.removesuffix('_message.txt')}"
    for app in ("account", "mfa")
    for path in (ROOT / "templates" / app / "email").glob("*_message.txt")
    if path.name != "base_message.txt"
)


def about_account(prefix: str, user: User) -> EmailMultiAlternatives:
    """The mail that has this prefix in allauth."""
    user.suspended_until, user.suspended_for, user.suspension_note = now(), Offence.ABUSE, "x"
    words = ("code", "name", "from_email", "to_email", "ip", "user_agent", "before", "after", "reason")
    facts: dict[str, Any] = {**dict.fromkeys(words, "x"), "days": 7, "user": user, "email": user.email}
    with request_context(RequestFactory().get("/")):
        facts |= {"timestamp": now(), "request": context.request}
        mail: EmailMultiAlternatives = get_adapter().render_mail(prefix, user.email, facts)
        return mail
