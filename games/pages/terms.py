"""The terms of a table: its pace, its clock, and whether its game is rated."""

from typing import Any

from accounts.models import User
from games.models import Game, Rating
from games.services.clocks import running
from games.services.ratings import counting
from games.wording import times


def of(game: Game, reader: object) -> dict[str, Any]:
    """The terms for the template of that name. The game must have been read with its seats. Readers without a rating
    see the rule of fair play at rated tables."""
    rated = counting.is_rated(game, game.seat_set.all())
    return {
        "pace": times.pace(game),
        "expected": times.expected(game),
        "agreed": running.agreed(game),
        "rated": rated,
        "fair_play": rated and not (isinstance(reader, User) and Rating.objects.filter(user=reader).exists()),
    }
