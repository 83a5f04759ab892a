"""How fast turn mails leave the site: `python -m bench.mails`.

Every round sends the same mails of running games to a local SMTP server, once with a connection for each mail and once
in batches. The figures are medians over the rounds, of the time until all mails are sent, and of this process's
processor time, which other work on the computer disturbs less.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.core.mail import EmailMultiAlternatives

    from games.models import Notice

# Django is imported only after its settings are known.

MAILS = 40
DECISIONS = 30
"""Decisions made in each game, which is then about half over."""
WARMING, ROUNDS = 1, 3


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="mails-") as folder, mail_server() as port:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "bench.scale.settings",
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "VAR_DIR": folder,
            "TEST_RUN": folder,
            "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        }
        import django

        django.setup()
        compare()


def compare() -> None:
    """Send the mails in both ways in turn, and print the rates."""
    from django.core.management import call_command

    from games.services.mailing import deliveries, letters

    call_command("migrate", verbosity=0)
    deliveries.BATCH_TIME = timedelta(hours=1)  # however busy this computer is
    owed = notices()
    composing, write = [0.0, 0.0], letters.write

    def timed(notice: "Notice") -> "EmailMultiAlternatives | None":
        began = clocks()
        try:
            return write(notice)
        finally:
            composing[:] = [spent + now - then for spent, now, then in zip(composing, clocks(), began, strict=True)]

    letters.write = timed
    sizes = (1, deliveries.MAX_MAILS_IN_A_BATCH)
    taken: dict[int, list[list[float]]] = {size: [] for size in sizes}
    for _round in range(WARMING + ROUNDS):
        for size in sizes:
            forget(owed)
            composing[:] = [0.0, 0.0]
            began = clocks()
            for first in range(0, len(owed), size):
                deliveries.deliver(*owed[first : first + size])
            taken[size].append([now - then for now, then in zip(clocks(), began, strict=True)] + composing)
            check(owed)
    alone, batch = ([median(column) for column in zip(*taken[size][WARMING:], strict=True)] for size in sizes)
    for kind, name in enumerate(("time", "processor time")):
        print(f"Of the {name}:")
        for size, spent in zip(sizes, (alone, batch), strict=True):
            each, share = 1000 * spent[kind] / len(owed), spent[2 + kind] / spent[kind]
            print(f"  {size:>2} mails a connection: {each:5.1f} ms each, {share:.0%} of it composing")
        without = (alone[kind] - alone[2 + kind]) / (batch[kind] - batch[2 + kind])
        print(f"  A batch is {alone[kind] / batch[kind]:.2f} times as fast; without composing {without:.2f} times.")


def clocks() -> tuple[float, float]:
    """Both kinds of time, in seconds."""
    return time.perf_counter(), time.process_time()


def notices() -> Sequence[int]:
    """The ids of the due notices of turns, each of a game of its own."""
    from games.models import Notice
    from tests.factories import begun, person, play_on

    people = [person(name) for name in ("ana", "ben", "cleo")]
    while Notice.objects.filter(kind="turn", closed_at=None).count() < MAILS:
        number = Notice.objects.count()
        play_on(begun(people[: 2 + number % 2], ("splendor", "duel")[number % 2 == 0]), number, DECISIONS)
    return list(Notice.objects.filter(kind="turn", closed_at=None).values_list("pk", flat=True)[:MAILS])


def forget(owed: Sequence[int]) -> None:
    """Make the notices due again."""
    from games.models import Delivery, Notice
    from games.services.clocks.moment import now

    Delivery.objects.all().delete()
    Notice.objects.filter(pk__in=owed).update(closed_at=None, outcome="", due_at=now())


def check(owed: Sequence[int]) -> None:
    from games.models import Notice

    assert Notice.objects.filter(pk__in=owed, outcome="sent").count() == len(owed)


@contextmanager
def mail_server() -> Iterator[int]:
    """The port of an SMTP server, in a process of its own, that accepts and forgets mails."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    words = ["-m", "aiosmtpd", "--nosetuid", "--class", "aiosmtpd.handlers.Sink", "--listen", f"127.0.0.1:{port}"]
    server = subprocess.Popen([sys.executable, *words])
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
