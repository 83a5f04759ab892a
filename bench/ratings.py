"""Measures the ratings of the strengths: `python -m bench.ratings splendor --seats 2 --jobs 2`.

Each bot plays the next weaker one, with fixed simulations, and every deal once in every rotation of the seats. With
more than two seats one copy of it plays against several of the weaker bot. The last lines of the output go into
`games/bots/<slug>/ratings.py`; `games/bots/strengths.py` explains the scale.
"""

from argparse import ArgumentParser
from itertools import pairwise
from math import hypot, inf, log10

from games.bots import arena
from games.bots.base import Limited
from games.catalogue import TITLES, Title

Rung = tuple[str, int | None]
LADDER: tuple[Rung, ...] = (
    ("beginner", None),
    ("easy", None),
    ("greedy", None),
    ("medium", None),
    ("hard", None),
    ("strongest", 10_000),
)
"""Each bot should be stronger than the one before, but not so strong that it wins every game."""
ANCHOR = 2, 1000
"""The place of `greedy` on the ladder, and its rating."""


def points(rate: float, seats: int) -> float:
    """The rating, relative to equal opponents, of a player who wins this share of games among that many seats."""
    odds = (seats - 1) * rate / (1 - rate) if rate < 1 else inf
    return 400 * log10(odds) if odds else -inf


def called(name: str, sims: int | None) -> str:
    """The name of the bot for `simulate`."""
    return f"{name}@{sims}" if sims else name


def against(title: Title, seats: int, pair: tuple[Rung, Rung], games: int, jobs: int) -> tuple[float, float]:
    """The rating of the second of the pair relative to the first, and half the width of its 95% confidence
    interval."""
    weaker, stronger = (Limited(title.bot(name), sims) for name, sims in pair)
    bots = [("stronger", stronger), *[("weaker", weaker)] * (seats - 1)]
    tally = arena.Tally()
    games += -games % seats
    for record in arena.series(title.ruleset, bots, games, "ratings", paired=True, jobs=jobs):
        tally.add(record.result)
    rate = float(tally.bots["stronger"]) / tally.decided
    low, high = tally.interval("stronger")
    above, least, most = (points(value, seats) for value in (rate, low, high))
    names = " against ".join(called(*rung) for rung in reversed(pair))
    print(
        f"{names}: {rate:.1%} of {tally.decided} games, 95% interval {low:.1%} to {high:.1%}; "
        f"{above:+.0f} points, {least:+.0f} to {most:+.0f}",
        flush=True,
    )
    return above, max(most - above, above - least)


def main() -> None:
    """Print each pair, then the ratings."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("title", choices=TITLES)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    title = TITLES[options.title]
    links = [against(title, options.seats, pair, options.games, options.jobs) for pair in pairwise(LADDER)]
    place, anchor = ANCHOR
    for number, rung in enumerate(LADDER):
        between = links[number:place] or links[place:number]
        apart = sum(above for above, _ in between) * (1 if number > place else -1)
        print(f"{called(*rung)}: Rating({anchor + apart:.0f}, {hypot(*(within for _, within in between)):.0f})")


if __name__ == "__main__":
    main()
