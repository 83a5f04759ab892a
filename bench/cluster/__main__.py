"""People play on several machines while these are killed, PostgreSQL restarts and the broker forgets everything; one
machine's clock is ahead, and one runs older code. The last line is the report, as JSON. Faults make it exit with 1."""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import TYPE_CHECKING

from bench.cluster.machines import Database, Machine, before_the_last_migration, broker, older_code
from tests.shared import PROJECT
from tests.smtp import MailServer

if TYPE_CHECKING:
    from bench.cluster.load import Load
    from bench.soak.figures import Figures

# Django is imported only after its settings are known.

AHEAD = 90
"""Seconds by which one machine's clock is ahead."""
SMALL = {"WEB_PROCESSES": "1", "WORKER_PROCESSES": "1", "MAIL_PROCESSES": "1", "BOT_PROCESSES": "0"}
"""The processes of a machine; the bots of these games need no compiled code."""
MAX_GAP = 60
"""The maximum number of seconds between the end of a player's time and what follows."""
FIRST_END = 150
"""Seconds until the first clock runs out, so that its owner is told before."""
GAPS = """
    SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin) - (facts ->> 'deadline')::timestamptz)
    FROM games_incident WHERE kind IN ('timed_out', 'overtime', 'abandoned')
"""
"""The seconds between the end of each player's time and the commit of what followed, by PostgreSQL's clock."""


def main() -> int:
    options = _options()
    chance = Random(options.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cluster-")))
        database = Database(folder / "postgres")
        stack.callback(database.server.cleanup)
        valkey = stack.enter_context(broker(folder / "valkey"))
        mails = stack.enter_context(MailServer())
        shared = {
            "DATABASE_URL": database.url,
            "REDIS_URL": f"unix://{folder / 'valkey' / 'socket'}",
            "EMAIL_URL": f"smtp://127.0.0.1:{mails.port}",
            "SECRET_KEY": secrets.token_hex(32),
        }
        load = _populate(folder, shared, options, chance)
        old = stack.enter_context(older_code(folder / "older", options.old))
        machines = load.machines
        for number in range(options.machines):
            ahead = {"CLUSTER_AHEAD": str(AHEAD)} if number == 1 else {}
            code = old if number == options.machines - 1 else PROJECT
            machines.append(Machine(folder / f"machine-{number + 1}", code, shared | SMALL | ahead))
            stack.callback(machines[-1].kill)
        _say(f"{machines[1].name} is {AHEAD} s ahead; {machines[-1].name} runs {options.old}.")
        for machine in machines:
            machine.start()
        _set_ends(load, options.minutes, chance)

        def empty() -> None:
            valkey.client().flushall()

        killed = _live(load, options, [("PostgreSQL restarts", database.restart), ("Valkey is emptied", empty)])
        figures = _reckon(load, mails, killed)
        return _report(options, load, figures, [float(gap) for (gap,) in database.ask(GAPS)])  # type: ignore[arg-type]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long people play")
    parser.add_argument("--machines", type=int, default=3, help="two to four")
    parser.add_argument("--old", default=before_the_last_migration(), help="the commit that the last machine runs")
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--neglected", type=int, default=30, help="games whose clocks run out")
    parser.add_argument("--threads", type=int, default=6, help="people who post at the same time")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    return parser.parse_args()


def _populate(folder: Path, shared: dict[str, str], options: argparse.Namespace, chance: Random) -> "Load":
    (folder / "driver").mkdir()
    os.environ |= {**shared, "DJANGO_SETTINGS_MODULE": "bench.cluster.settings", "VAR_DIR": str(folder / "driver")}
    import django

    django.setup()
    from django.core.management import call_command

    from bench.cluster.load import Load

    call_command("migrate", verbosity=0)
    load = Load([], chance)
    load.populate(options.people, options.games, options.neglected)
    return load


def _set_ends(load: "Load", minutes: float, chance: Random) -> None:
    """Let the clocks of neglected games run out while people play."""
    from games.models import Game
    from games.services.clocks.moment import now

    for game in Game.objects.filter(pk__in=load.neglected):
        assert game.deadline
        assert game.clock_started_at
        end = now() + timedelta(seconds=chance.uniform(min(FIRST_END, minutes * 30), minutes * 57))
        began = game.clock_started_at - (game.deadline - end)
        Game.objects.filter(pk=game.pk).update(clock_started_at=began, deadline=end)


def _live(load: "Load", options: argparse.Namespace, mishaps: list[tuple[str, Callable[[], None]]]) -> int:
    """Let people play, and things happen at even intervals: each machine is killed and comes back, and between them
    the mishaps. Return the number of machines killed."""
    plan: list[tuple[str, Callable[[], None]]] = []
    for number, machine in enumerate(load.machines):
        plan += [(f"{machine.name} is killed", machine.kill), (f"{machine.name} comes back", machine.start)]
        plan += mishaps[number : number + 1]
    threads = [threading.Thread(target=load.play, args=(at, options.threads)) for at in range(options.threads)]
    for thread in threads:
        thread.start()
    began, pause = time.monotonic(), options.minutes * 60 / (len(plan) + 1)
    for number, (what, act) in enumerate(plan, start=1):
        time.sleep(max(0, began + number * pause - time.monotonic()))
        act()
        _say(f"{time.monotonic() - began:4.0f} s: {what}; {len(load.moves)} moves confirmed")
    time.sleep(max(0, began + options.minutes * 60 - time.monotonic()))
    load.stopping.set()
    for thread in threads:
        thread.join()
    return len(load.machines)


def _reckon(load: "Load", mails: MailServer, killed: int) -> "Figures":
    """Wait for the mails that are due, stop all machines, and compute the figures."""
    from django.db import connections

    from bench.soak.figures import drain, reckon
    from games.models import Delivery

    connections.close_all()  # PostgreSQL has restarted
    told = drain(_say)
    for machine in load.machines:
        machine.stop()
    ids = [str(message["Message-ID"]).removeprefix("<notice-").partition(".")[0] for message in mails.messages]
    tried_again = Delivery.objects.filter(attempts__gt=1).values_list("notice_id", "attempts")
    excused = {str(pk): attempts - 1 for pk, attempts in tried_again}
    return reckon(ids, excused, load.moves, killed, told)


def _report(options: argparse.Namespace, load: "Load", figures: "Figures", gaps: Iterable[float]) -> int:
    counts = asdict(figures)
    faults = counts.pop("faults")
    late, early = max(gaps, default=0), -min(gaps, default=0)
    if late > MAX_GAP:
        faults.append(f"a clock was noticed {late:.0f} s late")
    if early > 1:
        faults.append(f"a clock was taken to have run out {early:.0f} s early")
    if not figures.clocks_run_out or not load.taken:
        faults.append("nobody played, or no clock ran out")
    for name, taken in sorted(load.taken.items()):
        slow = quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]
        rate = len(taken) / options.minutes
        _say(f"{name}: {rate:.0f} moves a minute, median {1000 * median(taken):.0f} ms, 95 % {1000 * slow:.0f} ms")
    _say(f"Other answers: {dict(load.answers)}")
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True)
    told = {"commit": commit.stdout.strip(), "old": options.old, "seed": options.seed, "minutes": options.minutes}
    clocks = {"latest_clock_seconds": round(late), "earliest_clock_seconds": round(early)}
    _say(json.dumps({**told, "machines": options.machines, "counts": counts | clocks, "faults": faults}))
    return bool(faults)


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
