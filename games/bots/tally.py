"""The totals of games: victories, lengths, times and simulations."""

from array import array
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat
from math import sqrt
from typing import NamedTuple

from games.bots.arena import MatchResult

Z = 1.959964
"""The standard score of 95% confidence."""


class Thinking(NamedTuple):
    """Seconds per decision: the mean, the 95th percentile and the maximum."""

    mean: float
    p95: float
    longest: float


class Score(NamedTuple):
    """Games won alone, won with others, and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0


@dataclass
class Tally:
    """The totals of the games counted so far. A shared victory splits one credit among its winners."""

    lengths: list[int] = field(default_factory=list)
    """The number of decisions of each game."""
    finished: int = 0
    violations: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    """Games forfeited, by name of the bot."""
    seats: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Credits by seat."""
    bots: defaultdict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Credits by name of the bot."""
    scores: defaultdict[tuple[int, int], Score] = field(default_factory=lambda: defaultdict(Score))
    """Scores by the number of the bot in its series, and by seat."""
    seconds: defaultdict[str, "array[float]"] = field(default_factory=lambda: defaultdict(lambda: array("d")))
    """The time of each decision in seconds, by name of the bot."""
    sims: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """The number of simulations for each decision that reports it, by name of the bot."""
    simulating: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """The total time of these decisions in seconds, by name of the bot."""

    def add(self, result: MatchResult) -> None:
        """Count one more game."""
        self.lengths.append(result.plies)
        self.violations += result.violation
        self.finished += bool(result.scores)
        if result.forfeiter is not None:
            self.forfeits[result.bots[result.forfeiter]] += 1
        winners = result.winners
        for seat in winners:
            self.seats[seat] += Fraction(1, len(winners))
            self.bots[result.bots[seat]] += Fraction(1, len(winners))
        if winners:
            for seat, entrant in enumerate(result.entrants):
                place = 2 if seat not in winners else len(winners) > 1
                score = self.scores[entrant, seat]
                self.scores[entrant, seat] = Score(*(count + (index == place) for index, count in enumerate(score)))
        for name, seconds, sims in zip(result.bots, result.seconds, result.sims or repeat(()), strict=False):
            self.seconds[name].extend(seconds)
            for took, count in zip(seconds, sims, strict=False):
                if count is not None:
                    self.sims[name].append(count)
                    self.simulating[name] += took

    @property
    def decided(self) -> int:
        """The number of games with a winner."""
        return self.finished + self.forfeits.total()

    @property
    def unfinished(self) -> int:
        """The number of games that were cut off."""
        return len(self.lengths) - self.decided - self.violations

    def interval(self, name: str) -> tuple[float, float]:
        """The interval that contains the bot's true rate of victory with 95% confidence."""
        return wilson(float(self.bots[name]), self.decided)

    def thinking(self, name: str) -> Thinking:
        """The bot's times; all are 0 if it made no decision."""
        seconds = sorted(self.seconds[name]) or [0.0]
        return Thinking(sum(seconds) / len(seconds), seconds[-(-len(seconds) * 95 // 100) - 1], seconds[-1])

    def score(self, entrant: int) -> Score:
        """The score of the bot with that number over all seats."""
        scores = [score for (number, _), score in self.scores.items() if number == entrant]
        return Score(*map(sum, zip(*scores, strict=True))) if scores else Score()

    def simulated(self, name: str) -> tuple[float, float] | None:
        """How many simulations the bot made per decision and per second; `None` if it does not count them."""
        if not self.sims[name]:
            return None
        whole = sum(self.sims[name])
        return whole / len(self.sims[name]), whole / max(self.simulating[name], 1e-9)


def wilson(credit: float, games: int) -> tuple[float, float]:
    """Wilson's score interval with 95% confidence for the rate of victory, given the credit from that many games."""
    if not games:
        return 0.0, 1.0
    rate, square = credit / games, Z * Z / games
    centre, width = rate + square / 2, Z * sqrt(rate * (1 - rate) / games + square / games / 4)
    return max(0.0, (centre - width) / (1 + square)), min(1.0, (centre + width) / (1 + square))
