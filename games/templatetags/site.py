from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """The name of the site. This is a tag because the page for error 500 is rendered without a context."""
    name: str = settings.SITE_NAME
    return name
