"""A search graph: positions that a program looks into, each of them once however it was reached.

A step of the search has three parts, each for a batch of leaves: the title walks down from the roots
(`games.bots.loops`), a network or random play evaluates the leaves, and `back` carries their values up the ways that
were walked. Values are chances to win, one for each seat, so two seats and four are searched alike (max^n).

What a node is worth is its own evaluation and what its branches are worth now, each as often as it was walked: so what
one way to a position has found out helps every other. What is hidden is drawn while walking: a branch where something
comes to light has some outcomes, more the more often it is walked.

Silver et al., "Mastering the game of Go without human knowledge", Nature 550 (2017), for the formula of selection;
Czech, Korus and Kersting, "Improving AlphaZero using Monte-Carlo graph search", ICAPS 2021.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.jit import Floats, Ints, jit

EXPLORATION = 0.45
"""How much the prior of an action weighs against its value."""
UNTRIED = 0.03
"""How much worse than its node an action is taken to be before it is tried."""
OUTCOMES = 3
"""Draws for a branch at first."""
MORE = 0.5
"""How many more there may be for the square root of its visits."""
DEEPEST = 120
"""Branches on the way to a leaf at most."""
DRAWS = 64
"""Orders of what is hidden."""
SPREAD = 128
"""Values that a cell of a state can have, from -1."""
NONE = -1
FRESH, PENDING, KNOWN = range(3)
"""A node before its evaluation, while it is being evaluated, and after."""
NODES_USED, EDGES_USED, BRANCHES_USED, OUTCOMES_USED, WALKS = range(5)


class Graph(NamedTuple):
    """Nodes, their edges side by side, likeliest first; branches, which are edges that were walked; and outcomes of
    branches."""

    used: Ints
    table: Ints
    """Nodes by their keys."""
    marks: NDArray[np.int64]
    """Of each cell of a state and each value it can have: nodes that differ have different sums."""
    order: Ints
    """In each draw, which place a card has among those that are hidden."""
    # of a node
    states: NDArray[np.int8]
    keys: NDArray[np.int64]
    plies: Ints
    status: Ints
    first: Ints
    width: Ints
    """How many edges it has: none where the game is over."""
    tried: Ints
    """How many of them are branches: they come first."""
    total: Ints
    """How often it was passed, and its evaluation."""
    own: Floats
    """Its own evaluation, by seat."""
    worth: Floats
    # of an edge
    action: NDArray[np.int16]
    prior: Floats
    branch: Ints
    # of a branch
    visits: Ints
    flying: Ints
    """Visits whose leaf is being evaluated."""
    draws: Ints
    """Draws made so far, 0 where nothing is hidden."""
    value: Floats
    """By seat."""
    outcome: Ints
    """Its first outcome."""
    # of an outcome
    child: Ints
    walked: Ints
    drawn: Ints
    """How many draws brought it."""
    following: Ints
    """The next outcome of its branch."""


class Leaves(NamedTuple):
    """A batch of leaves and the way to each."""

    nodes: Ints
    roots: Ints
    """Which of the roots a way begins at."""
    path: Ints
    branches: Ints
    outcomes: Ints
    depths: Ints
    states: Ints
    widths: Ints
    actions: Ints
    shares: Floats
    features: Floats


def plant(nodes: int, edges: int, cards: int, state: int, seats: int) -> Graph:
    """Room for so many nodes and edges. What is not used costs no memory."""
    size = 1
    while size < 2 * nodes:
        size *= 2
    links = 2 * nodes
    marks = np.random.default_rng(0).integers(0, 2**62, size=(state + 1, SPREAD), dtype=np.int64)
    return Graph(
        used=np.zeros(5, dtype=np.int32),
        table=np.full(size, NONE, dtype=np.int32),
        marks=marks,
        order=np.zeros((DRAWS, cards), dtype=np.int32),
        states=np.empty((nodes, state), dtype=np.int8),
        keys=np.empty(nodes, dtype=np.int64),
        plies=np.empty(nodes, dtype=np.int32),
        status=np.empty(nodes, dtype=np.int32),
        first=np.empty(nodes, dtype=np.int32),
        width=np.empty(nodes, dtype=np.int32),
        tried=np.empty(nodes, dtype=np.int32),
        total=np.empty(nodes, dtype=np.int32),
        own=np.empty((nodes, seats), dtype=np.float32),
        worth=np.empty((nodes, seats), dtype=np.float32),
        action=np.empty(edges, dtype=np.int16),
        prior=np.empty(edges, dtype=np.float32),
        branch=np.empty(edges, dtype=np.int32),
        visits=np.empty(links, dtype=np.int32),
        flying=np.empty(links, dtype=np.int32),
        draws=np.empty(links, dtype=np.int32),
        value=np.empty((links, seats), dtype=np.float32),
        outcome=np.empty(links, dtype=np.int32),
        child=np.empty(links, dtype=np.int32),
        walked=np.empty(links, dtype=np.int32),
        drawn=np.empty(links, dtype=np.int32),
        following=np.empty(links, dtype=np.int32),
    )


def gather(batch: int, state: int, actions: int, seats: int, features: int) -> Leaves:
    """Room for a batch of leaves."""
    return Leaves(
        nodes=np.zeros(batch, dtype=np.int32),
        roots=np.zeros(batch, dtype=np.int32),
        path=np.zeros((batch, DEEPEST + 1), dtype=np.int32),
        branches=np.zeros((batch, DEEPEST), dtype=np.int32),
        outcomes=np.zeros((batch, DEEPEST), dtype=np.int32),
        depths=np.zeros(batch, dtype=np.int32),
        states=np.zeros((batch, state), dtype=np.int32),
        widths=np.zeros(batch, dtype=np.int32),
        actions=np.zeros((batch, actions), dtype=np.int32),
        shares=np.zeros((batch, seats), dtype=np.float32),
        features=np.zeros((batch, features), dtype=np.float32),
    )


@jit
def key_of(graph: Graph, state: Ints, ply: int) -> int:
    """What tells positions apart."""
    cells = len(state)
    key = graph.marks[cells, ply % SPREAD]
    for cell in range(cells):
        key ^= graph.marks[cell, state[cell] + 1]
    return int(key)


@jit
def find(graph: Graph, state: Ints, ply: int) -> int:
    """The node of that position, a fresh one if there was none; `NONE` if there is no room."""
    key = key_of(graph, state, ply)
    mask = len(graph.table) - 1
    slot = key & mask
    while graph.table[slot] != NONE:
        if graph.keys[graph.table[slot]] == key:
            return int(graph.table[slot])
        slot = (slot + 1) & mask
    node = graph.used[NODES_USED]
    if node == len(graph.keys):
        return NONE
    graph.used[NODES_USED] += 1
    graph.table[slot] = node
    graph.keys[node] = key
    for cell in range(len(state)):
        graph.states[node, cell] = state[cell]
    graph.plies[node] = ply
    graph.status[node] = FRESH
    graph.first[node] = graph.width[node] = graph.tried[node] = graph.total[node] = 0
    return int(node)


@jit
def best(graph: Graph, node: int, mover: int, forced: float) -> int:
    """The edge to follow: of those never walked only the likeliest can be it."""
    first = graph.first[node]
    tried = graph.tried[node]
    total = graph.total[node]
    spread = EXPLORATION * np.sqrt(np.float32(total))
    untried = graph.worth[node, mover] - UNTRIED
    chosen, highest = -1, -1e9
    for edge in range(first, first + tried):
        branch = graph.branch[edge]
        visits = graph.visits[branch]
        if visits * visits < forced * graph.prior[edge] * total:
            return edge
        value = untried
        if visits:
            value = graph.value[branch, mover] * (visits - graph.flying[branch]) / visits
        value += spread * graph.prior[edge] / (1 + visits)
        if value > highest:
            chosen, highest = edge, value
    if tried < graph.width[node] and untried + spread * graph.prior[first + tried] > highest:
        chosen = first + tried
    return chosen


@jit
def outcome_to_walk(graph: Graph, branch: int) -> int:
    """Of the outcomes of that branch the one that was walked least for its draws; `NONE` if another is to be drawn."""
    draws = graph.draws[branch]
    if draws and draws < min(DRAWS, OUTCOMES + MORE * np.sqrt(np.float32(graph.visits[branch]))):
        return NONE
    chosen = outcome = graph.outcome[branch]
    if draws:
        least = np.float32(1e9)
        while outcome != NONE:
            often = graph.walked[outcome] / np.float32(graph.drawn[outcome])
            if often < least:
                chosen, least = outcome, often
            outcome = graph.following[outcome]
    return int(chosen)


@jit
def enter(graph: Graph, branch: int, node: int) -> int:
    """The outcome of that branch that leads to the node, which is drawn once more; `NONE` if there is no room."""
    last = graph.outcome[branch]
    outcome = last
    while outcome != NONE:
        if graph.child[outcome] == node:
            graph.drawn[outcome] += 1
            return int(outcome)
        last = outcome
        outcome = graph.following[outcome]
    outcome = graph.used[OUTCOMES_USED]
    if outcome == len(graph.child):
        return NONE
    graph.used[OUTCOMES_USED] += 1
    graph.child[outcome] = node
    graph.walked[outcome] = 0
    graph.drawn[outcome] = 1
    graph.following[outcome] = NONE
    if last == NONE:
        graph.outcome[branch] = outcome
    else:
        graph.following[last] = outcome
    return int(outcome)


@jit
def take(graph: Graph, node: int, edge: int) -> int:
    """The branch of an edge, a new one if it was never walked; `NONE` if there is no room."""
    if graph.branch[edge] != NONE:
        return int(graph.branch[edge])
    branch = graph.used[BRANCHES_USED]
    if branch == len(graph.visits):
        return NONE
    graph.used[BRANCHES_USED] += 1
    graph.branch[edge] = branch
    graph.tried[node] += 1
    graph.visits[branch] = graph.flying[branch] = graph.draws[branch] = 0
    graph.value[branch] = graph.worth[node]
    graph.outcome[branch] = NONE
    return int(branch)


@jit
def expand(graph: Graph, leaves: Leaves, leaf: int, mover: int, logits: Floats, values: Floats) -> None:
    """Give the node of a leaf its edges and its worth. A graph without room for the edges leaves it without any, so
    that it stays a leaf."""
    node = leaves.nodes[leaf]
    width = leaves.widths[leaf]
    seats = leaves.shares.shape[1]
    for seat in range(seats):
        graph.own[node, (mover + seat) % seats] = values[leaf, seat]
    graph.worth[node] = graph.own[node]
    graph.total[node] = 1
    graph.status[node] = KNOWN
    first = graph.used[EDGES_USED]
    if first + width > len(graph.action):
        return
    graph.used[EDGES_USED] += width
    graph.first[node], graph.width[node] = first, width
    highest = logits[leaf, leaves.actions[leaf, 0]]
    for index in range(1, width):
        highest = max(highest, logits[leaf, leaves.actions[leaf, index]])
    whole = np.float32(0)
    for index in range(width):
        action = leaves.actions[leaf, index]
        prior = np.exp(logits[leaf, action] - highest)
        whole += prior
        place = first + index
        while place > first and graph.prior[place - 1] < prior:
            graph.prior[place], graph.action[place] = graph.prior[place - 1], graph.action[place - 1]
            place -= 1
        graph.prior[place], graph.action[place] = prior, action
        graph.branch[first + index] = NONE
    for index in range(width):
        graph.prior[first + index] /= whole


@jit
def back(graph: Graph, leaves: Leaves, leaf: int) -> None:
    """Carry what is known of a leaf up the way to it."""
    seats = leaves.shares.shape[1]
    for depth in range(leaves.depths[leaf] - 1, -1, -1):
        node = leaves.path[leaf, depth]
        branch = leaves.branches[leaf, depth]
        graph.flying[branch] -= 1
        whole = np.float32(0)
        for seat in range(seats):
            graph.value[branch, seat] = 0
        outcome = graph.outcome[branch]
        while outcome != NONE:
            child = graph.child[outcome]
            if graph.status[child] == KNOWN:
                weight = np.float32(graph.walked[outcome])
                whole += weight
                for seat in range(seats):
                    graph.value[branch, seat] += weight * graph.worth[child, seat]
            outcome = graph.following[outcome]
        for seat in range(seats):
            graph.value[branch, seat] /= whole
        whole = np.float32(1)
        for seat in range(seats):
            graph.worth[node, seat] = graph.own[node, seat]
        for edge in range(graph.first[node], graph.first[node] + graph.tried[node]):
            branch = graph.branch[edge]
            weight = np.float32(graph.visits[branch] - graph.flying[branch])
            whole += weight
            for seat in range(seats):
                graph.worth[node, seat] += weight * graph.value[branch, seat]
        for seat in range(seats):
            graph.worth[node, seat] /= whole


@jit
def grow(graph: Graph, leaves: Leaves, count: int, movers: int, logits: Floats, values: Floats) -> None:
    """Add the evaluations of a batch of leaves. `movers` is where a state tells the seat to act; `values` begin with
    that seat."""
    for leaf in range(count):
        expand(graph, leaves, leaf, leaves.states[leaf, movers], logits, values)
    for leaf in range(count):
        back(graph, leaves, leaf)
