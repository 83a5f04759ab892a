"""Bots that decide at first sight: by a network without a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.bots.graph import empty_leaves
from games.bots.search import Engine, Evaluator, worlds
from games.rules.base import Action

BUY = "buy"
"""The word of the action that buys a card, in every title."""


@dataclass(frozen=True)
class Instinct(Bot[Any]):
    """Draws one of the actions that seem good at first sight, each with the same chance."""

    engine: Engine
    evaluator: Evaluator
    share: float = 1.0
    """An action seems good if its prior is at least this share of the highest one."""
    eager: bool = False
    """Whether it buys a card whenever it can."""

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        buys = [action for action in legal if action.word == BUY]
        considered = buys if self.eager and buys else legal
        paths = {tuple(self.engine.observed.path(seen, action)): action for action in considered}
        seats, core = len(seen.players), self.engine.core
        shape, size = self.engine.shape(seats), self.engine.layout.SIZE_OF_STATE
        evaluate = self.evaluator(self.engine, seats, rng)
        leaf = empty_leaves(1, size, shape.actions, seats, shape.features)
        leaf.states[:] = worlds(self.engine, seen, 1, rng)
        left, depth = list(paths), 0
        while len(left) > 1:
            # A network that reads more than the position, as the yardstick's does, finds the way to it here.
            leaf.nodes[0] = leaf.path[0, depth] = leaf.depths[0] = depth
            leaf.widths[0] = core.legal(leaf.states[0], leaf.actions[0])
            self.engine.features.encode(leaf.states[0], leaf.features[0])
            logits = evaluate(leaf, 1)[0][0]
            weights = {action: float(logits[action]) for action in sorted({path[depth] for path in left})}
            highest = max(weights.values())
            chosen = rng.choice([action for action, at in weights.items() if exp(at - highest) >= self.share])
            left = [path for path in left if path[depth] == chosen]
            core.step(leaf.states[0], chosen)
            depth += 1
        return paths[left[0]]
