"""A month in one process. It calls the tasks directly, and the clock stands still between ticks. At every seam the
process may die: before and after a commit, before and after the mail server accepts a mail. Everything in memory is
then lost: the queue, and everything waiting for the commit."""

import re
import secrets
from collections import Counter, deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any, cast

from celery import current_app
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connections

from bench.soak.figures import Figures, reckon
from bench.soak.settings import START, clock
from bench.soak.world import World
from games import tasks
from games.models import Notice
from games.services.work import thinking

TICK = timedelta(minutes=10)
TICKS_A_DAY = timedelta(days=1) / TICK
CRASHES = {"before commit": 0.01, "after commit": 0.01, "before SMTP": 0.02, "after SMTP": 0.02}
"""The probability that the process dies at each seam."""
RUN = {f"games.tasks.{task.__name__}": task for task in (tasks.tend, tasks.think, tasks.dispatch, tasks.deliver)}


class Crash(BaseException):
    """The process dies here."""


class Backend(BaseEmailBackend):
    """A mail server that keeps every mail; the process may die before or after it hands over a mail."""

    month: "Month"

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            self.month.seam("before SMTP")
            self.month.taken = notice_of(message)
            self.month.mails.append(self.month.taken)
            self.month.seam("after SMTP")
        return len(email_messages)


def notice_of(message: Any) -> str:
    """The id of a mail's notice, from its Message-ID."""
    headers = message.extra_headers if isinstance(message, EmailMessage) else message
    found = re.match(r"<notice-(\d+)\.", str(headers["Message-ID"]))
    assert found, headers["Message-ID"]
    return found.group(1)


class Month:
    def __init__(self, people: int, games: int, days: int, seed: int) -> None:
        self.rng, self.days = Random(seed), days
        self.mails: list[str] = []
        self.taken = ""
        """The last accepted mail, while the process that handed it over lives."""
        self.excused: Counter[str] = Counter()
        self.crashes: Counter[str] = Counter()
        self.queue: deque[tuple[str, tuple[Any, ...]]] = deque()
        self.dangerous = False
        Backend.month = self
        current_app.send_task = self._send
        # Django's transactions end here; on_commit callbacks run later.
        self.database = cast(Any, connections["default"])
        self._commit = self.database._commit
        self.database._commit = self._dangerous_commit
        _draw_from(Random(seed + 2))
        self.world = World(Random(seed + 1), self.insist)
        self.world.populate(people, games, START, days)

    def run(self, say: Callable[[str], None], until: datetime | None = None) -> Figures:
        """Run the month and return its figures, which are empty if it stops early at `until`."""
        self.dangerous = True
        last = START + timedelta(days=self.days)
        while clock.instant < last:
            self.tick()
            if until and clock.instant >= until:
                say(f"Stopped at {clock.instant:%Y-%m-%dT%H:%M} UTC, before people act.")
                return Figures()
            self.world.live(TICKS_A_DAY)
            if clock.instant.hour == 12 and clock.instant.minute == 0:
                say(
                    f"day {(clock.instant - START).days}: {len(self.mails)} mails, {sum(self.crashes.values())} crashes"
                )
        # Everybody stops playing, and the site sends what is owed.
        self.dangerous = False
        for _tick in range(12):
            self.tick()
        self.database._commit = self._commit
        return self.figures()

    def figures(self) -> Figures:
        return reckon(self.mails, self.excused, self.world.moves, sum(self.crashes.values()), clock.instant)

    def tick(self) -> None:
        clock.instant += TICK
        # Notes of visits expire between two ticks.
        cache.clear()
        self.once(tasks.sweep)
        while self.queue:
            name, args = self.queue.popleft()
            self.once(partial(RUN[name], *args))

    # --- crashes ---

    def seam(self, name: str) -> None:
        if self.dangerous and self.rng.random() < CRASHES[name]:
            self.crashes[name] += 1
            raise Crash(name)

    def once(self, act: Callable[[], Any]) -> bool:
        """Run `act`, and return whether it finished; if it crashed, everything in memory is lost."""
        self.taken = ""
        try:
            act()
        except Crash:
            self._die()
            return False
        return True

    def insist(self, act: Callable[[], Any]) -> Any:
        """Run `act` until it finishes, as a person repeats a post without an answer."""
        while True:
            try:
                return act()
            except Crash:
                self._die()

    def _die(self) -> None:
        self.database.close()
        self.queue.clear()
        # The server accepted this mail but the site did not record it, so it is sent again.
        if self.taken and Notice.objects.filter(pk=self.taken, closed_at=None).exists():
            self.excused[self.taken] += 1

    def _dangerous_commit(self) -> None:
        try:
            self.seam("before commit")
        except Crash:
            # Without this rollback, Django would still let SQLite commit when the block ends.
            self.database.connection.rollback()
            raise
        self._commit()
        self.seam("after commit")

    def _send(self, name: str, args: Sequence[Any] = (), **_options: Any) -> None:
        self.queue.append((name, tuple(args)))


def _draw_from(chance: Random) -> None:
    """Derive the site's keys, seeds and its bots' random numbers from the seed, so that a month can be repeated."""
    for module, name, drawn in (
        (secrets, "token_bytes", lambda count=None: chance.randbytes(count or 32)),
        (secrets, "choice", chance.choice),
        (thinking, "Random", lambda: chance),
    ):
        setattr(module, name, drawn)


def run(
    people: int, games: int, days: int, seed: int, say: Callable[[str], None], until: datetime | None = None
) -> Figures:
    """Run `days` days with that many people and games, or stop at `until`."""
    month = Month(people, games, days, seed)
    figures = month.run(say, until)
    open_ = Notice.objects.filter(closed_at=None, due_at__lte=clock.instant).count()
    say(f"still owed: {open_}; crashes: {dict(month.crashes)}")
    return figures
