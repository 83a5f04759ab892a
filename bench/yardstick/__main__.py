"""Play a match against the yardstick: `python -m bench.yardstick 2 --games 400 --seed final --jobs 2`.

Results are kept in `bench/yardstick/games`, one file for each match, seed, code and network. An interrupted match
continues from its file, and games of different code are never counted together. Without the yardstick
(docs/yardstick.md), the command says so and exits with status 2.
"""

import os
import shlex
import signal
import socket
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import date
from hashlib import sha256
from pathlib import Path
from subprocess import PIPE, Popen, run
from time import perf_counter
from typing import Any

from bench.yardstick.matches import MATCHES, TITLE, Match
from bench.yardstick.theirs.address import address
from games.bots import arena
from games.bots.base import Bot
from games.bots.engines import ENGINES
from games.bots.external import External
from games.bots.ledger import Ledger
from games.catalogue import TITLES

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
GAMES = HERE / "games"
ANCHOR = "5d6d1f129b76659837f6afd6fb082e8da57e5428"
"""The commit of the yardstick's code."""
MISSING = 2
"""The exit status without the yardstick."""
START = 600.0
"""Seconds that a program may take to start; no clock runs during that time."""
OURS, THEIRS = "ours", "yardstick"
ABSENT = """The yardstick is missing. Set it up as docs/yardstick.md says, and set YARDSTICK to its folder."""
OTHER = f"""The yardstick's folder `anchor` does not hold commit {ANCHOR}."""


def digest(*files: Path) -> str:
    """A digest of the names and contents of these files."""
    found = sha256()
    for file in sorted(files):
        found.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:12]


def code() -> str:
    """A digest of the code that plays: the rules, the bots without their training and ratings, and this package.
    Networks are not included."""
    bots = [file for file in (ROOT / "games/bots").rglob("*.py") if "train" not in file.parts]
    bots = [file for file in bots if file.name != "ratings.py"]
    rules = [file for file in (ROOT / "games/rules").rglob("*") if file.suffix in (".py", ".csv")]
    return digest(*bots, *rules, *HERE.rglob("*.py"))


def ledger(name: str, match: Match, options: Namespace) -> Ledger:
    """The log of this match, seed, code and network."""
    weights = ENGINES[TITLE].weights(match.seats)
    played = {
        "match": name, "seed": options.seed, "against": options.against or ANCHOR, "code": code(),
        "network": digest(weights) if weights.exists() else None,
    }  # fmt: skip
    key = sha256(repr(played).encode()).hexdigest()[:8]
    options.log.mkdir(exist_ok=True, parents=True)
    return Ledger(options.log / f"{name}-{options.seed}-{key}.jsonl", played)


def checked_out(home: Path) -> str:
    """The commit of the yardstick in that folder."""
    found = run(["git", "-C", home / "anchor", "rev-parse", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip()


def answers(home: Path) -> bool:
    """Whether a server of the yardstick with this code is running."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(address(home)))
        except OSError:
            return False
    return True


@contextmanager
def served(home: Path) -> Iterator[None]:
    """Use the running server of the yardstick, or start one for these games; it compiles for a minute or more."""
    if answers(home):
        yield
        return
    command = [str(home / "venv/bin/python"), str(HERE / "theirs/server.py")]
    with Popen(command, stdout=PIPE, text=True, env={**os.environ, "YARDSTICK": str(home)}) as server:
        try:
            assert server.stdout
            line = server.stdout.readline()
            if not line:
                raise SystemExit("The yardstick does not start.")
            print(line.strip(), flush=True)
            yield
        finally:
            server.terminate()


def play(name: str, home: Path, options: Namespace) -> None:
    """Play the games that the log lacks, then print the figures."""
    match = MATCHES[name]
    kept = ledger(name, match, options)
    games = options.games + -options.games % match.seats
    tally = arena.Tally()
    for result in kept.results:
        if result.number < games:
            tally.add(result)
    left = sorted(set(range(games)) - {result.number for result in kept.results})
    command = options.against or shlex.join([sys.executable, "-S", str(HERE / "theirs/client.py"), *match.argument])
    ours: Bot[Any] = match.ours(home)
    # Every seat of the yardstick has a process of its own, which remembers that seat's game.
    theirs = [External(TITLE, shlex.split(command), START) for _ in range(match.seats - 1)]
    bots = [(OURS, ours), *((THEIRS, bot) for bot in theirs)]
    started = perf_counter()
    with suppress(KeyboardInterrupt):
        for record in arena.series(
            TITLES[TITLE].ruleset, bots, left, options.seed, paired=True, limit=match.limit,
            jobs=max(1, min(len(left), options.jobs)),
        ):  # fmt: skip
            if record.violation:
                raise SystemExit(record.reproduction)
            if record.forfeit:
                raise SystemExit(f"Game {record.number} does not count: {record.forfeit}")
            kept.add(record.result)
            tally.add(record.result)
            print(record.result, flush=True)
    print(figures(name, match, tally))
    print(f"{date.today()}, commit {commit()}, {kept.path.name}, {perf_counter() - started:.0f} s now")


def figures(name: str, match: Match, tally: arena.Tally) -> str:
    """The figures of all games, in lines."""
    score, games = tally.score(0), tally.decided
    low, high = tally.interval(OURS)
    rate = float(tally.bots[OURS]) / max(1, games)
    lines = [
        f"{name}: {games} games, {score.wins} won, {score.draws} shared, {score.losses} lost: {rate:.1%}, "
        f"95% interval {low:.1%} to {high:.1%}, fair share {1 / match.seats:.1%}"
    ]
    for seat in range(match.seats):
        own = tally.scores[0, seat]
        lines.append(f"seat {seat}: {own.wins} won, {own.draws} shared, {own.losses} lost")
    for side in (OURS, THEIRS):
        found, thinking = tally.simulated(side), tally.thinking(side)
        each = f"{found[0]:.0f} evaluations a decision, {found[1]:.0f} a second; " if found else ""
        lines.append(f"{side}: {each}{thinking.mean:.3f} s a decision, 95% within {thinking.p95:.3f} s")
    return "\n".join(lines)


def commit() -> str:
    """The project's commit, marked if there are uncommitted changes."""
    found = run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def main() -> None:
    """Play the match that the arguments name."""
    parser = ArgumentParser(prog="bench.yardstick", description=__doc__)
    parser.add_argument("match", choices=MATCHES)
    parser.add_argument("--games", type=int, default=100, help="games in total, including those in the log")
    parser.add_argument("--seed", default="tuning", help="use different seeds for tuning and for a table")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--log", type=Path, default=GAMES, metavar="FOLDER", help="the folder of the logs")
    parser.add_argument("--against", metavar="COMMAND", help="play against this program instead of the yardstick")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    home = Path(os.environ.get("YARDSTICK", "/nowhere"))
    if not options.against or MATCHES[options.match].borrows:
        missing = "" if checked_out(home) == ANCHOR else OTHER
        if missing := missing if (home / "splendor_2p.onnx").exists() else ABSENT:
            print(missing, file=sys.stderr)
            sys.exit(MISSING)
    with nullcontext() if options.against else served(home):
        play(options.match, home, options)


if __name__ == "__main__":
    main()
