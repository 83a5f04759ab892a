"""What is done with the cores of all titles alike, compiled."""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from games.bots.jit import Chance, Floats, Ints, below, jit

Function = TypeVar("Function", bound=Callable[..., Any])


class Loops(NamedTuple):
    """The functions for one title."""

    visit: Callable[[Ints, Ints, Ints, Ints, int, Ints, Ints, Ints, Floats, Floats], None]
    playouts: Callable[[Ints, Chance, int, Floats], int]
    encode_all: Callable[[Ints, Floats, Floats], None]


@cache
def loops(slug: str, layout: ModuleType, core: ModuleType, features: ModuleType) -> Loops:
    """The functions for the title of that layout, core and features. What is compiled can be kept on disk because they
    come as modules, which have names, and not as functions."""

    def compiled(function: Function) -> Function:
        """With a file of its own on disk: else those of two titles might be taken for each other."""
        function.__qualname__ = f"{slug}.{function.__name__}"
        return cast(Function, jit(function))

    @compiled
    def visit(
        roots: Ints, trees: Ints, paths: Ints, depths: Ints, count: int, states: Ints, widths: Ints, actions: Ints,
        shares: Floats, encoded: Floats,
    ) -> None:  # fmt: skip
        """Follow `count` paths of actions from the roots of their trees, and write for each leaf its state, how many
        legal actions it has and which; the features of one where the game goes on, the result of one where it is
        over."""
        for leaf in range(count):
            state = states[leaf]
            state[:] = roots[trees[leaf]]
            for depth in range(depths[leaf]):
                core.step(state, paths[leaf, depth])
            widths[leaf] = core.legal(state, actions[leaf])
            if widths[leaf]:
                features.encode(state, encoded[leaf])
            else:
                core.result(state, shares[leaf])

    @compiled
    def playouts(states: Ints, rng: Chance, longest: int, shares: Floats) -> int:
        """Play random actions from each of these states to the end, in place, and write its result; return how many
        they were in all. A game not over after `longest` counts as shared by all."""
        actions = np.empty(layout.ACTIONS, dtype=np.int32)
        played = 0
        for index in range(len(states)):
            state = states[index]
            shares[index] = 1 / state[layout.SEATS]
            for _ in range(longest):
                count = core.legal(state, actions)
                if count == 0:
                    core.result(state, shares[index])
                    break
                core.step(state, actions[below(rng, count)])
                played += 1
        return played

    @compiled
    def encode_all(states: Ints, encoded: Floats, illegal: Floats) -> None:
        """Write the features of each of these states, and for each action 1 if it is not legal, else 0."""
        actions = np.empty(layout.ACTIONS, dtype=np.int32)
        illegal[:] = 1.0
        for index in range(len(states)):
            features.encode(states[index], encoded[index])
            for place in range(core.legal(states[index], actions)):
                illegal[index, actions[place]] = 0.0

    return Loops(visit, playouts, encode_all)
