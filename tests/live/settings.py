"""The site as it is, with bots for tests/live, a sweep that does not keep them waiting, and people who may hurry."""

from splendor_site.settings import *  # noqa: F403
from splendor_site.settings import CELERY_BEAT_SCHEDULE

CELERY_IMPORTS = ["tests.live.bots"]
CELERY_BEAT_SCHEDULE = {
    name: entry | {"schedule": 1.0, "options": {"expires": 1.0}} for name, entry in CELERY_BEAT_SCHEDULE.items()
}
# A limit has the posts of one person come one after the other.
ACCOUNT_RATE_LIMITS = dict[str, str]()
