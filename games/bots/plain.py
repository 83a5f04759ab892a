"""The simplest evaluation: the result of random play to the end."""

from random import Random

import numpy as np

from games.bots.graph import Leaves
from games.bots.jit import Floats, chance
from games.bots.search import Engine, Evaluate

MAX_PLAYOUT_ACTIONS = 300
"""The number of actions after which a game ends as a victory shared by all."""


def playouts(engine: Engine, seats: int, rng: Random) -> Evaluate:
    """Evaluate each leaf by one random game; all actions have the same prior."""
    source = chance(rng.getrandbits(62))
    actions = engine.shape(seats).actions

    def evaluate(leaves: Leaves, count: int) -> tuple[Floats, Floats]:
        movers, states = leaves.states[:count, engine.layout.TO_ACT], leaves.states[:count].copy()
        for state, mover in zip(states, movers, strict=True):
            engine.core.deal(state, mover, source)
        engine.loops.playouts(states, source, MAX_PLAYOUT_ACTIONS, leaves.shares)
        from_mover = (movers[:, None] + np.arange(seats)) % seats
        values = np.take_along_axis(leaves.shares[:count], from_mover, axis=1)
        return np.zeros((count, actions), dtype=np.float32), values

    return evaluate
