"""The points of a game as lines of a chart: round by round for the result, move by move for looking back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from games import wording
from games.services.play.history import Turn
from games.wording.title import Track

GAP = 1.4
"""The distance between the lines of seats with the same number of points."""
LABEL_HEIGHT = 21
MARK_RADIUS = 10
HEADROOM = 2
"""The points by which a chart is higher than its goal."""
FEW_ROUNDS, MANY_ROUNDS = 6, 30


class Size(NamedTuple):
    """The size of a chart, and the margins around its lines."""

    name: str
    width: int
    height: int
    right: int
    left: int = 26
    top: int = 14
    bottom: int = 26


WIDE, NARROW = Size("wide", 640, 300, 134), Size("narrow", 316, 236, 104)


class Line(NamedTuple):
    """The line of a seat, and the place of its label."""

    seat: int
    path: str
    label: int
    points: int


class Mark(NamedTuple):
    """An event at a line."""

    x: int
    y: int


class Tick(NamedTuple):
    at: float
    number: int


@dataclass(frozen=True)
class Chart:
    """The drawn lines, in the units of the chart's size."""

    size: Size
    end: float
    """The right end of the lines."""
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    levels: tuple[Tick, ...]
    """Numbers of points, at their heights."""
    rounds: tuple[Tick, ...]
    last: float
    """The beginning of the last round."""


@dataclass(frozen=True)
class Race:
    """The points of each seat after every round, the first of which is round 0."""

    points: tuple[tuple[int, ...], ...]
    visits: tuple[tuple[int, int], ...]
    """The events that the chart marks, as pairs of seat and round."""
    track: Track

    @property
    def rounds(self) -> range:
        return range(1, len(self.points[0]))

    @property
    def charts(self) -> tuple[Chart, Chart]:
        return self._chart(WIDE), self._chart(NARROW)

    def _chart(self, size: Size) -> Chart:
        rounds, seats = len(self.rounds), len(self.points)
        top = max(self.track.goal, *map(max, self.points)) + HEADROOM
        end, base = size.width - size.right, size.height - size.bottom

        def x(number: int) -> float:
            return round(size.left + (end - size.left) * number / rounds, 1)

        def y(points: float, seat: float | None = None) -> float:
            aside = 0 if seat is None else (seat - (seats - 1) / 2) * GAP
            return round(base - (base - size.top) * points / top + aside, 1)

        heights = [y(points[-1], seat) for seat, points in enumerate(self.points)]
        labels = apart(heights, size.top, base)
        lines = (
            Line(seat, steps([(x(at), y(count, seat)) for at, count in enumerate(points)]), labels[seat], points[-1])
            for seat, points in enumerate(self.points)
        )
        marks: list[Mark] = []
        for seat, at in self.visits:
            place = Mark(round(x(at)), round(y((self.points[seat][at - 1] + self.points[seat][at]) / 2, seat)))
            while any(abs(place.x - other.x) + abs(place.y - other.y) < MARK_RADIUS for other in marks):
                place = Mark(place.x - 2 * MARK_RADIUS, place.y)
            marks.append(place)
        step = 1 if rounds < FEW_ROUNDS else 5 if rounds <= MANY_ROUNDS else 10
        return Chart(
            size,
            end,
            tuple(lines),
            tuple(marks),
            tuple(Tick(y(points), points) for points in range(0, top - HEADROOM + 1, 5)),
            tuple(Tick(x(number), number) for number in range(0, rounds + 1, step)),
            x(rounds - 1),
        )


def of(title: str, seats: int, turns: Sequence[Turn]) -> Race:
    """The race of a game of that title, from all its turns."""
    track = wording.track(title)
    gained = [[0] * (turns[-1].round + 1) for _seat in range(seats)]
    visits = []
    for turn in turns:
        gained[turn.seat][turn.round] += sum(entry.move.points for entry in turn.entries)
        codes = [event.code for entry in turn.entries for event in entry.events]
        if track.mark in codes:
            visits.append((turn.seat, turn.round))
    return Race(tuple(tuple(accumulate(points)) for points in gained), tuple(visits), track)


@dataclass(frozen=True)
class Scale:
    """The points of each seat after every move, drawn along a slider; a unit is a move wide."""

    height: int
    paths: tuple[str, ...]
    rounds: tuple[int, ...]
    """The number of moves before each round."""


def scale(title: str, seats: int, turns: Sequence[Turn]) -> Scale:
    """The scale of a game of that title, from all its turns."""
    moves = [entry.move for turn in turns for entry in turn.entries]
    points = [[0, *accumulate(move.points if move.seat == seat else 0 for move in moves)] for seat in range(seats)]
    height = max(wording.track(title).goal, *map(max, points))
    paths = tuple(steps([(at, height - count) for at, count in enumerate(line)]) for line in points)
    begins = {turn.round: turn.entries[0].move.number for turn in reversed(turns)}
    return Scale(height, paths, tuple(sorted(begins.values())))


def steps(places: Sequence[tuple[float, float]]) -> str:
    """A path through these places, horizontal before each change of height."""
    (x, y), *rest = places
    path = [f"M{x:g} {y:g}"]
    for at, height in rest:
        if height != y:
            path.append(f"H{at:g}V{height:g}")
            y = height
    return "".join((*path, f"H{places[-1][0]:g}"))


def apart(heights: Iterable[float], top: float, bottom: float) -> list[int]:
    """Places for labels near these heights that lie within the bounds and do not overlap."""
    wanted = sorted((height, index) for index, height in enumerate(heights))
    places: dict[int, float] = {}
    lowest = top
    for height, index in wanted:
        places[index] = lowest = max(height, lowest)
        lowest += LABEL_HEIGHT
    highest = bottom
    for _height, index in reversed(wanted):
        places[index] = highest = min(places[index], highest)
        highest -= LABEL_HEIGHT
    return [round(places[index]) for index in range(len(wanted))]
