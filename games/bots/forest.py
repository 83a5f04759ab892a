"""Some search trees that grow together: one for each world that a program looks into.

A step of the search has four parts, each for a batch of leaves: `select` walks down every tree, the title plays the
actions on the way and reads the leaf, a network or random play evaluates it, and `grow` adds it to its tree and carries
its value back. Values are chances to win, one for each seat, so two seats and four are searched alike (max^n).

Silver et al., "Mastering the game of Go without human knowledge", Nature 550 (2017), for the formula of selection;
Chaslot et al., "Parallel Monte-Carlo tree search", CG 2008, for virtual losses.
"""

from typing import NamedTuple

import numpy as np

from games.bots.jit import Floats, Ints, jit

EXPLORATION = 0.45
"""How much the prior of an action weighs against its value."""
UNTRIED = 0.12
"""How much worse than its node an action is taken to be before it is tried."""
DEEPEST = 120
"""Actions on the way to a leaf at most."""
NEW, PENDING = -1, -2
"""Where an action leads before its leaf is added, and while it is being evaluated."""


class Forest(NamedTuple):
    """The trees, each a row: nodes with what is known of them, and edges, those of a node side by side."""

    roots: Ints
    """The states in which the trees start."""
    used: Ints
    """How many nodes and edges each tree has."""
    first: Ints
    """The first edge of a node."""
    width: Ints
    """How many edges it has."""
    mover: Ints
    """The seat that decides."""
    total: Ints
    """How often it was passed."""
    worth: Floats
    """The sum of what the mover got."""
    action: Ints
    prior: Floats
    visits: Ints
    value: Floats
    """The sum of what the mover got by that edge."""
    child: Ints


class Leaves(NamedTuple):
    """A batch of leaves and the way to each."""

    trees: Ints
    nodes: Ints
    edges: Ints
    paths: Ints
    depths: Ints
    states: Ints
    widths: Ints
    actions: Ints
    shares: Floats
    features: Floats


def plant(trees: int, nodes: int, edges: int, state: int) -> Forest:
    """Room for that many trees of so many nodes and edges each, and states of that size. What is not used costs no
    memory."""
    return Forest(
        roots=np.zeros((trees, state), dtype=np.int32),
        used=np.zeros((trees, 2), dtype=np.int32),
        first=np.empty((trees, nodes), dtype=np.int32),
        width=np.empty((trees, nodes), dtype=np.int32),
        mover=np.empty((trees, nodes), dtype=np.int32),
        total=np.empty((trees, nodes), dtype=np.int32),
        worth=np.empty((trees, nodes), dtype=np.float32),
        action=np.empty((trees, edges), dtype=np.int32),
        prior=np.empty((trees, edges), dtype=np.float32),
        visits=np.empty((trees, edges), dtype=np.int32),
        value=np.empty((trees, edges), dtype=np.float32),
        child=np.empty((trees, edges), dtype=np.int32),
    )


def gather(batch: int, state: int, actions: int, seats: int, features: int) -> Leaves:
    """Room for a batch of leaves."""
    return Leaves(
        trees=np.zeros(batch, dtype=np.int32),
        nodes=np.zeros((batch, DEEPEST), dtype=np.int32),
        edges=np.zeros((batch, DEEPEST), dtype=np.int32),
        paths=np.zeros((batch, DEEPEST), dtype=np.int32),
        depths=np.zeros(batch, dtype=np.int32),
        states=np.zeros((batch, state), dtype=np.int32),
        widths=np.zeros(batch, dtype=np.int32),
        actions=np.zeros((batch, actions), dtype=np.int32),
        shares=np.zeros((batch, seats), dtype=np.float32),
        features=np.zeros((batch, features), dtype=np.float32),
    )


@jit
def _best(forest: Forest, tree: int, node: int, least: int) -> int:
    """The edge to follow; any edge with fewer than `least` visits first."""
    first = forest.first[tree, node]
    total = forest.total[tree, node]
    spread = EXPLORATION * np.sqrt(total)
    untried = forest.worth[tree, node] / total - UNTRIED
    best, highest = first, -1e9
    for edge in range(first, first + forest.width[tree, node]):
        visits = forest.visits[tree, edge]
        if visits < least:
            return edge
        value = forest.value[tree, edge] / visits if visits else untried
        value += spread * forest.prior[tree, edge] / (1 + visits)
        if value > highest:
            best, highest = edge, value
    return int(best)


@jit
def select(forest: Forest, leaves: Leaves, each: int, least: int) -> int:
    """Walk from the root of every tree to `each` leaves, leaving a virtual loss on the way; return how many were
    found. A tree whose walk ends at a leaf that is taken already gives no more."""
    count = 0
    for tree in range(len(forest.roots)):
        for _ in range(each):
            depth = 0
            at = 0 if forest.used[tree, 0] else NEW
            while at >= 0 and depth < DEEPEST:
                edge = _best(forest, tree, at, least if depth == 0 else 0)
                leaves.nodes[count, depth] = at
                leaves.edges[count, depth] = edge
                leaves.paths[count, depth] = forest.action[tree, edge]
                depth += 1
                at = forest.child[tree, edge]
            if at == PENDING or at >= 0:
                break
            for index in range(depth):
                forest.visits[tree, leaves.edges[count, index]] += 1
                forest.total[tree, leaves.nodes[count, index]] += 1
            if depth:
                forest.child[tree, leaves.edges[count, depth - 1]] = PENDING
            leaves.trees[count] = tree
            leaves.depths[count] = depth
            count += 1
            if depth == 0:
                break
    return count


@jit
def grow(forest: Forest, leaves: Leaves, count: int, movers: int, logits: Floats, values: Floats) -> None:
    """Add the leaves to their trees and carry their values back. `movers` is where a state tells the seat to act;
    `values` begin with that seat. A tree without room keeps its leaves out, and counts them."""
    seats = leaves.shares.shape[1]
    for leaf in range(count):
        tree = leaves.trees[leaf]
        depth = leaves.depths[leaf]
        width = leaves.widths[leaf]
        grown = NEW
        if width:
            mover = leaves.states[leaf, movers]
            for seat in range(seats):
                leaves.shares[leaf, (mover + seat) % seats] = values[leaf, seat]
            node = forest.used[tree, 0]
            first = forest.used[tree, 1]
            if node < forest.first.shape[1] and first + width <= forest.action.shape[1]:
                grown = node
                forest.used[tree, 0] += 1
                forest.used[tree, 1] += width
                forest.first[tree, node] = first
                forest.width[tree, node] = width
                forest.mover[tree, node] = mover
                forest.total[tree, node] = 1
                forest.worth[tree, node] = leaves.shares[leaf, mover]
                highest = logits[leaf, leaves.actions[leaf, 0]]
                for index in range(1, width):
                    highest = max(highest, logits[leaf, leaves.actions[leaf, index]])
                whole = np.float32(0)
                for index in range(width):
                    action = leaves.actions[leaf, index]
                    prior = np.exp(logits[leaf, action] - highest)
                    whole += prior
                    forest.action[tree, first + index] = action
                    forest.prior[tree, first + index] = prior
                    forest.visits[tree, first + index] = 0
                    forest.value[tree, first + index] = 0
                    forest.child[tree, first + index] = NEW
                for index in range(width):
                    forest.prior[tree, first + index] /= whole
        if depth:
            forest.child[tree, leaves.edges[leaf, depth - 1]] = grown
        for index in range(depth):
            node = leaves.nodes[leaf, index]
            won = leaves.shares[leaf, forest.mover[tree, node]]
            forest.worth[tree, node] += won
            forest.value[tree, leaves.edges[leaf, index]] += won
