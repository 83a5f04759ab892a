"""The result above the board of a finished game: who won and why, the standing, and how to check the shuffle."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.templatetags.static import static

from games import wording
from games.catalogue import TITLES
from games.models import Game, Seat
from games.services.play import Look, endings, history
from games.services.play.endings import StandingRow
from games.wording.common import Column


@dataclass(frozen=True)
class ResultPage:
    """The result of a finished game, for one reader."""

    headline: str
    how: str
    """Who resigned or was away too long; empty if nobody was."""
    facts: str
    """The number of moves, the duration and the date of the end."""
    reason: str
    """What decided the game, as a code; empty if it was not played to the end."""
    rows: tuple[StandingRow, ...]
    aim: str
    seed: str
    joined: tuple[str, ...]
    """The players' names in the order in which they joined."""
    script: str
    """The address of the program that checks the shuffle; empty if the title has none."""

    @property
    def columns(self) -> list[Column]:
        return [column for column, _count in self.rows[0].counts]

    @property
    def mark(self) -> int | None:
        """The figure with which the first in the standing won."""
        return next((count for column, count in self.rows[0].counts if self.reason in column.decides), None)


def build(game: Game, seats: Sequence[Seat], names: Sequence[str], look: Look) -> ResultPage:
    """The result of the game, which must have been read with its seats."""
    title = TITLES[game.title]
    ending = endings.of(game, seats, names, look)
    return ResultPage(
        headline=ending.headline,
        how=ending.how,
        facts=ending.facts,
        reason=ending.reason,
        rows=ending.rows,
        aim=wording.aim(game.title),
        seed=history.seed(game),
        joined=tuple(name for _pk, name in sorted((seat.pk, name) for seat, name in zip(seats, names, strict=True))),
        script=static(title.check_script) if title.check_script else "",
    )
