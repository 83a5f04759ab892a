"""The strengths that people can choose, weakest first; this is the only list. The form for a new table describes them.

A rating is measured for each title and number of seats (`games/bots/<slug>/ratings.py`), on its own scale, on which the
bot `greedy` has 1000. On a ladder of bots each plays the next weaker one, with fixed simulations, in 100 paired games
or more (`python -m bench.ratings`). A bot that wins the share p of the games among n seats is
400 · log₁₀((n - 1) · p / (1 - p)) points above the others, as in Elo's formula for two.
"""

from typing import NamedTuple


class Rating(NamedTuple):
    """Points on Elo's scale, and how far from them their 95% confidence interval reaches on its longer side."""

    points: int
    interval: int


class Strength(NamedTuple):
    """The needs of a bot for one decision."""

    quick: bool
    """Whether it takes less than a second."""
    compiled: bool
    """Whether it needs the compiled core of its title."""


STRENGTHS = {
    "beginner": Strength(quick=True, compiled=True),
    "easy": Strength(quick=True, compiled=True),
    "medium": Strength(quick=True, compiled=True),
    "hard": Strength(quick=True, compiled=True),
    "strongest": Strength(quick=False, compiled=True),
}
OTHERS = {name: Strength(quick=True, compiled=False) for name in ("random", "greedy")}
"""The bots of every title that people cannot choose; they stand in for others."""
USUAL = "medium"
"""The strength that the form proposes."""
