from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """A tag, not a context variable: the page for error 500 is rendered without a context."""
    name: str = settings.SITE_NAME
    return name
