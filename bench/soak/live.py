"""Minutes of real processes on a fast clock: a site as its host starts it, a mail server on loopback, and people who
play. Every few seconds a worker or the broker is killed."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from django.conf import settings
from django.db import connections

from bench.soak.figures import Figures, drain, reckon
from bench.soak.month import notice_of
from bench.soak.settings import SPEED, START
from bench.soak.world import World
from games.models import Delivery
from tests.live.site import Site
from tests.smtp import MailServer

PAUSE = 0.5
"""Seconds between two ticks of people's lives."""
VICTIMS = ("worker", "bots", "mail", "valkey")
"""Words in the names of the processes to kill."""


def run(
    server: MailServer, people: int, games: int, minutes: float, kills: int, seed: int, say: Callable[[str], None]
) -> Figures:
    world = World(Random(seed), lambda act: act())
    world.populate(people, games, START, round(minutes * 60 * SPEED / 86400))
    connections.close_all()
    passed_on = {name: os.environ[name] for name in ("DJANGO_SETTINGS_MODULE", "SOAK_SPEED", "SOAK_BEGAN", "SOAK_SMTP")}
    site = Site(Path(settings.VAR_DIR), **passed_on)
    killed = 0
    with site.running():
        began = time.monotonic()
        # On a busy machine the site starts late and people play slowly, so the loop also waits for the kills.
        while (passed := time.monotonic() - began) < minutes * 60 or killed < kills:
            world.live(86400 / (SPEED * PAUSE))
            if killed < kills and passed >= (killed + 1) * minutes * 60 / (kills + 1):
                killed += _kill(site, VICTIMS[killed % len(VICTIMS)])
                say(f"{passed:.0f} s: {killed} killed, {len(server.messages)} mails")
            time.sleep(PAUSE)
        told = drain(say)
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
