"""The settings of tests/live as on a production site, with a database that gives up soon."""

from tests.live.settings import *  # noqa: F403
from tests.live.settings import DATABASES

DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
DATABASES["default"]["OPTIONS"]["timeout"] = 1
