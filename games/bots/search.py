"""Programs that look ahead: from what a seat sees they make up worlds that fit, and search all of them.

The worlds are fixed for the whole decision, and what is counted at their roots is added up.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from games.bots.base import Bot, Limit, Spent
from games.bots.forest import Forest, Leaves, gather, grow, plant, select
from games.bots.jit import Floats, Ints, chance
from games.bots.loops import Loops, loops
from games.bots.network import Network, Shape
from games.rules.base import Action, Ruleset

WORLDS = 3
AT_ONCE = 24
"""Leaves of a tree that are evaluated together at most."""
PATIENCE = 12
"""A tree has this many leaves for every one that is evaluated together with others."""
SEEN_TO = 2000
"""Evaluations for which every action at the root gets one visit a world, however bad it looks."""
ENOUGH = 20_000
"""Evaluations of a decision without any limit."""
NODES, EDGES = 150_000, 4_000_000
"""Room for each tree: with all of it used, some 250 megabytes in all. A tree that is full grows no more, but goes on
counting."""

Evaluate = Callable[[Leaves, int], tuple[Floats, Floats]]
"""From a batch of so many leaves to the logits of all actions and the chance to win of each seat from the mover on."""


@dataclass(frozen=True)
class Engine:
    """A title for programs, in modules of its own: its core, and what a network reads of it."""

    slug: str
    ruleset: Ruleset[Any, Any] = field(compare=False)

    @property
    def layout(self) -> ModuleType:
        return import_module(f"games.bots.{self.slug}.layout")

    @property
    def core(self) -> ModuleType:
        return import_module(f"games.bots.{self.slug}.core")

    @property
    def observed(self) -> ModuleType:
        return import_module(f"games.bots.{self.slug}.observed")

    @property
    def features(self) -> ModuleType:
        return import_module(f"games.bots.{self.slug}.features")

    @property
    def loops(self) -> Loops:
        return loops(self.slug, self.layout, self.core, self.features)

    def shape(self, seats: int) -> Shape:
        """What the network of a game of that many seats reads and answers."""
        shape: Shape = self.features.shape(seats)
        return shape

    def weights(self, seats: int) -> Path:
        """Where the network for that many seats is kept."""
        return Path(__file__).parent / self.slug / "weights" / f"{seats}.npz"


def evaluation(network: Network) -> Evaluate:
    """A network as a search wants it."""
    return lambda leaves, count: network.evaluate(leaves.features[:count])


class Search:
    """Trees over some worlds of one title and number of seats, and room for a batch of their leaves."""

    def __init__(self, engine: Engine, seats: int, trees: int, nodes: int, edges: int, each: int) -> None:
        shape = engine.shape(seats)
        self.engine = engine
        self.forest: Forest = plant(trees, nodes, edges, engine.layout.SIZE_OF_STATE)
        self.leaves = gather(trees * each, engine.layout.SIZE_OF_STATE, shape.actions, seats, shape.features)

    def cut(self, trees: int) -> "Search":
        """The first of its trees."""
        part = copy(self)
        part.forest = Forest._make(array[:trees] for array in self.forest)
        return part

    def begin(self, worlds: Ints) -> None:
        """Start anew from these states, one for each tree."""
        self.forest.roots[:] = worlds
        self.forest.used[:] = 0

    def advance(self, evaluate: Evaluate, each: int = 1, least: int = 0) -> int:
        """Evaluate up to `each` leaves of every tree; return how many there were."""
        leaves = self.leaves
        count: int = select(self.forest, leaves, each, least)
        self.engine.loops.visit(
            self.forest.roots, leaves.trees, leaves.paths, leaves.depths, count, leaves.states, leaves.widths,
            leaves.actions, leaves.shares, leaves.features,
        )  # fmt: skip
        logits, values = evaluate(leaves, count)
        grow(self.forest, leaves, count, self.engine.layout.TO_ACT, logits, values)
        return count

    def edges(self, tree: int, node: int = 0) -> slice:
        """The edges of a node."""
        first = int(self.forest.first[tree, node])
        return slice(first, first + int(self.forest.width[tree, node]))

    def visits(self, trees: range) -> Ints:
        """How often each action was looked at, at the roots of these trees together."""
        visits: Ints = np.zeros(self.engine.layout.ACTIONS, dtype=np.int32)
        for tree in trees:
            edges = self.edges(tree)
            visits[self.forest.action[tree, edges]] += self.forest.visits[tree, edges]
        return visits


@lru_cache(maxsize=1)
def search_for(engine: Engine, seats: int) -> Search:
    """The trees of this process: what one decision used is free for the next."""
    return Search(engine, seats, WORLDS, NODES, EDGES, AT_ONCE)


@dataclass
class Searcher(Bot[Any]):
    """Looks ahead for as long as it may."""

    engine: Engine
    evaluator: Callable[[Engine, int, Random], Evaluate]
    """Makes the evaluation for a number of seats."""
    sims: int | None = None
    """Leaves to evaluate at most with two seats, whatever the limit; with each further seat twice as many, as so few
    see ever less of the game."""
    last: Spent = field(default=Spent(), compare=False)

    def spent(self) -> Spent:
        return self.last

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        started, self.last = limit.clock(), Spent()
        paths = {tuple(self.engine.observed.path(seen, action)): action for action in legal}
        if len(paths) == 1:
            return legal[0]
        seats = len(seen.players)
        search = search_for(self.engine, seats)
        search.begin(self._worlds(seen, rng))
        evaluate = self.evaluator(self.engine, seats, rng)
        seconds = float("inf") if limit.seconds is None else limit.seconds
        own = None if self.sims is None else self.sims * 2 ** (seats - 2)
        enough = ENOUGH if limit.seconds is None else NODES * WORLDS
        sims = min(filter(None, (limit.sims, own)), default=enough)
        decisions, done, spent = list(paths), 0, 0.0
        while done < sims and spent < seconds:
            each = max(1, min(AT_ONCE, done // (WORLDS * PATIENCE), (sims - done) // WORLDS))
            done += search.advance(evaluate, each, least=done // (SEEN_TO * WORLDS))
            spent = limit.clock() - started
            if each == AT_ONCE and settled(search, decisions, min(sims - done, done * (seconds / spent - 1))):
                break
        self.last = Spent(done)
        return paths[best_path(search, decisions)]

    def _worlds(self, seen: Any, rng: Random) -> Ints:
        root = self.engine.observed.load(seen)
        worlds = np.repeat(root[None], WORLDS, axis=0)
        for world in worlds:
            self.engine.core.deal(world, seen.to_act, chance(rng.getrandbits(62)))
        return worlds


def settled(search: Search, paths: Sequence[tuple[int, ...]], left: float) -> bool:
    """Whether so many evaluations more cannot change which of the decisions was looked at most."""
    visits = search.visits(range(WORLDS))
    leader = visits.argmax()
    second, most = np.sort(visits)[-2:]
    return bool(most - second > left + 1) and sum(path[0] == leader for path in paths) == 1


def best_path(search: Search, paths: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Of the decisions the one that was looked at most, action by action."""
    nodes: Mapping[int, int] = dict.fromkeys(range(WORLDS), 0)
    depth = 0
    while len(paths) > 1:
        visits: dict[int, float] = {path[depth]: 0.0 for path in paths}
        children: dict[int, dict[int, int]] = {action: {} for action in visits}
        for tree, node in nodes.items():
            edges = search.edges(tree, node)
            for action, count, won, child in zip(
                search.forest.action[tree, edges],
                search.forest.visits[tree, edges],
                search.forest.value[tree, edges],
                search.forest.child[tree, edges],
                strict=True,
            ):
                if action in visits:
                    visits[action] += count + won / (1 + count)
                    if child >= 0:
                        children[action][tree] = child
        chosen = max(visits, key=lambda action: visits[action])
        paths = [path for path in paths if path[depth] == chosen]
        nodes = children[chosen]
        depth += 1
    return paths[0]
