"""The picture of Splendor Duel: its board as a game begins."""

from dataclasses import dataclass

from games.boards.gems import GEMS
from games.rules.duel.ruleset import Duel


@dataclass(frozen=True, slots=True)
class Opening:
    spaces: tuple[str, ...]
    """The gem on each space, row by row."""


def opening(seed: bytes) -> Opening:
    """The set-up from a seed of 32 bytes."""
    rules = Duel()
    return Opening(tuple(GEMS[kind] for kind in rules.observe(rules.initial(2, seed), None).board))
