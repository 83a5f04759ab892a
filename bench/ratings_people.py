"""Measures how well ratings order people: `python -m bench.ratings_people`.

People with known strengths, normal on Elo's scale, play 30 games each against random opponents, by the model of
Plackett and Luce. The command prints how well the ratings rank them (Spearman, median of the seeds), beside a ceiling:
the most probable strengths if all games are known at once, together with the distribution of the strengths. Then it
prints by how much of the ranks somebody rises if a friend gives them 200 games.
"""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log
from random import Random
from statistics import median

import numpy as np

from games.services.ratings.model import NEW, SCALE, Rating, rated

PEOPLE = 200
GAMES = 30
GIFTS = 200
BEFORE = 60
"""The number of games that everybody has played before the gifts: by then no rating is provisional."""
Table = tuple[int, ...]
"""The people at a table, best first."""


def main() -> None:
    """Print the table, then the effect of gifts."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    seeds = range(parser.parse_args().seeds)
    print("seats  spread   ratings  ceiling  uncertainty")
    for seats in (2, 3, 4):
        for spread in (200, 100):
            runs = [ranking(seats, spread, seed) for seed in seeds]
            ours, best, uncertainty = (median(column) for column in zip(*runs, strict=True))
            print(f"{seats:5}  {spread:6}   {ours:7.3f}  {best:7.3f}  {uncertainty:11.0f}", flush=True)
    rises = [rise for seed in seeds for rise in gifts(seed)]
    print(f"{GIFTS} games given away: {median(rises):.1%} of the ranks in the median, {max(rises):.1%} at most")


def strengths(spread: float, rng: Random) -> list[float]:
    """The true strengths of everybody."""
    return [rng.gauss(0, spread) for _person in range(PEOPLE)]


def tables(true: Sequence[float], seats: int, games: int, rng: Random) -> list[Table]:
    """The results of games in which everybody sits that many times, with random opponents."""
    results, waiting = [], list[int]()
    for _round in range(games):
        drawn = list(range(len(true)))
        rng.shuffle(drawn)
        waiting += drawn
        while len(waiting) >= seats:
            sitting, waiting = waiting[:seats], waiting[seats:]
            if len(set(sitting)) == seats:
                shown = {person: true[person] / SCALE - log(-log(rng.random())) for person in sitting}
                results.append(tuple(sorted(sitting, key=lambda person: -shown[person])))
    return results


def ratings(results: Iterable[Table]) -> list[Rating]:
    """Everybody's rating after these games. With random opponents, hardly anybody meets the same one often."""
    now = [NEW] * PEOPLE
    for table in results:
        places = range(len(table))
        moved = rated([now[person] for person in table], places, [[()] * (len(table) - 1)] * len(table))
        for person, after in zip(table, moved, strict=True):
            now[person] = after.rating
    return now


def most_probable(results: Sequence[Table], spread: float) -> list[float]:
    """The strengths that are most probable after these games, by Newton's method."""
    order, strength, prior = np.array(results), np.zeros(PEOPLE), (SCALE / spread) ** 2
    for _step in range(300):
        slope, bend = -strength * prior, np.full(PEOPLE, prior)
        for place in range(order.shape[1] - 1):
            left = order[:, place:]
            share = np.exp(strength[left])
            share /= share.sum(axis=1, keepdims=True)
            np.add.at(slope, left[:, 0], 1.0)
            np.add.at(slope, left, -share)
            np.add.at(bend, left, share * (1 - share))
        step = slope / bend / 2
        strength += step
        if np.abs(step).max() < 1e-4:
            break
    return [float(value) for value in strength]


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """How alike two orders are, from -1 to 1."""
    return float(np.corrcoef(np.argsort(np.argsort(one)), np.argsort(np.argsort(other)))[0, 1])


def ranking(seats: int, spread: float, seed: int) -> tuple[float, float, float]:
    """The orders of the ratings and of the ceiling, compared with the true one, and the mean uncertainty."""
    rng = Random(seed)
    true = strengths(spread, rng)
    results = tables(true, seats, GAMES, rng)
    found = ratings(results)
    points, uncertainty = [rating.points for rating in found], [rating.uncertainty for rating in found]
    return spearman(points, true), spearman(most_probable(results, spread), true), sum(uncertainty) / PEOPLE


def gifts(seed: int) -> list[float]:
    """The share of the ranks by which each of some people rises if a friend loses 200 games to them in a month. The
    friend is the next better player, or the best, who gives most."""
    rng = Random(seed)
    found = ratings(tables(strengths(200, rng), 2, BEFORE, rng))
    order = sorted(range(PEOPLE), key=lambda person: -found[person].points)
    pairs = [*((mine, friend) for friend, mine in pairwise(order)), *((mine, order[0]) for mine in order[1:])]
    return [_rise(found, *pair) for pair in pairs[:: PEOPLE // 40]]


def _rise(found: Sequence[Rating], mine: int, friend: int) -> float:
    pair, won, lost = [found[mine], found[friend]], list[float](), list[float]()
    for _game in range(GIFTS):
        after = [moved.rating for moved in rated(pair, (0, 1), [[won], [lost]])]
        for changes, old, new in zip((won, lost), pair, after, strict=True):
            changes.append(new.points - old.points)
        pair = after
    others = [rating.points for person, rating in enumerate(found) if person not in (mine, friend)]
    return sum(found[mine].points < points <= pair[0].points for points in others) / PEOPLE


if __name__ == "__main__":
    main()
