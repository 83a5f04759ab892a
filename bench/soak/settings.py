"""The site's settings with its own folder (VAR_DIR) and its own clock. `bench.soak.month` moves the clock by hand; for
the processes of `bench.soak.live` it runs SPEED times as fast as the wall clock."""

import os
import time
from datetime import UTC, datetime, timedelta

from django.utils import timezone

# The environment may hold the settings of a real site, which must not apply here.
os.environ |= {"DEBUG": "1", "ALLOWED_HOSTS": "", "BIND": "", "DATABASE_URL": "", "REDIS_URL": ""}

from splendor_site.settings import *  # noqa: F403
from splendor_site.settings import CELERY_BEAT_SCHEDULE, DATABASES, LOGGING, VAR_DIR

START = datetime(2026, 3, 20, 12, tzinfo=UTC)
"""America is already on summer time. Europe changes to it nine days after this, and Australia leaves it a week
later."""
SPEED = int(os.environ.get("SOAK_SPEED", "0"))


class Clock:
    """The clock behind `django.utils.timezone.now`."""

    def __init__(self) -> None:
        self.instant = START
        self.began = float(os.environ.get("SOAK_BEGAN", "0"))

    def now(self) -> datetime:
        return START + timedelta(seconds=(time.time() - self.began) * SPEED) if SPEED else self.instant


clock = Clock()
timezone.now = clock.now

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = dict[str, str]()
LOGGING["handlers"] = {"console": {"class": "logging.FileHandler", "filename": str(VAR_DIR / "soak.log")}}
if SPEED:
    CELERY_IMPORTS = ["bench.soak.leases"]
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST, EMAIL_PORT = "127.0.0.1", int(os.environ["SOAK_SMTP"])
    CELERY_BEAT_SCHEDULE = {
        "sweep": CELERY_BEAT_SCHEDULE["sweep"] | {"schedule": 1.0, "options": {"expires": 1.0}},
    }
else:
    # Django keeps every query in memory if DEBUG is on.
    DEBUG = False
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    EMAIL_BACKEND = "bench.soak.month.Backend"
    # Only this process uses the file, and its crashes are simulated, so the file need not be synchronised.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
