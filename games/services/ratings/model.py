"""The arithmetic of ratings. [docs/ratings.md](../../../docs/ratings.md) explains model and parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from math import log, sqrt

from openskill.models import PlackettLuce

START = 1000.0
"""The rating of a new player: that of the bot `greedy`, so that people and bots share a scale."""
SPREAD = 200.0
"""The uncertainty of a new player's rating."""
DRIFT = 4.0
"""How far a player's strength may move between two games."""
SCALE = 400 / log(10)
"""Points for each factor e of the odds, as in Elo's formula."""
SMALL = 75.0
"""A rating is provisional while its uncertainty is greater."""
WINDOW = timedelta(days=30)
"""How long a game counts as a recent one against the same opponents."""
FULL = 3
"""The number of recent games against the same opponent that count fully."""
SHARE = 0.2
"""One opponent moves a rating by no more than this share of its uncertainty in that time."""


@dataclass(frozen=True)
class Rating:
    """A rating with its uncertainty, one standard deviation."""

    points: float
    uncertainty: float


NEW = Rating(START, SPREAD)


@dataclass(frozen=True)
class Rated:
    """A rating after a game, and the weight of the game."""

    rating: Rating
    weight: float


def rated(before: Sequence[Rating], ranks: Sequence[int], recent: Sequence[Sequence[Sequence[float]]]) -> list[Rated]:
    """The ratings after a game, by seat. Lower ranks are better, and equal ones tie. `recent` has for each seat, and
    for each person among its opponents, the changes by the recent games against that person."""
    model = _model(len(before))
    teams = [[model.create_rating([rating.points, rating.uncertainty])] for rating in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [
        _moved(old, Rating(new.mu, new.sigma), against)
        for old, (new,), against in zip(before, after, recent, strict=True)
    ]


def weight(games: int) -> float:
    """The weight of the next game after that many recent ones against the same opponent: a half after three, then a
    quarter, and so on."""
    return 0.5 ** max(0, games - FULL + 1)


def _moved(old: Rating, new: Rating, recent: Sequence[Sequence[float]]) -> Rated:
    """The new rating if the game has its weight, and no opponent moves it too far."""
    share = sum(weight(len(changes)) for changes in recent) / len(recent) if recent else 1.0
    change, most = share * (new.points - old.points), SHARE * old.uncertainty
    for changes in recent:
        moved = sum(changes)
        change = min(change, max(0.0, most - moved)) if change > 0 else max(change, min(0.0, -most - moved))
    spread = sqrt(old.uncertainty**2 + share * (new.uncertainty**2 - old.uncertainty**2))
    return Rated(Rating(old.points + change, spread), share)


@cache
def _model(seats: int) -> PlackettLuce:
    """With this β the odds between two seats are those of Elo's formula, whatever the number of seats."""
    return PlackettLuce(mu=START, sigma=SPREAD, beta=SCALE / sqrt(seats), tau=DRIFT, gamma=_whole)


def _whole(*_facts: object) -> float:
    """The whole information of a game counts; the library's default would learn more slowly."""
    return 1.0
