"""The settings of tests/live as on a production site, with a database that gives up soon. CONNECTION_SECONDS says how
long connections stay open after a request."""

import os

from tests.live.settings import *  # noqa: F403
from tests.live.settings import DATABASES

DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
DATABASES["default"]["OPTIONS"]["timeout"] = 1
DATABASES["default"]["CONN_MAX_AGE"] = int(os.environ["CONNECTION_SECONDS"])
