"""How strong a bot people may wish for: the only list of them, weakest first. What each is like is said to them by the
form for a new table.

A rating is measured for each title and number of seats, on a scale of its own on which the bot `greedy` has 1000: each
strength plays its neighbours, at fixed simulations, 100 paired games or more. Who wins the share p of them is
400 · log₁₀(p / (1 - p)) points above the other, as Elo has it. `docs/bots.md` names the commands.
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


STRENGTHS = (Strength("easy"), Strength("medium"), Strength("strongest"))
USUAL = "medium"
"""What is proposed."""
