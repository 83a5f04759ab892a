"""Exchanges the colours of positions, so that a network can learn from one position as from five.

The rules treat the five colours alike, and the cards nearly so: if each colour becomes the next one in the usual order,
most cards become other cards, and all nobles become other nobles.
"""

from collections.abc import Iterable

import numpy as np

from games.bots.jit import Ints

NCOLOURS = 5


def turned(size: int, runs: Iterable[int], turn: int) -> Ints:
    """An index that moves each of the five colours `turn` places on, in an array of `size` numbers. `runs` are the
    places of the first colour."""
    order = np.arange(size, dtype=np.int32)
    for first in runs:
        order[first : first + NCOLOURS] = first + np.roll(np.arange(NCOLOURS), turn)
    return order
