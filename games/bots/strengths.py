"""The strengths that people can choose, weakest first; this is the only list. The form for a new table describes them.

A rating is measured for each title and number of seats, on its own scale, on which the bot `greedy` has 1000. On a
ladder of bots each plays the next weaker one, with fixed simulations, in 100 paired games or more (`python -m
bench.ratings`). A bot that wins the share p of the games among n seats is 400 · log₁₀((n - 1) · p / (1 - p)) points
above the others, as in Elo's formula for two.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Rating(NamedTuple):
    """Points on Elo's scale, and half the width of their 95 % confidence interval."""

    points: int
    interval: int


@dataclass(frozen=True, slots=True)
class Strength:
    """The name of a strength, and its measured ratings by title and number of seats."""

    name: str
    ratings: Mapping[tuple[str, int], Rating] = field(default_factory=dict)


STRENGTHS = (
    Strength(
        "beginner",
        {
            ("splendor", 2): Rating(800, 79),
            ("splendor", 3): Rating(789, 69),
            ("splendor", 4): Rating(816, 68),
            ("duel", 2): Rating(827, 76),
        },
    ),
    Strength("easy"),
    Strength(
        "medium",
        {
            ("splendor", 2): Rating(1191, 78),
            ("splendor", 3): Rating(1076, 68),
            ("splendor", 4): Rating(1022, 76),
            ("duel", 2): Rating(1275, 90),
        },
    ),
    Strength("hard"),
    Strength(
        "strongest",
        {
            ("splendor", 2): Rating(1707, 147),
            ("splendor", 3): Rating(1491, 119),
            ("splendor", 4): Rating(1354, 129),
            ("duel", 2): Rating(2133, 204),
        },
    ),
)
USUAL = "medium"
"""The strength that the form proposes."""
