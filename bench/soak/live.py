"""Minutes of real processes on a clock that runs fast: the site as its host starts it, a mail server on loopback,
people who play, and one of the workers or the broker killed every few seconds."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random

from django.conf import settings
from django.db import connections

from bench.soak.figures import Figures, reckon
from bench.soak.month import notice_of
from bench.soak.settings import SPEED, START
from bench.soak.world import World
from games.models import Delivery, Notice
from games.services.moment import now
from tests.live.site import Site
from tests.smtp import MailServer

PAUSE = 0.5
"""Seconds between two looks at what people do."""
VICTIMS = ("worker@", "bots@", "mail@", "valkey")
"""Words in the commands of those who are killed."""
PATIENCE = 120
"""Seconds in which what is owed is told when nobody plays or is killed any more."""


def run(
    server: MailServer, people: int, games: int, minutes: float, kills: int, seed: int, say: Callable[[str], None]
) -> Figures:
    world = World(Random(seed), lambda act: act())
    world.populate(people, games, START, round(minutes * 60 * SPEED / 86400))
    connections.close_all()
    passed_on = {name: os.environ[name] for name in ("DJANGO_SETTINGS_MODULE", "SOAK_SPEED", "SOAK_BEGAN", "SOAK_SMTP")}
    site = Site(Path(settings.VAR_DIR), **passed_on)
    began, killed = time.monotonic(), 0
    with site.running():
        while (passed := time.monotonic() - began) < minutes * 60:
            world.live(86400 / (SPEED * PAUSE))
            if killed < kills and passed >= (killed + 1) * minutes * 60 / (kills + 1):
                killed += _kill(site, VICTIMS[killed % len(VICTIMS)])
                say(f"{passed:.0f} s: {killed} killed, {len(server.messages)} mails")
            time.sleep(PAUSE)
        told = _drain(say)
    mails = [notice_of(message) for message in server.messages]
    tried_again = Delivery.objects.filter(attempts__gt=1).values_list("notice_id", "attempts")
    excused = {str(pk): attempts - 1 for pk, attempts in tried_again}
    return reckon(mails, excused, world.moves, killed, told)


def _kill(site: Site, word: str) -> int:
    victims = site.processes(word)
    for process in victims:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return bool(victims)


def _drain(say: Callable[[str], None]) -> datetime:
    """The instant up to which all that was due has been told; bots play on after it."""
    last = time.monotonic() + PATIENCE
    while True:
        instant = now()
        left = Notice.objects.filter(closed_at=None, due_at__lte=instant).count()
        if not left or time.monotonic() > last:
            say(f"still owed: {left}")
            return instant
        time.sleep(1)
