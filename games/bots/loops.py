"""Compiled loops that are the same for the cores of all titles."""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import NamedTuple

import numpy as np

from games.bots.graph import (
    DEEPEST,
    FRESH,
    KNOWN,
    NONE,
    PENDING,
    Graph,
    Leaves,
    backup,
    enter,
    find,
    note_walk,
    outcome_in,
    select_edge,
    settle,
    take,
)
from games.bots.jit import Chance, Floats, Ints, below, jit_for


class Loops(NamedTuple):
    """The functions for one title; `loops` describes them."""

    select: Callable[[Graph, Ints, int, float, Leaves], int]
    playouts: Callable[[Ints, Chance, int, Floats], int]


@cache
def loops(slug: str, layout: ModuleType, core: ModuleType, features: ModuleType) -> Loops:
    """The functions for the title with that layout, core and features. The compiled code can be kept on disk because
    the arguments are modules, which have names, and not functions. Actions are passed as 64-bit numbers, which Python's
    are too, because numba compiles a function again for each type of its arguments."""

    @jit_for(slug)
    def select(graph: Graph, roots: Ints, each: int, forced: float, leaves: Leaves) -> int:
        """Walk from every root to `each` leaves, and return how many leaves need an evaluation. Each walk uses the next
        order of the hidden cards. If a walk reaches the end of the game or the maximum depth, its value is carried back
        at once. A root gets no more walks if one reaches a leaf that is already in the batch; no root does if the graph
        is full."""
        count = 0
        for number in range(len(roots)):
            for _ in range(each):
                node, depth = roots[number], 0
                state = leaves.states[count]
                order = graph.total[node] % len(graph.order)
                while graph.status[node] == KNOWN and graph.width[node] and depth < DEEPEST:
                    edge = select_edge(graph, node, graph.states[node, layout.TO_ACT], forced if depth == 0 else 0.0)
                    branch = take(graph, node, edge)
                    if branch == NONE:
                        return count
                    outcome = outcome_in(graph, branch, order)
                    if outcome == NONE:
                        state[:] = graph.states[node]
                        revealed = core.reveal(state, np.int64(graph.action[edge]), graph.order[order])
                        child = find(graph, state, graph.depth[node] + 1)
                        if child == NONE:
                            return count
                        outcome = enter(graph, branch, child, order)
                        if outcome == NONE:
                            return count
                        # The order does not matter any more if the game is over.
                        graph.reveals[branch] = revealed and state[layout.TO_ACT] != NONE
                    leaves.path[count, depth] = node
                    leaves.branches[count, depth] = branch
                    leaves.outcomes[count, depth] = outcome
                    depth += 1
                    node = graph.child[outcome]
                if graph.status[node] == PENDING:
                    break
                note_walk(graph, leaves, count, depth)
                if graph.status[node] == FRESH:
                    state[:] = graph.states[node]
                    leaves.nodes[count] = node
                    leaves.roots[count] = number
                    leaves.widths[count] = core.legal(state, leaves.actions[count])
                    if leaves.widths[count]:
                        features.encode(state, leaves.features[count])
                        graph.status[node] = PENDING
                        count += 1
                        continue
                    core.result(state, leaves.shares[count])
                    settle(graph, node, leaves.shares[count])
                backup(graph, leaves, count)
        return count

    @jit_for(slug)
    def playouts(states: Ints, rng: Chance, longest: int, shares: Floats) -> int:
        """Play random actions from each of these states to the end, in place, and write the results; return the total
        number of actions. A game that is not over after `longest` actions ends as a victory shared by all."""
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
                core.step(state, np.int64(actions[below(rng, count)]))
                played += 1
        return played

    return Loops(select, playouts)
