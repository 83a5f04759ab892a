"""Where this site is, for mails and exports: what is written outside a request knows no other address."""

from django.conf import settings


def url(path: str) -> str:
    """The absolute address of a path of this site, which begins with a slash."""
    return f"{settings.SITE_URL}{path}"
