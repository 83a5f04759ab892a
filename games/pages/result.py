"""The result above the board of a finished game: who won and why, the standing, and how to check the shuffle."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.templatetags.static import static

from games import wording
from games.catalogue import TITLES
from games.models import Game, Seat
from games.services.play import Look, endings, history
from games.services.play.endings import Ending
from games.wording.common import Column


@dataclass(frozen=True)
class ResultPage(Ending):
    """The result of a finished game, for one reader."""

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
    return ResultPage(
        **vars(endings.of(game, seats, names, look)),
        aim=wording.aim(game.title),
        seed=history.seed(game),
        joined=tuple(name for _pk, name in sorted((seat.pk, name) for seat, name in zip(seats, names, strict=True))),
        script=static(title.check_script) if title.check_script else "",
    )
