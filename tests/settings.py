"""The settings of `make run` in a folder of their own, whatever the environment says about the site of this machine."""

import os

from tests.shared import folder

os.environ |= {"DEBUG": "1", "ALLOWED_HOSTS": "", "BIND": "", "REDIS_URL": "", "VAR_DIR": str(folder() / "var")}

from splendor_site.settings import *  # noqa: F403

MIDDLEWARE = ["tests.in_turn.InTurnMiddleware", *MIDDLEWARE]  # noqa: F405
