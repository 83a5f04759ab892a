"""Instants and spans in mails, in the reader's time zone, which is named."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

SOON = timedelta(days=6)
"""Within this time a weekday alone is unambiguous."""


def short(at: datetime, now: datetime) -> str:
    """“Thu 18:00 (Paris)”, with the date if that is far off."""
    # Translators: a date format of Django: weekday and time, then with day and month between them.
    return _in_zone(at, _("D H:i") if now - SOON < at < now + SOON else _("D j M H:i"))


def full(at: datetime) -> str:
    """“Thursday 5 November, 18:00 (Paris)”."""
    # Translators: a date format of Django: weekday, day, month, time.
    return _in_zone(at, _("l j F, H:i"))


def _in_zone(at: datetime, form: str) -> str:
    city = timezone.get_current_timezone_name()
    name = getattr(timezone.get_current_timezone(), "key", city).rpartition("/")[2].replace("_", " ")
    # Translators: a time and the city whose time it is: “Thu 18:00 (Paris)”.
    return _("%(time)s (%(city)s)") % {"time": date_format(timezone.localtime(at), form), "city": name}
