"""Play a match against the yardstick: `python -m bench.yardstick 2 --games 400 --seed final --jobs 2`.

Results are kept in `bench/yardstick/games`, one file for each match, seed, code and network. An interrupted match
continues from its file, and games of different code are never counted together. Without the yardstick
(docs/yardstick.md), the command says so and exits with status 2.
"""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from datetime import date
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.playing import checked, ending_in_a_sentence, positive
from bench.yardstick.home import COMMIT, START, client, found, network, served
from bench.yardstick.matches import MATCHES, TITLE, Match
from games.bots.arena import INTERRUPTED, Series
from games.bots.base import Bot
from games.bots.engines import ENGINES
from games.bots.external import External
from games.bots.ledger import Ledger, code, commit, digest, results
from games.bots.tally import Tally
from games.catalogue import TITLES

GAMES = Path(__file__).parent / "games"
OURS, THEIRS = "ours", "yardstick"


def ledger(name: str, match: Match, home: Path | None, options: Namespace) -> Ledger:
    """The log of this match, seed, code and networks."""
    weights = ENGINES[TITLE].weights(match.seats)
    played = {
        "match": name,
        "seed": options.seed,
        "against": options.against or COMMIT,
        "code": code(*Path(__file__).parent.rglob("*.py")),
        "network": digest(weights) if weights.exists() else None,
        "yardstick": digest(network(home, match.seats)) if home else None,
    }
    key = sha256(repr(played).encode()).hexdigest()[:8]
    options.log.mkdir(exist_ok=True, parents=True)
    return Ledger(options.log / f"{name}-{options.seed}-{key}.jsonl", played)


def play(name: str, home: Path | None, options: Namespace) -> int:
    """Play the games that the log lacks, then print the figures. Return the exit status."""
    match, tally, status = MATCHES[name], Tally(), 0
    kept = ledger(name, match, home, options)
    command = shlex.split(options.against) if options.against else client(*match.argument)
    ours: Bot[Any] = match.ours()
    # Every seat of the yardstick has a process of its own, which remembers that seat's game.
    theirs = [External(TITLE, command, START) for _ in range(match.seats - 1)]
    bots = [(OURS, ours), *((THEIRS, bot) for bot in theirs)]
    series = Series(TITLES[TITLE].ruleset, bots, options.seed, paired=True, limit=match.limit)
    started = perf_counter()
    try:
        for result, is_new in results(series, kept, options.games, options.jobs, checked):
            tally.add(result)
            if is_new:
                print(result, flush=True)
    except KeyboardInterrupt:
        status = INTERRUPTED
    print(figures(name, match, tally))
    print(f"{date.today()}, commit {commit()}; log {kept.path.name}; {perf_counter() - started:.0f} s now")
    return status


def figures(name: str, match: Match, tally: Tally) -> str:
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
        each = f"{found[0]:.0f} simulations a decision, {found[1]:.0f} a second; " if found and found[0] else ""
        lines.append(f"{side}: {each}{thinking.mean:.3f} s a decision, 95% within {thinking.p95:.3f} s")
    return "\n".join(lines)


@ending_in_a_sentence()
def main() -> int:
    """Play the match that the arguments name. Return the exit status."""
    parser = ArgumentParser(prog="bench.yardstick", description=__doc__)
    parser.add_argument("match", choices=MATCHES)
    parser.add_argument("--games", type=positive, default=100, help="games in total, including those in the log")
    parser.add_argument("--seed", default="tuning", help="use different seeds for tuning and for a table")
    parser.add_argument("--jobs", type=positive, default=1)
    parser.add_argument("--log", type=Path, default=GAMES, metavar="FOLDER", help="the folder of the logs")
    parser.add_argument("--against", metavar="COMMAND", help="play against this program instead of the yardstick")
    options = parser.parse_args()
    home = found(MATCHES[options.match].seats) if not options.against or MATCHES[options.match].borrows else None
    with served(home) if home and not options.against else nullcontext():
        return play(options.match, home, options)


if __name__ == "__main__":
    sys.exit(main())
