from django import template
from django.urls import reverse

from accounts import mailbox

register = template.Library()


@register.simple_tag
def mailbox_url() -> str:
    """Where this site's mails can be read; empty where they are really sent."""
    return reverse("accounts:mailbox") if mailbox.is_open() else ""
