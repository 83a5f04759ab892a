"""Proposes ratings of bots from their games against people with a rating that is not provisional."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import exp, sqrt
from typing import NamedTuple

from games.bots import strengths
from games.models import Rating, RatingChange, Seat
from games.services.ratings import counting, model

Z = 1.96
"""Standard deviations on each side in 95% of the cases."""
FEWEST = 20
"""Fewer duels say nothing."""


class Proposal(NamedTuple):
    """A proposed rating of a bot."""

    title: str
    seats: int
    bot: str
    rating: strengths.Rating
    duels: int
    """How many times it was compared with a person at its table."""


Duel = tuple[float, float]
"""The rating of a person, and whether the bot was better (1), or worse (0), or equal (0.5)."""


def propose() -> Iterator[Proposal]:
    """The ratings that explain best how often each bot was better than each person, by Elo's formula."""
    known = {
        (rating.pool.title, rating.pool.seats, rating.user_id): rating.points
        for rating in Rating.objects.filter(pool__bots=False, uncertainty__lte=model.SMALL).select_related("pool")
    }
    duels = defaultdict[tuple[str, int, str], list[Duel]](list)
    counted = RatingChange.objects.filter(pool__bots=True, seat__game__rated=True).values("seat__game")
    tables = defaultdict[int, list[Seat]](list)
    for seat in Seat.objects.filter(game__in=counted).select_related("game").order_by("game", "index"):
        tables[seat.game_id].append(seat)
    for seats in tables.values():
        game = seats[0].game
        ranks = dict(zip(seats, counting.ranks(seats), strict=True))
        for bot in (seat for seat in seats if seat.bot):
            for person in (seat for seat in seats if seat.user_id):
                points = known.get((game.title, game.seats, person.user_id or 0))
                if points is not None:
                    won = (1 + (ranks[bot] < ranks[person]) - (ranks[bot] > ranks[person])) / 2
                    duels[game.title, game.seats, bot.bot].append((points, won))
    for (title, number, name), results in sorted(duels.items()):
        if len(results) >= FEWEST:
            yield Proposal(title, number, name, _fitted(results), len(results))


def _fitted(duels: Sequence[Duel]) -> strengths.Rating:
    """The most probable rating, by Newton's method; everybody's start counts as a first guess."""
    points, prior = model.START, 1 / (2 * model.SPREAD) ** 2
    for _step in range(50):
        chances = [1 / (1 + exp((person - points) / model.SCALE)) for person, _won in duels]
        pull = sum(won - chance for (_person, won), chance in zip(duels, chances, strict=True)) / model.SCALE
        bend = prior + sum(chance * (1 - chance) for chance in chances) / model.SCALE**2
        points += (pull - (points - model.START) * prior) / bend / 2
    return strengths.Rating(round(points), round(Z / sqrt(bend)))
