"""The one clock: all time is asked here."""

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    """The present instant, in UTC."""
    return timezone.now()
