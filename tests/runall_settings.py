"""The site's settings with tasks for tests/splendor_site/test_runall.py."""

import os

from splendor_site.settings import *  # noqa: F403
from splendor_site.settings import CELERY_BROKER_TRANSPORT_OPTIONS, MIDDLEWARE

CELERY_IMPORTS = ["tests.runall_tasks"]
if "IMPATIENT" in os.environ:
    CELERY_BROKER_TRANSPORT_OPTIONS |= {"visibility_timeout": 4, "unacked_restore_interval": 1}
if "BROKEN" in os.environ:
    MIDDLEWARE = [*MIDDLEWARE, "nowhere"]
# Good hashes are slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
