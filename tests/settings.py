"""The site as `make run` starts it on this machine, whatever the environment says of another."""

import os

os.environ |= {"DEBUG": "1", "ALLOWED_HOSTS": "", "BIND": ""}

from splendor_site.settings import *  # noqa: F403
