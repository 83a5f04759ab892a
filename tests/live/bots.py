"""Slow bots and failing bots for every title. With LEASE in the environment, a claim on a decision holds only that many
seconds."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from time import sleep
from typing import Any

from django.conf import settings

from games.bots.base import Limit
from games.bots.random_bot import RandomBot
from games.catalogue import TITLES
from games.rules.base import Action
from games.services.work import thinking
from tests.runall_tasks import write

THOUGHT = 1.5
"""The duration of a slow bot's thought in seconds."""


class Slow(RandomBot):
    """Writes a note when it begins to think and when it stops."""

    def choose(self, seen: object, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        notes = str(settings.VAR_DIR / "thoughts")
        write(notes, "begun")
        sleep(THOUGHT)
        write(notes, "done")
        return super().choose(seen, legal, rng, limit)


class Raises(RandomBot):
    def choose(self, seen: object, *_: Any) -> Any:
        raise ZeroDivisionError


class Overruns(RandomBot):
    def choose(self, seen: object, *_: Any) -> Any:
        while True:
            sleep(60)


class Cheats(RandomBot):
    def choose(self, seen: object, *_: Any) -> Any:
        return "take wwwwww"


BOTS = {bot.__name__.lower(): f"{__name__}:{bot.__name__}" for bot in (Slow, Raises, Overruns, Cheats)}
for slug, title in TITLES.items():
    TITLES[slug] = replace(title, bots={**title.bots, **BOTS})
if "LEASE" in os.environ:
    thinking.BOT_LEASE = timedelta(seconds=int(os.environ["LEASE"]))
