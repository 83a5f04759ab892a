"""`make soak` runs three parts with a new seed every time: a month on a simulated clock; beside it, minutes of real
processes that are killed, then the repeated tests at full length. The last line is JSON: commit, seed, counts and every
fault."""

import argparse
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any

import django

from bench.soak import repeated
from tests.shared import empty_database
from tests.smtp import MailServer

SETTINGS = "bench.soak.settings"
LANES = (("month",), ("live", "repeated"))
"""Two rows of parts, run beside each other. The month keeps one core busy."""
PARTS = [part for lane in LANES for part in lane]
Told = dict[str, Any]
"""The report of a part: its `counts`, and its `faults` in words."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(1000, 1_000_000), help="default: random")
    parser.add_argument(
        "--minutes", type=float, default=10, help="minutes of real processes, with a fifth of the people and games"
    )
    parser.add_argument("--kills", type=int, default=30)
    alone = parser.add_argument_group("one part alone, with its site kept in a folder")
    alone.add_argument("--part", choices=["month", "live"])
    alone.add_argument("--folder", type=Path)
    alone.add_argument("--until", type=datetime.fromisoformat, help="stop the month at that instant, in UTC")
    options = parser.parse_args()
    if options.part:
        return _part(options)
    _say(f"seed {options.seed}")
    began = time.monotonic()
    lane = partial(_lane, wanted=options.parts, seed=options.seed)
    with ThreadPoolExecutor() as pool:
        lanes = list(pool.map(lane, LANES))
    told = {part: each for found in lanes for part, each in found.items()}
    faults = [f"{part}: {fault}" for part, each in told.items() for fault in each["faults"]]
    print(
        json.dumps(
            {
                "commit": _commit(),
                "seed": options.seed,
                "minutes": round((time.monotonic() - began) / 60),
                "counts": {part: each["counts"] for part, each in told.items()},
                "faults": faults,
            }
        )
    )
    return bool(faults)


def _commit() -> str:
    words = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def _lane(parts: Sequence[str], wanted: Sequence[str], seed: int) -> dict[str, Told]:
    """Run those of the parts that are wanted, one after the other."""
    return {part: repeated.run(seed) if part == "repeated" else _run(part, seed) for part in parts if part in wanted}


def _run(part: str, seed: int) -> Told:
    """Run a part in a process of its own; its site is kept if there were faults, such as the death of the process."""
    folder = tempfile.mkdtemp(prefix="soak-")
    words = [
        sys.executable,
        "-m",
        "bench.soak",
        *sys.argv[1:],
        f"--seed={seed}",
        f"--part={part}",
        f"--folder={folder}",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = ""
        for line in process.stdout:
            print(line, end="", flush=True)
    try:
        told: Told = json.loads(line)
    except json.JSONDecodeError:  # it died
        told = {"counts": {}, "faults": [f"ended with {process.returncode}"]}
    if not told["faults"]:
        shutil.rmtree(folder)
    return told


def _part(options: argparse.Namespace) -> int:
    """Run one part in this process, with settings from the environment."""
    var = options.folder.resolve() / "var"
    var.mkdir(parents=True, exist_ok=True)
    os.environ |= {"DJANGO_SETTINGS_MODULE": SETTINGS, "VAR_DIR": str(var)}
    people, games, days, seed = options.people, options.games, options.days, options.seed
    with ExitStack() as stack:
        if options.part == "live":
            server = stack.enter_context(MailServer())
            os.environ |= {"SOAK_SPEED": "1000", "SOAK_BEGAN": str(time.time()), "SOAK_SMTP": str(server.port)}
        if not (var / "db.sqlite3").exists():
            shutil.copy(empty_database(), var / "db.sqlite3")
        django.setup()
        from bench.soak import live, month  # needs Django to be set up

        # Collecting garbage rarely, and not among the modules, saves a tenth of the time.
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        if options.part == "month":
            until = options.until and options.until.replace(tzinfo=UTC)
            figures = month.run(people, games, days, seed, _say, until)
        else:
            figures = live.run(server, people // 5, games // 5, options.minutes, options.kills, seed, _say)
    counts = asdict(figures)
    faults = counts.pop("faults")
    for name, value in counts.items():
        _say(f"{options.part}: {name.replace('_', ' ')} {value}")
    for fault in faults:
        _say(fault)
    if faults:
        _say(f"The site as it is at the end is in {var}.")
    if faults and options.part == "month":
        again = f"--part month --people {people} --games {games} --days {days} --seed {seed}"
        _say(f"As it was at an instant: python -m bench.soak {again} --folder FOLDER --until INSTANT")
    _say(json.dumps({"counts": counts, "faults": faults}))
    return bool(faults)


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
