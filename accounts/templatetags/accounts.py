from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.text import capfirst

from accounts import addresses, mailbox
from accounts.models import Theme, User

register = template.Library()

THEME_COOKIE = "theme"
"""The cookie with the theme of visitors."""


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    """The reader's theme. The page for error 500 has no request."""
    request: Any = context.get("request")
    if request is None:
        return Theme.AUTO
    user = getattr(request, "user", None)
    chosen = user.theme if isinstance(user, User) else request.COOKIES.get(THEME_COOKIE)
    return chosen if chosen in Theme.values else Theme.AUTO


@register.simple_tag
def themes() -> list[tuple[str, str]]:
    """Every theme with its name."""
    return [(value, str(name)) for value, name in Theme.choices]


@register.simple_tag(takes_context=True)
def alternates(context: template.Context) -> list[tuple[str, str]]:
    """The addresses of this page in each language, for search engines."""
    request: Any = context.get("request")
    page = getattr(request, "resolver_match", None)
    return list(addresses.alternates(page)) if page else []


@register.simple_tag(takes_context=True)
def canonical(context: template.Context) -> str:
    """The absolute address of this page without a query."""
    return f"{settings.SITE_URL}{context['request'].path}"


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """The code of every language with its own name."""
    return [(code, capfirst(name)) for code, name in settings.LANGUAGES]


@register.simple_tag
def mailbox_url() -> str:
    """The address of the page that shows this site's mails; empty if the mails are really sent."""
    return reverse("accounts:mailbox") if mailbox.is_open() else ""
