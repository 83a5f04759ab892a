from django import template
from django.conf import settings
from django.utils.translation import gettext

from games.catalogue import TITLES

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """The name of the site. This is a tag because the page for error 500 is rendered without a context."""
    name: str = settings.SITE_NAME
    return name


@register.simple_tag
def sign_up() -> str:
    """Whether sign-up is `open`, by `invitation` or `closed`."""
    choice: str = settings.SIGN_UP
    return choice


@register.simple_tag
def of_host() -> list[tuple[str, str]]:
    """The address and the name of each link to the host of the site: the contact, and the legal notice."""
    contact = f"mailto:{settings.CONTACT}" if "@" in settings.CONTACT else settings.CONTACT
    links = [(contact, gettext("Contact")), (settings.LEGAL_NOTICE, gettext("Legal notice"))]
    return [(address, name) for address, name in links if address]


@register.simple_tag
def books() -> list[tuple[str, str]]:
    """The slug and the name of each title with a page of its rules."""
    return [(slug, title.ruleset.name) for slug, title in TITLES.items() if title.pieces]
