"""The search graph: a position is one node, in whatever way a search reaches it with the same number of actions.

A step of the search handles a batch of leaves in three parts. The title's loop walks down from the roots
(`games.bots.loops`), a network or random play evaluates the leaves, and `backup` carries their values up the walked
paths. A value is a chance to win, one for each seat, so the search is the same for two seats and for four (max^n).

The worth of a node is the mean of its own evaluation and the current values of its branches, weighted by their visits.
All paths to a position therefore share its results. A card that comes to the table stays unknown: its place is empty
in the search. So most lines of play reveal nothing, and walks that play the same actions share the same nodes. Cards
drawn from a deck into a hand, and tokens from Duel's bag, are in one of several orders, which the walks use in turn: a
branch that reveals any of them has an outcome for each order, and the whole walk keeps to its order. So a graph
branches only once for all that a line of play reveals, and the choices at each node still depend on all orders.

Silver et al., "Mastering the game of Go without human knowledge", Nature 550 (2017), for the formula of selection;
Czech, Korus and Kersting, "Improving AlphaZero using Monte-Carlo graph search", ICAPS 2021.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.jit import Floats, Ints, jit

DEEPEST = 120
"""The maximum number of branches on the path to a leaf."""
SPREAD = 128
"""The number of values that a cell of a state can have; the lowest is -1."""
MOST_ORDERS = 31
"""The maximum number of orders of the hidden cards: each is a bit of a number of 32 bits, which also has a sign."""
NONE = -1
FRESH, PENDING, KNOWN = range(3)
"""The status of a node before, during and after its evaluation."""
NODES_USED, EDGES_USED, BRANCHES_USED, OUTCOMES_USED, WALKS = range(5)


class Settings(NamedTuple):
    """The constants that decide where a search looks and what it chooses; see `bench.yardstick.searches`."""

    exploration: float = 0.45
    """The weight of an action's prior against its value."""
    untried: float = 0.03
    """The value of an untried action is this much below the worth of its node."""
    orders: int = 3
    """The number of orders of the hidden cards; at most `MOST_ORDERS`."""
    caution: float = 0.3
    """At the end, an action's value counts less by this number over the square root of its visits."""


class Graph(NamedTuple):
    """Nodes, edges, branches and outcomes, as parallel arrays. The edges of a node lie side by side, likeliest first. A
    branch is an edge that has been walked; an outcome is a node to which a branch has led."""

    settings: Settings
    used: Ints
    """The numbers of nodes, edges, branches and outcomes in use, and of walks."""
    table: Ints
    """A hash table of the nodes by their keys."""
    marks: NDArray[np.int64]
    """Random numbers by cell of a state and value of the cell; the key of a state combines them."""
    order: Ints
    """For each order of the hidden cards, the place of each card in it."""
    # By node.
    states: NDArray[np.int8]
    """One row for each node."""
    keys: NDArray[np.int64]
    depth: Ints
    """The number of actions since the root."""
    status: Ints
    """`FRESH`, `PENDING` or `KNOWN`."""
    first: Ints
    """The node's first edge."""
    width: Ints
    """The number of edges: 0 if the game is over."""
    tried: Ints
    """The number of edges that are branches; these come first."""
    total: Ints
    """The number of walks through the node, plus 1 for its evaluation."""
    own: Floats
    """The node's own evaluation, by seat."""
    worth: Floats
    """The mean of its own evaluation and the values of its branches, by seat."""
    # By edge.
    action: NDArray[np.int16]
    prior: Floats
    """The share that the evaluation gives to the action; 1 for all edges of a node together."""
    branch: Ints
    """The edge's branch, or `NONE`."""
    # By branch.
    visits: Ints
    in_flight: Ints
    """The number of visits whose leaf is still being evaluated."""
    reveals: Ints
    """Whether the branch reveals a card: 1 or 0."""
    value: Floats
    """By seat."""
    outcome: Ints
    """The branch's first outcome."""
    # By outcome.
    child: Ints
    """The node to which the branch led."""
    walked: Ints
    """The number of walks to that node by this branch."""
    drawn: Ints
    """The orders in which this outcome is drawn, one bit each."""
    following: Ints
    """The next outcome of the same branch, or `NONE`."""


class Leaves(NamedTuple):
    """A batch of leaves, and the path to each. The first index of every array is the leaf."""

    nodes: Ints
    roots: Ints
    """The index of the root at which each path begins."""
    path: Ints
    """The nodes before the leaf, by depth."""
    branches: Ints
    """The branches that were followed, by depth."""
    outcomes: Ints
    """The outcomes that were followed, by depth."""
    depths: Ints
    """The number of branches on each path."""
    states: Ints
    """The position of each leaf."""
    widths: Ints
    """The number of legal actions."""
    actions: Ints
    """The legal actions; only the first `widths` count."""
    shares: Floats
    """The result of a game that is over, by seat."""
    features: Floats
    """What the network reads."""


def empty_graph(settings: Settings, nodes: int, edges: int, cards: int, state: int, seats: int) -> Graph:
    """An empty graph for that many nodes and edges. `cards` and `state` are the numbers of cards and of cells of a
    state. Unused room costs no memory. Raises `ValueError` if the settings have too many orders."""
    if settings.orders > MOST_ORDERS:
        raise ValueError(f"A search has at most {MOST_ORDERS} orders.")
    size = 1
    while size < 2 * nodes:
        size *= 2
    links = 2 * nodes
    marks = np.random.default_rng(0).integers(0, 2**62, size=(state + 1, SPREAD), dtype=np.int64)
    return Graph(
        settings=settings,
        used=np.zeros(5, dtype=np.int32),
        table=np.full(size, NONE, dtype=np.int32),
        marks=marks,
        order=np.zeros((settings.orders, cards), dtype=np.int32),
        states=np.empty((nodes, state), dtype=np.int8),
        keys=np.empty(nodes, dtype=np.int64),
        depth=np.empty(nodes, dtype=np.int32),
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
        in_flight=np.empty(links, dtype=np.int32),
        reveals=np.empty(links, dtype=np.int32),
        value=np.empty((links, seats), dtype=np.float32),
        outcome=np.empty(links, dtype=np.int32),
        child=np.empty(links, dtype=np.int32),
        walked=np.empty(links, dtype=np.int32),
        drawn=np.empty(links, dtype=np.int32),
        following=np.empty(links, dtype=np.int32),
    )


def empty_leaves(batch: int, state: int, actions: int, seats: int, features: int) -> Leaves:
    """Empty arrays for `batch` leaves. `state`, `actions` and `features` are the lengths of a leaf's rows."""
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
def key_of(graph: Graph, state: Ints, depth: int) -> int:
    """The key of a position after that many actions. Because their number counts, the graph has no cycles. Two keys are
    equal by chance only with negligible probability."""
    cells = len(state)
    key = graph.marks[cells, depth % SPREAD]
    for cell in range(cells):
        key ^= graph.marks[cell, state[cell] + 1]
    return int(key)


@jit
def find(graph: Graph, state: Ints, depth: int) -> int:
    """The node of that position at that depth; adds a fresh one if there is none. `NONE` if there is no room."""
    key = key_of(graph, state, depth)
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
    graph.depth[node] = depth
    graph.status[node] = FRESH
    graph.first[node] = graph.width[node] = graph.tried[node] = graph.total[node] = 0
    return int(node)


@jit
def select_edge(graph: Graph, node: int, mover: int, forced: float) -> int:
    """The edge of the node to follow. Of the untried edges only the likeliest is considered. An edge whose visits are
    below the square root of `forced` · its prior · all visits is followed whatever its value. A visit counts even while
    its leaf is being evaluated."""
    first = graph.first[node]
    tried = graph.tried[node]
    total = graph.total[node]
    spread = np.float32(graph.settings.exploration) * np.sqrt(np.float32(total))
    untried = graph.worth[node, mover] - np.float32(graph.settings.untried)
    chosen, highest = -1, -1e9
    for edge in range(first, first + tried):
        branch = graph.branch[edge]
        visits = graph.visits[branch]
        if visits * visits < forced * graph.prior[edge] * total:
            return edge
        value = graph.value[branch, mover] + spread * graph.prior[edge] / (1 + visits)
        if value > highest:
            chosen, highest = edge, value
    if tried < graph.width[node] and untried + spread * graph.prior[first + tried] > highest:
        chosen = first + tried
    return chosen


@jit
def outcome_in(graph: Graph, branch: int, order: int) -> int:
    """The outcome of the branch in that order of the hidden cards; `NONE` if no walk has followed it in that order."""
    outcome = graph.outcome[branch]
    if graph.reveals[branch]:
        while outcome != NONE and not graph.drawn[outcome] >> order & 1:
            outcome = graph.following[outcome]
    return int(outcome)


@jit
def enter(graph: Graph, branch: int, node: int, order: int) -> int:
    """Note that the branch leads to that node in that order, and return its outcome; `NONE` if there is no room."""
    last = graph.outcome[branch]
    outcome = last
    while outcome != NONE:
        if graph.child[outcome] == node:
            graph.drawn[outcome] |= 1 << order
            return int(outcome)
        last = outcome
        outcome = graph.following[outcome]
    outcome = graph.used[OUTCOMES_USED]
    if outcome == len(graph.child):
        return NONE
    graph.used[OUTCOMES_USED] += 1
    graph.child[outcome] = node
    graph.walked[outcome] = 0
    graph.drawn[outcome] = 1 << order
    graph.following[outcome] = NONE
    if last == NONE:
        graph.outcome[branch] = outcome
    else:
        graph.following[last] = outcome
    return int(outcome)


@jit
def take(graph: Graph, node: int, edge: int) -> int:
    """The branch of an edge; adds one if the edge has not been walked yet. `NONE` if there is no room."""
    if graph.branch[edge] != NONE:
        return int(graph.branch[edge])
    branch = graph.used[BRANCHES_USED]
    if branch == len(graph.visits):
        return NONE
    graph.used[BRANCHES_USED] += 1
    graph.branch[edge] = branch
    graph.tried[node] += 1
    graph.visits[branch] = graph.in_flight[branch] = graph.reveals[branch] = 0
    graph.value[branch] = graph.worth[node]
    graph.outcome[branch] = NONE
    return int(branch)


@jit
def note_walk(graph: Graph, leaves: Leaves, leaf: int, depth: int) -> None:
    """Count a walk of that many branches to a leaf."""
    leaves.depths[leaf] = depth
    for index in range(depth):
        graph.total[leaves.path[leaf, index]] += 1
        graph.visits[leaves.branches[leaf, index]] += 1
        graph.in_flight[leaves.branches[leaf, index]] += 1
        graph.walked[leaves.outcomes[leaf, index]] += 1
    graph.used[WALKS] += 1


@jit
def settle(graph: Graph, node: int, shares: Floats) -> None:
    """Give the node of a finished game its result."""
    graph.own[node] = shares
    graph.worth[node] = shares
    graph.total[node] = 1
    graph.status[node] = KNOWN


@jit
def expand(graph: Graph, leaves: Leaves, leaf: int, mover: int, logits: Floats, values: Floats) -> None:
    """Give the node of a leaf its edges and its worth. If the graph has no room for the edges, the node gets none and
    stays a leaf."""
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
def backup(graph: Graph, leaves: Leaves, leaf: int) -> None:
    """Update the values of all branches and nodes on the path to a leaf, from the leaf up."""
    seats = leaves.shares.shape[1]
    for depth in range(leaves.depths[leaf] - 1, -1, -1):
        node = leaves.path[leaf, depth]
        branch = leaves.branches[leaf, depth]
        graph.in_flight[branch] -= 1
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
            weight = np.float32(graph.visits[branch] - graph.in_flight[branch])
            whole += weight
            for seat in range(seats):
                graph.worth[node, seat] += weight * graph.value[branch, seat]
        for seat in range(seats):
            graph.worth[node, seat] /= whole


@jit
def grow(graph: Graph, leaves: Leaves, count: int, movers: int, logits: Floats, values: Floats) -> None:
    """Add the evaluations of the first `count` leaves. `movers` is the cell of a state that holds the seat to act; each
    row of `values` begins with that seat."""
    for leaf in range(count):
        expand(graph, leaves, leaf, leaves.states[leaf, movers], logits, values)
    for leaf in range(count):
        backup(graph, leaves, leaf)
