"""Absolute addresses for mails and exports, which are written outside a request."""

from django.conf import settings


def url(path: str) -> str:
    """The absolute address of a path of this site, which begins with a slash."""
    return f"{settings.SITE_URL}{path}"
