"""What the page of a finished game says before its board: who won and by what, the standing, how to check the deal."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.templatetags.static import static

from games import wording
from games.models import Game, Seat
from games.services.play import Look, endings, history
from games.services.play.endings import Row
from games.wording.common import Column


@dataclass(frozen=True)
class Result:
    """A finished game, for one reader."""

    headline: str
    how: str
    """How it came to its end, where the headline does not say so."""
    facts: str
    """How long it was, and when it ended."""
    reason: str
    """By what it was decided, empty where it was not played to the end."""
    rows: tuple[Row, ...]
    aim: str
    seed: str
    joined: tuple[str, ...]
    """The names in the order in which they sat down."""
    script: str
    """Where the program lies that checks the deal."""

    @property
    def columns(self) -> list[Column]:
        return [column for column, _count in self.rows[0].counts]

    @property
    def mark(self) -> int | None:
        """The number with which the first of the standing won."""
        return next((count for column, count in self.rows[0].counts if self.reason in column.decides), None)


def build(game: Game, seats: Sequence[Seat], names: Sequence[str], look: Look) -> Result:
    """The game was read with its seats."""
    ending = endings.of(game, seats, names, look)
    return Result(
        headline=ending.headline,
        how=ending.how,
        facts=ending.facts,
        reason=ending.reason,
        rows=ending.rows,
        aim=wording.aim(game.title),
        seed=history.seed(game),
        joined=tuple(name for _pk, name in sorted((seat.pk, name) for seat, name in zip(seats, names, strict=True))),
        script=static("games/check_shuffle.py"),
    )
