"""The site's settings with the bots of tests/live, a frequent sweep, and no limits on posts."""

from splendor_site.settings import *  # noqa: F403
from splendor_site.settings import CELERY_BEAT_SCHEDULE

CELERY_IMPORTS = ["tests.live.bots"]
CELERY_BEAT_SCHEDULE = {
    name: entry | {"schedule": 1.0, "options": {"expires": 1.0}} for name, entry in CELERY_BEAT_SCHEDULE.items()
}
# A rate limit would make the posts of one user wait for each other.
ACCOUNT_RATE_LIMITS = dict[str, str]()
# Good hashes are slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
