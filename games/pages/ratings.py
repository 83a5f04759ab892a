"""The pages of ratings: the reader's own, their history as a chart, and the leaderboards."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import NamedTuple

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Pool, Rating, RatingChange
from games.services.clocks.moment import now
from games.services.ratings import counting, model
from games.services.ratings.counting import Change

LISTED = 100
"""The number of people on a leaderboard."""
SHOWN = 100
"""The number of the reader's last games in the chart."""
ACTIVE = timedelta(days=90)
"""How long somebody stays on a leaderboard after a rated game."""
STEP, FEWEST_STEPS = 100, 2
"""Points between the lines of a chart, and the least height of a chart in these steps."""


class Size(NamedTuple):
    """The size of a chart, and the margins around its lines."""

    name: str
    width: int
    height: int
    left: int = 46
    top: int = 10
    right: int = 8
    bottom: int = 10


SIZES = Size("wide", 640, 220), Size("narrow", 316, 190)


class Level(NamedTuple):
    """A number of points, at its height."""

    at: float
    points: int


@dataclass(frozen=True)
class Curve:
    """Ratings over time with their uncertainty, in the units of the size."""

    size: Size
    path: str
    band: str
    levels: tuple[Level, ...]


def curve(ratings: Sequence[tuple[float, float]], size: Size) -> Curve:
    """The curve of these ratings, the oldest first, each with its uncertainty; there are at least two."""
    low = min(points - spread for points, spread in ratings) // STEP * STEP
    high = -(max(points + spread for points, spread in ratings) // -STEP) * STEP
    high = max(high, low + FEWEST_STEPS * STEP)
    end, base = size.width - size.right, size.height - size.bottom

    def place(at: int, points: float) -> str:
        x = size.left + (end - size.left) * at / (len(ratings) - 1)
        return f"{x:.1f} {y(points):.1f}"

    def y(points: float) -> float:
        return base - (base - size.top) * (points - low) / (high - low)

    above = [place(at, points + spread) for at, (points, spread) in enumerate(ratings)]
    below = [place(at, points - spread) for at, (points, spread) in enumerate(ratings)]
    return Curve(
        size,
        "M" + "L".join(place(at, points) for at, (points, _spread) in enumerate(ratings)),
        "M" + "L".join([*above, *reversed(below)]) + "z",
        tuple(Level(round(y(points), 1), points) for points in range(int(low), int(high) + 1, STEP)),
    )


@dataclass(frozen=True)
class Step:
    """A rated game in the reader's history."""

    game: Game
    change: Change
    weight: int
    """The share of the change that counted, in percent."""


class Row(NamedTuple):
    """A person on a leaderboard."""

    rank: int
    user: User
    rating: Rating


@dataclass(frozen=True)
class Board:
    """The ratings of a title and a number of seats, with or without bots."""

    title: str
    seats: int
    bots: bool
    reader: User

    @cached_property
    def pool(self) -> Pool | None:
        return Pool.objects.filter(title=self.title, seats=self.seats, bots=self.bots).first()

    @cached_property
    def rows(self) -> list[Row]:
        """The best of those whose rating is not provisional, who have played lately and who want to be listed."""
        known = Rating.objects.filter(pool=self.pool, uncertainty__lte=model.SMALL, played_at__gt=now() - ACTIVE)
        listed = known.filter(user__is_active=True, user__in_leaderboards=True).select_related("user")
        best = listed.order_by("-points", "pk")[:LISTED]
        return [Row(rank, rating.user, rating) for rank, rating in enumerate(best, start=1)]

    @cached_property
    def mine(self) -> Rating | None:
        return Rating.objects.filter(pool=self.pool, user=self.reader).first()

    @cached_property
    def _changes(self) -> list[RatingChange]:
        """The reader's last changes, the newest first."""
        mine = RatingChange.objects.filter(pool=self.pool, seat__user=self.reader, seat__ended_at__isnull=False)
        return list(mine.select_related("seat__game").order_by("-seat__ended_at", "-seat__game")[:SHOWN])

    @property
    def steps(self) -> list[Step]:
        return [Step(row.seat.game, counting.change(row), round(row.weight * 100)) for row in self._changes]

    @property
    def curves(self) -> list[Curve]:
        """The chart in each size; none before the second game."""
        ratings = [(row.points, row.uncertainty) for row in reversed(self._changes)]
        return [curve(ratings, size) for size in SIZES] if len(ratings) > 1 else []


def kinds() -> list[tuple[str, int]]:
    """Each title with each number of seats."""
    return [(slug, seats) for slug, title in TITLES.items() for seats in title.ruleset.seats]


def of(user: User) -> list[Rating]:
    """All ratings of the user."""
    mine = Rating.objects.filter(user=user).select_related("pool")
    return list(mine.order_by("pool__bots", "pool__title", "pool__seats"))
