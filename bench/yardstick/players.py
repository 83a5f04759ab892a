"""Bots for matches only. They compare networks without search, and searches with the same network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from games.bots.base import Bot, Limit, Spent
from games.bots.graph import gather
from games.bots.players import networked
from games.bots.search import Engine, Evaluate, Searcher, worlds
from games.rules.base import Action


@dataclass(frozen=True)
class Policy(Bot[Any]):
    """Plays the action that the network finds likeliest, without a search."""

    engine: Engine
    evaluator: Callable[[Engine, int, Random], Evaluate] = networked

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        paths = {tuple(self.engine.observed.path(seen, action)): action for action in legal}
        seats, at = len(seen.players), self.engine.layout
        shape = self.engine.shape(seats)
        evaluate = self.evaluator(self.engine, seats, rng)
        leaf = gather(1, at.SIZE_OF_STATE, shape.actions, seats, shape.features)
        leaf.states[:] = worlds(self.engine, seen, 1, rng)
        left, depth = list(paths), 0
        while len(left) > 1:
            leaf.nodes[0] = leaf.path[0, depth] = leaf.depths[0] = depth
            leaf.widths[0] = self.engine.core.legal(leaf.states[0], leaf.actions[0])
            self.engine.features.encode(leaf.states[0], leaf.features[0])
            logits = evaluate(leaf, 1)[0][0]
            chosen = max({path[depth] for path in left}, key=lambda action: float(logits[action]))
            left = [path for path in left if path[depth] == chosen]
            self.engine.core.step(leaf.states[0], chosen)
            depth += 1
        return paths[left[0]]


class Borrowing(Bot[Any]):
    """Our search with the yardstick's network for two seats, or that network without a search."""

    def __init__(self, home: Path, searches: bool = True) -> None:
        self.home, self.searches = home, searches
        self.bot: Bot[Any] | None = None
        self.first: Any = None
        self.current_round = 1

    def inform(self, first: Any, current_round: int) -> None:
        self.first, self.current_round = first, current_round

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        if self.bot is None:
            # This import needs the yardstick.
            from bench.yardstick.network import Borrowed
            from games.bots.engines import ENGINES

            self.network = Borrowed(self.home)
            kind = Searcher if self.searches else Policy
            self.bot = kind(ENGINES["splendor"], lambda *_: self.network.evaluate)
        self.network.look(self.first, self.current_round, seen)
        return self.bot.choose(seen, legal, rng, limit)

    def spent(self) -> Spent:
        return self.bot.spent() if self.bot else Spent()
