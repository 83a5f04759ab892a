"""Bots that look ahead. From an observation, they deal worlds (states that fit it) and search all of them.

In a world, the hidden cards of the other seats stay the same for the whole decision, and the visits at the roots of all
worlds are added up. For cards to come, see `games.bots.graph`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from games.bots.base import Bot, Limit, Spent
from games.bots.graph import NONE, WALKS, Graph, Leaves, Settings, empty_graph, empty_leaves, find, grow
from games.bots.jit import Floats, Ints, chance
from games.bots.loops import Loops, loops
from games.bots.network import Network, Shape
from games.rules.base import Action, Ruleset

WORLDS = 3
"""The number of worlds if a seat holds a hidden card; otherwise one is enough."""
MIN_FOR_WORLDS = 3000
"""The minimum number of simulations for more than one world: with fewer, one that is searched well decides better."""
MAX_LEAVES_AT_ONCE = 72
"""The maximum number of leaves that are evaluated together."""
LEAVES_FOR_EACH_AT_ONCE = 50
"""The number of earlier simulations for each leaf in a batch: batches grow as a search goes on."""
ENOUGH = 20_000
"""The number of simulations for a decision without any limit."""
LEAST_VISITS = 0.1
"""The least number of visits of an action that is chosen, as a share of the most visited one's."""
USUAL = Settings()
NODES, EDGES = 200_000, 4_000_000
"""The room in the graph, some 130 megabytes if all of it is used. A search ends when it has no room for more nodes."""

Evaluate = Callable[[Leaves, int], tuple[Floats, Floats]]
"""Evaluates that many leaves from the beginning of a batch. Returns the logits of all actions, and each seat's chance
to win, beginning with the seat to act; one row for each leaf."""


@dataclass(frozen=True)
class Engine:
    """The modules of a title for bots: its core, and the features that a network reads."""

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
        """The sizes of the network's input and output for that number of seats."""
        shape: Shape = self.features.shape(seats)
        return shape

    def weights(self, seats: int) -> Path:
        """The file with the network for that number of seats."""
        return Path(__file__).parent / self.slug / "weights" / f"{seats}.npz"


Evaluator = Callable[[Engine, int, Random], Evaluate]
"""Makes the evaluation for a title and number of seats."""


def evaluation(network: Network) -> Evaluate:
    """The evaluation by a network."""
    return lambda leaves, count: network.evaluate(leaves.features[:count])


class Search:
    """A graph of positions of one title and number of seats, and room for a batch of its leaves."""

    def __init__(
        self, engine: Engine, seats: int, nodes: int, edges: int, batch: int, settings: Settings = USUAL
    ) -> None:
        shape = engine.shape(seats)
        self.engine = engine
        size = engine.layout.SIZE_OF_STATE
        self.graph: Graph = empty_graph(settings, nodes, edges, len(engine.layout.COST), size, seats)
        self.leaves = empty_leaves(batch, size, shape.actions, seats, shape.features)
        self.roots: Ints = np.zeros(0, dtype=np.int32)

    def begin(self, worlds: Ints, rng: np.random.Generator) -> None:
        """Empty the graph and take these states as roots."""
        graph = self.graph
        graph.used[:] = 0
        graph.table[:] = NONE
        graph.order[:] = rng.permuted(np.tile(np.arange(graph.order.shape[1]), (len(graph.order), 1)), axis=1)
        for world in worlds:
            self.engine.core.sort(world)
        self.roots = np.array([find(graph, world, 0) for world in worlds], dtype=np.int32)

    @property
    def walks(self) -> int:
        """The number of simulations since `begin`: walks to a leaf, or to the end of a game."""
        return int(self.graph.used[WALKS])

    def advance(self, evaluate: Evaluate, each: int = 1, forced: float = 0.0) -> int:
        """Walk up to `each` times from every root, evaluate the leaves, and return the number of walks. At a root, an
        action is followed whatever its value until its visits reach the square root of `forced` · its prior · all
        visits."""
        before, leaves = self.walks, self.leaves
        count = self.engine.loops.select(self.graph, self.roots, each, forced, leaves)
        if count:
            logits, values = evaluate(leaves, count)
            grow(self.graph, leaves, count, self.engine.layout.TO_ACT, logits, values)
        return self.walks - before

    def actions(self, node: int) -> list[int]:
        """The legal actions of a node that has been evaluated, likeliest first."""
        first = int(self.graph.first[node])
        actions: list[int] = self.graph.action[first : first + int(self.graph.width[node])].tolist()
        return actions

    def branches(self, node: int) -> list[tuple[int, int]]:
        """The tried actions of a node, each with its branch."""
        first = int(self.graph.first[node])
        edges = slice(first, first + int(self.graph.tried[node]))
        return list(zip(self.graph.action[edges].tolist(), self.graph.branch[edges].tolist(), strict=True))

    def children(self, branch: int) -> Iterator[int]:
        """The nodes to which a branch has led."""
        outcome = int(self.graph.outcome[branch])
        while outcome != NONE:
            yield int(self.graph.child[outcome])
            outcome = int(self.graph.following[outcome])

    def visits(self, roots: Sequence[int] | Ints) -> Ints:
        """The visits of each action, added up over these roots."""
        visits: Ints = np.zeros(self.engine.layout.ACTIONS, dtype=np.int32)
        for root in roots:
            for action, branch in self.branches(root):
                visits[action] += self.graph.visits[branch]
        return visits


@lru_cache(maxsize=1)
def search_for(engine: Engine, seats: int) -> Search:
    """The search of this process; all decisions use the same memory."""
    return Search(engine, seats, NODES, EDGES, MAX_LEAVES_AT_ONCE)


@dataclass
class Searcher(Bot[Any]):
    """Looks ahead until its limit."""

    engine: Engine
    evaluator: Evaluator
    sims: int | None = None
    """The maximum number of simulations with two seats, whatever the limit. It doubles with each further seat, because
    the same number shows less and less of the game. The last batch has as many for each world, so a search of three
    worlds may exceed any maximum by two."""
    last: Spent = field(default=Spent(), compare=False)

    def spent(self) -> Spent:
        return self.last

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        started, self.last = limit.clock(), Spent()
        paths = {tuple(self.engine.observed.path(seen, action)): action for action in legal}
        if len(paths) == 1:
            return legal[0]
        seats = len(seen.players)
        seconds = float("inf") if limit.seconds is None else limit.seconds
        own = None if self.sims is None else self.sims * 2 ** (seats - 2)
        enough = ENOUGH if limit.seconds is None else NODES
        sims = min(filter(None, (limit.sims, own)), default=enough)
        search, evaluate = search_for(self.engine, seats), self.evaluator(self.engine, seats, rng)
        count = WORLDS if sims >= MIN_FOR_WORLDS else 1
        search.begin(worlds(self.engine, seen, count, rng), np.random.default_rng(rng.getrandbits(62)))
        decisions, roots, done, spent = list(paths), len(search.roots), 0, 0.0
        while done < sims and spent < seconds:
            walks = search.advance(
                evaluate, max(1, min(MAX_LEAVES_AT_ONCE, done // LEAVES_FOR_EACH_AT_ONCE, sims - done) // roots)
            )
            done += walks
            spent = limit.clock() - started
            if not walks:
                break
        self.last = Spent(done)
        return paths[best_path(search, decisions)]


def worlds(engine: Engine, seen: Any, count: int, rng: Random) -> Ints:
    """States that fit the observation, one row each: `count` if a seat holds a hidden card, otherwise one."""
    root = engine.observed.load(seen)
    hidden = any(held.card is None for player in seen.players for held in player.reserved)
    states: Ints = np.repeat(root[None], count if hidden else 1, axis=0)
    for state in states:
        engine.core.deal(state, seen.to_act, chance(rng.getrandbits(62)))
    return states


def best_path(search: Search, paths: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The best decision, chosen action by action. Worlds that are equal share a root, which counts once."""
    nodes, depth = list(set(search.roots.tolist())), 0
    while len(paths) > 1:
        chosen = best(search, nodes, [path[depth] for path in paths])
        paths = [path for path in paths if path[depth] == chosen]
        branches = [branch for node in nodes for action, branch in search.branches(node) if action == chosen]
        nodes = [child for branch in branches for child in search.children(branch)]
        depth += 1
    return paths[0]


def best(search: Search, nodes: Iterable[int], actions: Collection[int]) -> int:
    """The best of these actions, by what was found at these nodes together: the one with the highest value less a
    caution, which is smaller the more visits the action has. The most visited action is often the best, but not if its
    value fell late. An action with few visits beside the most visited one is never chosen. If none has been visited,
    the likeliest one is the best."""
    graph = search.graph
    visits, value = dict.fromkeys(actions, 0), dict.fromkeys(actions, 0.0)
    for node in nodes:
        mover = graph.states[node, search.engine.layout.TO_ACT]
        for action, branch in search.branches(node):
            if action in visits:
                seen = int(graph.visits[branch])
                visits[action] += seen
                value[action] += (float(graph.value[branch, mover]) - value[action]) * seen / visits[action]
    most, caution = max(visits.values()), graph.settings.caution
    if not most:
        likely = (action for node in nodes for action in search.actions(node) if action in visits)
        return next(likely, next(iter(visits)))
    tried = [action for action, seen in visits.items() if seen >= LEAST_VISITS * most and seen]
    return max(tried, key=lambda action: value[action] - caution / visits[action] ** 0.5)
