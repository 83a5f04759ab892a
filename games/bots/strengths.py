"""How strong a bot people may wish for: the only list of them, weakest first. What each is like is said to them by the
form for a new table.

A rating is measured for each title and number of seats, on a scale of its own on which the bot `greedy` has 1000: on a
ladder of bots each plays the next weaker one, at fixed simulations, 100 paired games or more
(`python -m bench.ratings`). Who wins the share p of the games among n seats is 400 · log₁₀((n - 1) · p / (1 - p))
points above the others, as Elo has it for two.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Rating(NamedTuple):
    """Points on Elo's scale; with 95 % confidence the true ones are so far away at most."""

    points: int
    interval: int


@dataclass(frozen=True, slots=True)
class Strength:
    """The name of a bot, and how strong it was found to be, by title and number of seats."""

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
"""What is proposed."""
