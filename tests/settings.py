"""The settings of `make run`, whatever the environment says about the mode, the hosts and the address."""

import os

os.environ |= {"DEBUG": "1", "ALLOWED_HOSTS": "", "BIND": ""}

from splendor_site.settings import *  # noqa: F403

MIDDLEWARE = ["tests.in_turn.InTurnMiddleware", *MIDDLEWARE]  # noqa: F405
