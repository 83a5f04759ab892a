"""Programs that look ahead: from what a seat sees they make up worlds that fit, and search all of them.

What others hold unseen is fixed in each world for the whole decision, and what is counted at the roots is added up.
What else is hidden is drawn while the search walks, see `games.bots.graph`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from games.bots.base import Bot, Limit, Spent
from games.bots.graph import DRAWS, NONE, WALKS, Graph, Leaves, find, gather, grow, plant
from games.bots.jit import Floats, Ints, chance
from games.bots.loops import Loops, loops
from games.bots.network import Network, Shape
from games.rules.base import Action, Ruleset

WORLDS = 3
"""How many there are where a seat holds what others have not seen; else one is enough."""
MAX_LEAVES_AT_ONCE = 72
"""Leaves that are evaluated together at most."""
LEAVES_FOR_EACH_AT_ONCE = 20
"""There are this many leaves for every one that is evaluated together with others."""
MIN_EVALUATIONS = 1000
"""Evaluations before a search can end early."""
ENOUGH = 20_000
"""Evaluations of a decision without any limit."""
NODES, EDGES = 200_000, 4_000_000
"""Room for the graph: with all of it used, some 130 megabytes. A search ends when it is full."""

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
    """A graph of positions of one title and number of seats, and room for a batch of its leaves."""

    def __init__(self, engine: Engine, seats: int, nodes: int, edges: int, batch: int) -> None:
        shape = engine.shape(seats)
        self.engine, self.batch = engine, batch
        size = engine.layout.SIZE_OF_STATE
        self.graph: Graph = plant(nodes, edges, len(engine.layout.COST), size, seats)
        self.leaves = gather(batch, size, shape.actions, seats, shape.features)
        self.roots: Ints = np.zeros(0, dtype=np.int32)

    def begin(self, worlds: Ints, rng: np.random.Generator) -> None:
        """Start anew from these states."""
        graph = self.graph
        graph.used[:] = 0
        graph.table[:] = NONE
        graph.order[:] = rng.permuted(np.tile(np.arange(graph.order.shape[1]), (DRAWS, 1)), axis=1)
        for world in worlds:
            self.engine.core.sort(world)
        self.roots = np.array([find(graph, world, 0) for world in worlds], dtype=np.int32)

    @property
    def walks(self) -> int:
        """How often the graph was walked since it was begun."""
        return int(self.graph.used[WALKS])

    def advance(self, evaluate: Evaluate, each: int = 1, forced: float = 0.0) -> int:
        """Walk up to `each` times from every root and evaluate the leaves; return how many walks there were. At the
        roots an action is followed for its prior alone until its visits are the root of `forced` times prior times
        all."""
        before, leaves = self.walks, self.leaves
        count = self.engine.loops.select(self.graph, self.roots, each, forced, leaves)
        if count:
            logits, values = evaluate(leaves, count)
            grow(self.graph, leaves, count, self.engine.layout.TO_ACT, logits, values)
        return self.walks - before

    def branches(self, node: int) -> list[tuple[int, int]]:
        """The actions of a node that were tried, each with its branch."""
        first = int(self.graph.first[node])
        edges = slice(first, first + int(self.graph.tried[node]))
        return list(zip(self.graph.action[edges].tolist(), self.graph.branch[edges].tolist(), strict=True))

    def visits(self, roots: Sequence[int] | Ints) -> Ints:
        """How often each action was looked at, at these roots together."""
        visits: Ints = np.zeros(self.engine.layout.ACTIONS, dtype=np.int32)
        for root in roots:
            for action, branch in self.branches(root):
                visits[action] += self.graph.visits[branch]
        return visits


@lru_cache(maxsize=1)
def search_for(engine: Engine, seats: int) -> Search:
    """The graph of this process: what one decision used is free for the next."""
    return Search(engine, seats, NODES, EDGES, MAX_LEAVES_AT_ONCE)


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
        search.begin(worlds(self.engine, seen, rng), np.random.default_rng(rng.getrandbits(62)))
        evaluate = self.evaluator(self.engine, seats, rng)
        seconds = float("inf") if limit.seconds is None else limit.seconds
        own = None if self.sims is None else self.sims * 2 ** (seats - 2)
        enough = ENOUGH if limit.seconds is None else NODES
        sims = min(filter(None, (limit.sims, own)), default=enough)
        decisions, roots, done, spent = list(paths), len(search.roots), 0, 0.0
        while done < sims and spent < seconds:
            walks = search.advance(
                evaluate, max(1, min(MAX_LEAVES_AT_ONCE, done // LEAVES_FOR_EACH_AT_ONCE, sims - done) // roots)
            )
            done += walks
            spent = limit.clock() - started
            if not walks:
                break
            if done >= MIN_EVALUATIONS and settled(search, decisions, min(sims - done, done * (seconds / spent - 1))):
                break
        self.last = Spent(done)
        return paths[best_path(search, decisions)]


def worlds(engine: Engine, seen: Any, rng: Random) -> Ints:
    """States that fit what a seat sees, as many as it takes."""
    root = engine.observed.load(seen)
    hidden = any(held.card is None for player in seen.players for held in player.reserved)
    states: Ints = np.repeat(root[None], WORLDS if hidden else 1, axis=0)
    for state in states:
        engine.core.deal(state, seen.to_act, chance(rng.getrandbits(62)))
    return states


def settled(search: Search, paths: Sequence[tuple[int, ...]], left: float) -> bool:
    """Whether so many evaluations more cannot change which of the decisions was looked at most."""
    visits = search.visits(search.roots)
    leader = visits.argmax()
    second, most = np.sort(visits)[-2:]
    return bool(most - second > left + 1) and sum(path[0] == leader for path in paths) == 1


def best_path(search: Search, paths: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Of the decisions the one that was looked at most, action by action."""
    graph, nodes, depth = search.graph, list(map(int, search.roots)), 0
    while len(paths) > 1:
        visits: dict[int, float] = {path[depth]: 0.0 for path in paths}
        children: dict[int, list[int]] = {action: [] for action in visits}
        for node in nodes:
            mover = graph.states[node, search.engine.layout.TO_ACT]
            for action, branch in search.branches(node):
                if action in visits:
                    visits[action] += int(graph.visits[branch]) + float(graph.value[branch, mover])
                    children[action].append(int(graph.child[graph.outcome[branch]]))
        chosen = max(visits, key=lambda action: visits[action])
        paths = [path for path in paths if path[depth] == chosen]
        nodes = children[chosen]
        depth += 1
    return paths[0]
