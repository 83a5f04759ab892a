"""The result above the board of a finished game: who won and why, the race, the standing, and how to check the
shuffle."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.templatetags.static import static

from games import wording
from games.catalogue import TITLES
from games.models import Game, Seat
from games.pages import race
from games.pages.race import Race
from games.services.play import Look, endings, history
from games.services.play.endings import Ending
from games.services.play.history import Entry
from games.wording import times
from games.wording.title import Column


@dataclass(frozen=True)
class ResultPage(Ending):
    """The result of a finished game, for one reader."""

    decided: str
    """The criterion that decided the game, in a few words; empty if it was not played to its end."""
    aim: str
    race: Race | None
    """`None` if nobody made a decision."""
    spent: tuple[str, ...]
    """The average time of a turn, for each seat; empty if nobody took a minute."""
    seed: str
    joined: tuple[str, ...]
    """The players' names in the order in which they joined."""
    script: str
    """The address of the program that checks the shuffle; empty if the title has none."""

    @property
    def columns(self) -> list[Column]:
        return [column for column, _figure in self.rows[0].counts]

    @property
    def mark(self) -> str | None:
        """The figure with which the first in the standing won."""
        return next((figure for column, figure in self.rows[0].counts if self.reason in column.decides), None)


def build(game: Game, seats: Sequence[Seat], names: Sequence[str], look: Look, entries: Sequence[Entry]) -> ResultPage:
    """The result of the game, which must have been read with its seats. `entries` are all its decisions."""
    title, turns = TITLES[game.title], history.turns(entries)
    ending = endings.of(game, seats, names, look)
    return ResultPage(
        **vars(ending),
        decided=wording.reason(game.title, ending.reason) if ending.reason else "",
        aim=wording.aim(game.title),
        race=race.of(game.title, game.seats, turns) if turns else None,
        spent=_spent(game.seats, turns),
        seed=history.seed(game),
        joined=tuple(name for _pk, name in sorted((seat.pk, name) for seat, name in zip(seats, names, strict=True))),
        script=static(title.check_script) if title.check_script else "",
    )


def _spent(seats: int, turns: Sequence[history.Turn]) -> tuple[str, ...]:
    spent = []
    for seat in range(seats):
        mine = [turn for turn in turns if turn.seat == seat]
        used = (entry.move.time_used or timedelta(0) for turn in mine for entry in turn.entries)
        spent.append(sum(used, timedelta(0)) / max(len(mine), 1))
    return tuple(map(times.left, spent)) if max(spent) >= timedelta(minutes=1) else ()
