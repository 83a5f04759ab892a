from django import template
from django.conf import settings

from games.catalogue import TITLES

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """The name of the site. This is a tag because the page for error 500 is rendered without a context."""
    name: str = settings.SITE_NAME
    return name


@register.simple_tag
def books() -> list[tuple[str, str]]:
    """The slug and the name of each title with a page of its rules."""
    return [(slug, title.ruleset.name) for slug, title in TITLES.items() if title.pieces]
