"""Measures the ratings of the strengths: `python -m bench.ratings splendor --seats 2 --jobs 2`.

Each bot plays the next weaker one, with fixed simulations, and every deal once in every rotation of the seats. With
more than two seats one copy of it plays against several of the weaker bot. Only *greedy* has a fixed rating. If the
yardstick is there (docs/yardstick.md), it takes part in Splendor as two more rungs: its network without a search, and
its search with 100 simulations. A line for each rating goes into `games/bots/<slug>/ratings.py`;
`games/bots/strengths.py` explains the scale. With `--log`, an interrupted ladder continues. `--from hard` plays only
from that rung upwards, and takes its rating from `ratings.py`.

`--idle` counts instead how often a player of each strength passes, or buys no card for eight turns, in games of that
strength only: a weaker bot should play worse, but not idle.
"""

import os
from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from itertools import dropwhile, pairwise
from math import hypot, inf, log10
from pathlib import Path
from typing import Any

from bench import yardstick
from bench.playing import checked, ending_in_a_sentence, positive
from bench.yardstick.home import START, client, found, network, served
from bench.yardstick.matches import TITLE
from games.bots.arena import Record, Series
from games.bots.base import Bot, Limited
from games.bots.external import External
from games.bots.instinct import BUY
from games.bots.ledger import Ledger, code, networks, results
from games.bots.strengths import STRENGTHS
from games.bots.tally import Tally
from games.catalogue import TITLES, Title

Rung = tuple[str, int | None]
YARDSTICK = "yardstick"
LADDER: tuple[Rung, ...] = (
    ("greedy", None),
    ("beginner", None),
    (YARDSTICK, 0),
    ("easy", None),
    (YARDSTICK, 100),
    ("medium", None),
    ("hard", None),
    ("strongest", 10_000),
)
"""Each bot should be stronger than the one before, but not so strong that it wins every game. With more than two seats,
the yardstick's network without a search is a little weaker than *beginner*."""
LOWEST = 1000
"""The rating of the first bot of the ladder."""
IDLE_TURNS = 8
"""The number of turns without a purchase that counts as idle."""
IDLE_SIMS = 2_000
"""Simulations for a decision of *strongest* when idle turns are counted: every seat thinks, so its games are long."""


def points(rate: float, seats: int) -> float:
    """The rating, relative to equal opponents, of a player who wins this share of games among that many seats."""
    odds = (seats - 1) * rate / (1 - rate) if rate < 1 else inf
    return 400 * log10(odds) if odds else -inf


def called(name: str, sims: int | None) -> str:
    """The name of the bot for `simulate`."""
    return name if sims is None else f"{name}@{sims}"


def bot(title: Title, name: str, sims: int | None) -> Bot[Any]:
    """The bot of a rung."""
    if name == YARDSTICK:
        return External(title.ruleset.slug, client(str(sims)), START)
    return Limited(title.bot(name), sims)


def against(title: Title, pair: tuple[Rung, Rung], options: Namespace) -> tuple[float, float]:
    """The rating of the second of the pair relative to the first, and how far from it the 95% confidence interval
    reaches on its longer side: infinitely far if one of the two won every game."""
    # Every seat of the yardstick has a process of its own, which remembers that seat's game.
    seats, (weaker, stronger) = options.seats, pair
    bots = [("stronger", bot(title, *stronger)), *(("weaker", bot(title, *weaker)) for _ in range(seats - 1))]
    series, ledger, tally = Series(title.ruleset, bots, options.seed, paired=True), None, Tally()
    if options.log:
        files = [*networks(), *Path(yardstick.__path__[0]).rglob("*.py")]
        files += [network(found(seats), seats)] if YARDSTICK in (weaker[0], stronger[0]) else []
        played = {"seed": options.seed, "pair": pair, "seats": seats, "code": code(*files)}
        options.log.mkdir(exist_ok=True, parents=True)
        names = "-".join(called(*rung) for rung in pair)
        ledger = Ledger(options.log / f"{options.title}-{seats}-{names}-{options.seed}.jsonl", played)
    for result, _ in results(series, ledger, options.games, options.jobs, checked):
        tally.add(result)
    rate = float(tally.bots["stronger"]) / tally.decided
    low, high = tally.interval("stronger")
    above, least, most = (points(value, seats) for value in (rate, low, high))
    names = " against ".join(called(*rung) for rung in reversed(pair))
    print(
        f"{names}: {rate:.1%} of {tally.decided} games, 95% interval {low:.1%} to {high:.1%}; "
        f"{above:+.0f} points, {least:+.0f} to {most:+.0f}",
        flush=True,
    )
    return above, max(abs(bound - above) for bound in (least, most) if bound != above)


def idleness(title: Title, record: Record) -> list[tuple[bool, bool]]:
    """For each seat, whether it passed, and whether it bought no card for `IDLE_TURNS` turns in a row."""
    seats = range(len(record.bots))
    passed, idle, turns = set[int](), set[int](), dict.fromkeys(seats, 0)
    steps = title.ruleset.replay(len(seats), record.seed, record.notations)
    mover = next(steps).state.to_act
    for step, notation in zip(steps, record.notations, strict=True):
        assert mover is not None
        for seat in (int(event.facts["seat"]) for event in step.events if event.code == "passed"):
            passed.add(seat)
            turns[seat] += 1  # nobody asks a player who can only pass
        if notation.startswith(BUY):
            turns[mover] = -1
        if step.ends_turn or step.state.to_act != mover:
            turns[mover] += 1
        idle.update(seat for seat in seats if turns[seat] >= IDLE_TURNS)
        mover = step.state.to_act
    return [(seat in passed, seat in idle) for seat in seats]


def count_idle(title: Title, seats: int, rung: Rung, games: int, jobs: int) -> None:
    """Print how often players of this strength idle."""
    bots = [(rung[0], bot(title, *rung))] * seats
    found = [
        seat
        for record in Series(title.ruleset, bots, "idle").records(range(games), jobs)
        for seat in idleness(title, checked(record))
    ]
    passed, idle = (sum(column) / len(found) for column in zip(*found, strict=True))
    shares = f"{passed:.1%} of {len(found)} players passed, {idle:.1%} bought no card for {IDLE_TURNS} turns"
    print(f"{called(*rung)}: {shares}", flush=True)


@ending_in_a_sentence()
def main() -> None:
    """Print each pair, then the ratings."""
    parser = ArgumentParser(prog="bench.ratings", description=__doc__)
    parser.add_argument("title", choices=TITLES)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=positive, default=100)
    parser.add_argument("--jobs", type=positive, default=1)
    parser.add_argument("--seed", default="ratings", help="use different seeds for tuning and for measuring")
    parser.add_argument("--log", type=Path, metavar="FOLDER", help="folder for the results of each game as it ends")
    parser.add_argument("--from", dest="first", choices=STRENGTHS, help="the lowest rung; it needs a rating")
    parser.add_argument("--idle", action="store_true", help="count passes and turns without a purchase instead")
    options = parser.parse_args()
    title = TITLES[options.title]
    ours = [rung for rung in LADDER if rung[0] != YARDSTICK]
    if options.idle:
        for rung in (*ours[1:-1], ("strongest", IDLE_SIMS)):
            count_idle(title, options.seats, rung, options.games, options.jobs)
        return
    home = found(options.seats) if options.title == TITLE and os.environ.get("YARDSTICK") else None
    ladder = list(LADDER if home else ours)
    rating, within = float(LOWEST), 0.0
    if options.first:
        ladder = list(dropwhile(lambda rung: rung[0] != options.first, ladder))
        known = title.ratings.get(options.first, {}).get(options.seats)
        if known is None:
            parser.error(f"{options.first} has no rating yet.")
        rating, within = known
    with served(home) if home else nullcontext():
        for pair in pairwise(ladder):
            above, half = against(title, pair, options)
            rating, within = rating + above, hypot(within, half)
            print(f"{called(*pair[1])}: Rating({rating:.0f}, {within:.0f})", flush=True)


if __name__ == "__main__":
    main()
