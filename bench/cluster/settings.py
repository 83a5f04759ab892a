"""The site's settings for one of several machines, whose clock is CLUSTER_AHEAD seconds ahead. The bench copies this
module for machines that run older code, so it imports nothing from the bench."""

import os
from datetime import datetime, timedelta

from django.utils import timezone

# The environment may hold the settings of a real site, which must not apply here.
os.environ |= {"DEBUG": "0", "ALLOWED_HOSTS": "127.0.0.1", "BIND": ""}

from splendor_site.settings import *  # noqa: F403

AHEAD = timedelta(seconds=float(os.environ.get("CLUSTER_AHEAD", "0")))
_true_now = timezone.now


def _now() -> datetime:
    return _true_now() + AHEAD


timezone.now = _now

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = dict[str, str]()
NEWCOMER_TABLES = BOT_TABLES = 1_000_000
