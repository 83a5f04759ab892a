"""The settings of tests, with a queue and a cache in the process."""

from tests.settings import *  # noqa: F403
from tests.settings import CACHES

CELERY_BROKER_URL = "memory://"
CACHES = CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
ACCOUNT_RATE_LIMITS = dict[str, str]()
NEWCOMER_TABLES = BOT_TABLES = 1_000_000
LOGGING = {"version": 1, "disable_existing_loggers": True}
