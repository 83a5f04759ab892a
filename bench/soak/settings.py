"""The site as it is, in a folder of its own (VAR_DIR) and on a clock of its own: it stands until `bench.soak.month`
moves it, or runs SPEED times as fast as the one on the wall, for the processes of `bench.soak.live`."""

import os
import time
from datetime import UTC, datetime, timedelta

from django.utils import timezone

# Whatever the environment says is about a real site.
os.environ |= {"DEBUG": "1", "ALLOWED_HOSTS": "", "BIND": ""}

from splendor_site.settings import *  # noqa: F403
from splendor_site.settings import CELERY_BEAT_SCHEDULE, DATABASES, LOGGING, VAR_DIR

START = datetime(2026, 3, 20, 12, tzinfo=UTC)
"""Europe changes to summer time a week later, America did so before, and Australia leaves it two weeks later."""
SPEED = int(os.environ.get("SOAK_SPEED", "0"))


class Clock:
    """What `django.utils.timezone.now` asks."""

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
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    EMAIL_BACKEND = "bench.soak.month.Backend"
    # Only this process reads the file, and only it can crash.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
