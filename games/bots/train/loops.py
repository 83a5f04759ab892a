"""Compiled loops over the positions to learn from, built for each title as in `games.bots.loops`."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from games.bots.jit import Chance, Floats, Ints, below, jit_for
from games.bots.search import Engine

MOST_HIDDEN = 3
"""The maximum number of cards on the table that `hide` makes unknown in a position."""


class Loops(NamedTuple):
    """The functions for one title; `loops` describes them."""

    encode_all: Callable[[Ints, Floats, Floats], None]
    hide: Callable[[Ints, Floats, Chance], None]


@cache
def loops(engine: Engine) -> Loops:
    """The functions for that title."""
    layout, core, features = engine.layout, engine.core, engine.features

    @jit_for(engine.slug)
    def encode_all(states: Ints, encoded: Floats, illegal: Floats) -> None:
        """Write the features of each of these states, and for each action 1 if it is illegal, else 0."""
        actions = np.empty(layout.ACTIONS, dtype=np.int32)
        illegal[:] = 1.0
        for index in range(len(states)):
            features.encode(states[index], encoded[index])
            for place in range(core.legal(states[index], actions)):
                illegal[index, actions[place]] = 0.0

    @jit_for(engine.slug)
    def hide(states: Ints, policies: Floats, rng: Chance) -> None:
        """Make up to `MOST_HIDDEN` cards on the table unknown, in place, in half of these states: a search leaves the
        places of taken cards empty. Actions about those places get no share of the policy; if they had most of it, the
        whole policy is zero."""
        for index in range(len(states)):
            state, policy = states[index], policies[index]
            if below(rng, 2):
                continue
            for _ in range(1 + below(rng, MOST_HIDDEN)):
                slot = below(rng, layout.SLOTS)
                level = layout.SLOT_LEVEL[slot]
                if state[layout.TABLE + slot] != layout.NONE and state[layout.LEFT + level]:
                    state[layout.DECK_START[level] + state[layout.LEFT + level]] = state[layout.TABLE + slot]
                    state[layout.LEFT + level] += 1
                    state[layout.TABLE + slot] = layout.NONE
                    policy[layout.BUY + slot] = policy[layout.RESERVE + slot] = 0.0
            share = policy.sum()
            policy *= np.float32(1 / share if share > 0.5 else 0)

    return Loops(encode_all, hide)
