from django import template
from django.urls import reverse

from accounts import mailbox

register = template.Library()


@register.simple_tag
def mailbox_url() -> str:
    """The address of the page that shows this site's mails; empty if they are really sent."""
    return reverse("accounts:mailbox") if mailbox.is_open() else ""
