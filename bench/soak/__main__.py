"""`make soak`: a month on a clock of its own, then minutes of real processes that are killed. The last line is JSON."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import django
from django.core.management import call_command

from bench.soak import FAULTS
from tests.smtp import MailServer

SETTINGS = "bench.soak.settings"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10, help="of real processes, for a tenth of people and games")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--part", choices=["month", "live"])
    parser.add_argument("--folder", help="where that part keeps its site")
    options = parser.parse_args()
    if options.part:
        return _part(options)
    told = {}
    for part in ("month", "live"):
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            told[part] = _run(part, Path(folder))
    figures = {name: sum(each[name] for each in told.values()) for name in told["month"]}
    print(json.dumps(figures))
    return _verdict(figures)


def _run(part: str, folder: Path) -> dict[str, int]:
    words = [sys.executable, "-m", "bench.soak", *sys.argv[1:], f"--part={part}", f"--folder={folder}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = ""
        for line in process.stdout:
            print(line, end="", flush=True)
    figures: dict[str, int] = json.loads(line)
    return figures


def _part(options: argparse.Namespace) -> int:
    """One of them, in a process of its own, whose settings follow from the environment."""
    var = Path(options.folder) / "var"
    var.mkdir()
    os.environ |= {"DJANGO_SETTINGS_MODULE": SETTINGS, "VAR_DIR": str(var)}
    with ExitStack() as stack:
        if options.part == "live":
            server = stack.enter_context(MailServer())
            os.environ |= {"SOAK_SPEED": "1000", "SOAK_BEGAN": str(time.time()), "SOAK_SMTP": str(server.port)}
        django.setup()
        call_command("migrate", verbosity=0)
        from bench.soak import live, month  # once Django is set up

        if options.part == "month":
            figures = month.run(options.people, options.games, options.days, options.seed, _say)
        else:
            people, games = options.people // 5, options.games // 5
            figures = live.run(server, people, games, options.minutes, options.kills, options.seed, _say)
    for name, value in asdict(figures).items():
        _say(f"{options.part}: {name.replace('_', ' ')} {value}")
    _say(json.dumps(asdict(figures)))
    return _verdict(asdict(figures))


def _say(line: str) -> None:
    print(line, flush=True)


def _verdict(figures: dict[str, int]) -> int:
    return int(any(figures[name] for name in FAULTS))


if __name__ == "__main__":
    sys.exit(main())
