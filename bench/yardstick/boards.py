"""Our positions as the yardstick's boards, and its answers as ours, compiled.

In the yardstick's game, a player who already has eight or nine tokens may take fewer than three. By the official rules
the player takes three and returns some. The weight of such a small take therefore goes to one take that includes it,
and then to the return of the other tokens. The network may also return tokens without taking any; the weight of that is
divided among all takes that end in a return. The value of a position within a turn is the value after the likeliest end
of the turn.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.graph import Leaves
from games.bots.jit import Floats, Ints, jit
from games.bots.splendor import core
from games.bots.splendor import layout as at
from games.rules.trade import LIMIT

Flags = NDArray[np.bool_]

ROWS, COLUMNS = 56, 7
"""The size of a board for two seats."""
NOBLES = 3
TURN, BOUGHT = 6, 6
"""The column of the turn, and that of the prestige of purchased cards."""
TABLE, DECKS, NOBLE, TOKENS, OWNED, BONUSES, RESERVED = 1, 25, 31, 34, 36, 42, 44
"""The first rows of the parts of a board."""
ANSWERS = 81
"""The number of the network's actions."""
TAKE, PAIR, GIVE, PASS = 30, 55, 60, 80
MAX_TURNS = 120
FLOOR = 1e-3
"""The minimum weight of a legal action that the network does not know."""
LEAST = 1e-9
MANY = 3
"""The maximum number of tokens returned in a turn; the weight of a return of the network is divided by it."""
CARDS = len(at.COST)
_SETS = [chosen for size in (1, 2, 3) for chosen in combinations(range(at.NCOLOURS), size)]
_OFFSET = (np.arange(CARDS) - (at.DECK_START - at.DECK)[at.LEVEL]).astype(np.int32)
"""The index of each place of `DECK` within its deck."""
_TAKEN = np.zeros(at.ACTIONS, dtype=np.int32)
"""How many tokens each of our actions takes."""
_TAKEN[: at.PAIR] = at.TAKEN_SUM
_TAKEN[at.PAIR : at.RESERVE] = 2
_THEIRS = np.full(at.ACTIONS, PASS, dtype=np.int32)
"""The network's action for each of ours."""
_THEIRS[at.TAKE : at.PAIR] = [TAKE + _SETS.index(tuple(np.flatnonzero(taken))) for taken in at.TAKEN]
_THEIRS[at.PAIR : at.RESERVE] = np.arange(PAIR, GIVE)
_THEIRS[at.RESERVE : at.BUY] = np.arange(12, 27)
_THEIRS[at.BUY : at.GIVE] = [*range(12), *range(27, 30)]
_NET = np.array(
    [
        *([int(kind in chosen) for kind in range(at.NKINDS)] for chosen in _SETS),
        *([2 * int(kind == colour) for kind in range(at.NKINDS)] for colour in range(at.NCOLOURS)),
    ],
    dtype=np.int32,
)
"""The tokens of each of the network's takes, from `TAKE` on."""
_GIVEN = np.array(
    [
        *([kind in chosen for kind in range(at.NKINDS)] for chosen in _SETS if len(chosen) < 3),
        *([kind == colour for kind in range(at.NKINDS)] for colour in range(at.NCOLOURS)),
    ]
)
"""The kinds that each of the network's returns gives back, from `GIVE` on."""
_SMALL = np.array([[colour in chosen for colour in range(at.NCOLOURS)] for chosen in _SETS if len(chosen) < 3])
"""The network's takes of fewer than three tokens, from `TAKE` on."""
_HOLDING = np.zeros((len(_SMALL), at.ACTIONS), dtype=np.bool_)
_HOLDING[:, at.TAKE : at.PAIR] = (_SMALL[:, None] <= (at.TAKEN > 0)[None]).all(2)
"""For each of the network's small takes (row), whether our action (column) includes it."""


class Cards(NamedTuple):
    """The yardstick's tables."""

    rows: Floats
    """The two rows of each card, and zeros for no card."""
    column: Ints
    bit: Ints
    nobles: Floats


class Facts(NamedTuple):
    """Facts about games and nodes that the states of a search lack."""

    game: Ints
    """By index of a root: the game."""
    # By game.
    turns: Ints
    places: Ints
    """The nobles in their first places."""
    owned: Flags
    """By game, seat and place: whether the seat has the noble."""
    tokens: Ints
    """The tokens of the seat to act at the start of its turn."""
    policy: Floats
    """The network's policy at that time; zeros if the turn cannot end in a return."""
    # By node: the turn that the node belongs to, the seat to act, and the tokens and the policy at the start of that
    # turn.
    node_turn: Ints
    node_mover: Ints
    node_tokens: Ints
    node_policy: Floats


class Batch(NamedTuple):
    """The network's input for a batch of leaves, and the answers."""

    states: Ints
    """The leaves' positions at the end of the turn for those within a turn."""
    boards: Floats
    valid: Flags
    over: Flags
    """Whether the game is over after the turn."""
    logits: Floats
    values: Floats


def facts(nodes: int, games: int, roots: int) -> Facts:
    """Room for that many nodes, games and roots."""
    return Facts(
        game=np.zeros(roots, dtype=np.int32),
        turns=np.zeros(games, dtype=np.int32),
        places=np.zeros((games, NOBLES), dtype=np.int32),
        owned=np.zeros((games, 2, NOBLES), dtype=np.bool_),
        tokens=np.zeros((games, at.NKINDS), dtype=np.int32),
        policy=np.zeros((games, ANSWERS), dtype=np.float32),
        node_turn=np.zeros(nodes, dtype=np.int32),
        node_mover=np.zeros(nodes, dtype=np.int32),
        node_tokens=np.zeros((nodes, at.NKINDS), dtype=np.int32),
        node_policy=np.zeros((nodes, ANSWERS), dtype=np.float32),
    )


def empty_batch(batch: int) -> Batch:
    """Room for that many leaves."""
    return Batch(
        states=np.zeros((batch, at.SIZE_OF_STATE), dtype=np.int32),
        boards=np.zeros((batch, ROWS, COLUMNS), dtype=np.float32),
        valid=np.zeros((batch, ANSWERS), dtype=np.bool_),
        over=np.zeros(batch, dtype=np.bool_),
        logits=np.zeros((batch, at.ACTIONS), dtype=np.float32),
        values=np.zeros((batch, 2), dtype=np.float32),
    )


@jit
def end_turn(state: Ints) -> bool:
    """End the turn in place by the first legal actions, and return whether the game is over."""
    actions = np.zeros(at.ACTIONS, dtype=np.int32)
    while state[at.TO_ACT] != at.NONE and state[at.PHASE] != at.MAIN:
        core.legal(state, actions)
        core.act(state, actions[0])
    return bool(state[at.TO_ACT] == at.NONE)


@jit
def takes(ending: Ints, policy: Floats) -> Floats:
    """The weights of our takes `ending`, after which tokens must be returned. The weight of each smaller take of the
    network goes to one take that includes it. The weights of its returns and of its pass are divided among all
    takes."""
    weights = np.full(len(ending), FLOOR + policy[GIVE:].sum() / max(1, len(ending)), dtype=np.float32)
    for small in range(len(_SMALL)):
        for index in range(len(ending)):
            if _HOLDING[small, ending[index]]:
                weights[index] += policy[TAKE + small]
                break
    return weights


@jit
def returns(tokens: Ints, least: int, before: Ints, policy: Floats) -> tuple[Floats, Ints]:
    """The weight of each kind as the next token to return, and the likeliest return as kinds. `least` is the lowest
    kind that may be returned, `before` are the tokens at the start of the turn. Returns that leave a take of the
    network have its weight; among equal returns, those of the most held kinds come first."""
    count = tokens.sum() - LIMIT
    weights = np.full(at.NKINDS, LEAST, dtype=np.float32)
    given = np.full(count, least, dtype=np.int32)
    likeliest, highest = given.copy(), -1.0
    while True:
        left = tokens.copy()
        for kind in given:
            left[kind] -= 1
        if left.min() >= 0:
            weight = _weight(left - before, given, policy)
            weights[given[0]] += weight
            if weight - 1e-6 * (left * left).sum() > highest:
                highest = weight - 1e-6 * (left * left).sum()
                likeliest[:] = given
        # The next combination, with repetitions, in ascending order.
        place = count - 1
        while place >= 0 and given[place] == at.NKINDS - 1:
            place -= 1
        if place < 0:
            return weights, likeliest
        given[place:] = given[place] + 1


@jit
def _weight(change: Ints, given: Ints, policy: Floats) -> float:
    """The weight of the return `given`, after which the tokens of the turn are changed by `change`."""
    weight = FLOOR
    for take in range(len(_NET)):
        if (_NET[take] == change).all():
            weight += policy[TAKE + take]
    for back in range(len(_GIVEN)):
        included = True
        for kind in range(at.NKINDS):
            if _GIVEN[back, kind] and not (given == kind).any():
                included = False
        if included:
            weight += policy[GIVE + back] / MANY
    return float(weight)


@jit
def _remember(facts: Facts, leaves: Leaves, leaf: int) -> None:
    """Note the facts about a leaf's node."""
    node, depth, state = leaves.nodes[leaf], leaves.depths[leaf], leaves.states[leaf]
    mover, game = state[at.TO_ACT], facts.game[leaves.roots[leaf]]
    within, same = state[at.PHASE] != at.MAIN, False
    facts.node_turn[node], facts.node_mover[node] = facts.turns[game], mover
    if depth:
        parent = leaves.path[leaf, depth - 1]
        same = facts.node_mover[parent] == mover
        facts.node_turn[node] = facts.node_turn[parent] + (not same)
    if within and not depth:
        facts.node_tokens[node], facts.node_policy[node] = facts.tokens[game], facts.policy[game]
    elif within and same:
        facts.node_tokens[node], facts.node_policy[node] = facts.node_tokens[parent], facts.node_policy[parent]
    else:
        start = at.PLAYER + mover * at.WIDTH + at.TOKENS
        facts.node_tokens[node] = state[start : start + at.NKINDS]
        facts.node_policy[node] = 0


@jit
def _draw(state: Ints, turn: int, places: Ints, owned: Flags, cards: Cards, board: Floats) -> None:
    """Draw the board of a position, beginning with the seat to act."""
    board[:] = 0
    board[0, : at.NKINDS] = state[at.BANK : at.BANK + at.NKINDS]
    board[0, TURN] = min(turn, MAX_TURNS)
    for slot in range(at.SLOTS):
        rows = board[TABLE + 2 * slot : TABLE + 2 * slot + 2]
        level = at.SLOT_LEVEL[slot]
        left = state[at.LEFT + level]
        if state[at.TABLE + slot] == at.NONE and left:
            # An unknown card: the mean of those that may come.
            for place in range(at.DECK_START[level], at.DECK_START[level] + left):
                rows += cards.rows[state[place]] / np.float32(left)
        else:
            rows[:] = cards.rows[state[at.TABLE + slot]]
    for place in range(CARDS):
        if _OFFSET[place] < state[at.LEFT + at.LEVEL[place]]:
            card = state[at.DECK + place]
            row, column = DECKS + cards.column[card] // 5 * 2, cards.column[card] % 5
            board[row, column] += 1
            board[row + 1, column] += cards.bit[card]
    for row in range(DECKS + 1, NOBLE, 2):
        for column in range(COLUMNS):
            if board[row, column] > 127:  # a signed byte
                board[row, column] -= 256
    first = max(state[at.TO_ACT], 0)
    for slot in range(NOBLES):
        noble = places[slot]
        if (state[at.NOBLE : at.NOBLE + NOBLES] == noble).any():
            board[NOBLE + slot] = cards.nobles[noble]
            continue
        for seat in range(2):
            start = at.PLAYER + seat * at.WIDTH + at.BONUSES
            earned = (state[start : start + at.NCOLOURS] >= at.NEEDS[noble]).all()
            if owned[seat, slot] or (earned and not owned[1 - seat, slot]):
                board[OWNED + NOBLES * ((seat - first) % 2) + slot] = cards.nobles[noble]
    for near in range(2):
        player = at.PLAYER + (first + near) % 2 * at.WIDTH
        board[TOKENS + near, : at.NKINDS] = state[player + at.TOKENS : player + at.TOKENS + at.NKINDS]
        board[BONUSES + near, : at.NCOLOURS] = state[player + at.BONUSES : player + at.BONUSES + at.NCOLOURS]
        visits = board[OWNED + NOBLES * near : OWNED + NOBLES * near + NOBLES, BOUGHT].sum()
        board[BONUSES + near, BOUGHT] = state[player + at.POINTS] - visits
        for index in range(state[player + at.HELD]):
            row = RESERVED + 2 * at.HAND * near + 2 * index
            board[row : row + 2] = cards.rows[state[player + at.RESERVED + index]]


@jit
def prepare(leaves: Leaves, count: int, facts: Facts, cards: Cards, batch: Batch) -> None:
    """Write the network's input for the first `count` leaves, and the logits of returns."""
    batch.logits[:count] = 0
    for leaf in range(count):
        _remember(facts, leaves, leaf)
        node, state = leaves.nodes[leaf], batch.states[leaf]
        state[:] = leaves.states[leaf]
        mover, main = state[at.TO_ACT], state[at.PHASE] == at.MAIN
        if state[at.PHASE] == at.RETURN:
            start = at.PLAYER + mover * at.WIDTH + at.TOKENS
            weights, likeliest = returns(
                state[start : start + at.NKINDS].copy(), state[at.LEAST], facts.node_tokens[node],
                facts.node_policy[node],
            )  # fmt: skip
            batch.logits[leaf, at.GIVE : at.VISIT] = np.log(weights)
            for kind in likeliest:
                core.act(state, at.GIVE + kind)
        batch.over[leaf] = end_turn(state)
        turn = facts.node_turn[node] + (state[at.TO_ACT] != mover)
        game = facts.game[leaves.roots[leaf]]
        board, valid = batch.boards[leaf], batch.valid[leaf]
        _draw(state, turn, facts.places[game], facts.owned[game], cards, board)
        held = board[TOKENS].sum()
        valid[:] = False
        if main:
            for action in leaves.actions[leaf, : leaves.widths[leaf]]:
                if _TAKEN[action] + held <= LIMIT:
                    valid[_THEIRS[action]] = True
            if held > LIMIT - 3:
                for small in range(len(_SMALL)):
                    there = _SMALL[small].sum() + held <= LIMIT
                    for colour in range(at.NCOLOURS):
                        if _SMALL[small, colour] and not board[0, colour]:
                            there = False
                    valid[TAKE + small] = there
                valid[GIVE:] = True
        if not valid.any():
            valid[PASS] = True


@jit
def finish(leaves: Leaves, count: int, facts: Facts, batch: Batch, policy: Floats, worth: Floats) -> None:
    """Write the logits and values of the first `count` leaves, given the network's answers."""
    shares = np.zeros(2, dtype=np.float32)
    for leaf in range(count):
        state, mover = batch.states[leaf], leaves.states[leaf, at.TO_ACT]
        if leaves.states[leaf, at.PHASE] == at.MAIN:
            prior, held = np.exp(policy[leaf]), batch.boards[leaf, TOKENS].sum()
            actions = leaves.actions[leaf, : leaves.widths[leaf]]
            for action in actions:
                batch.logits[leaf, action] = np.log(max(prior[_THEIRS[action]], np.float32(LEAST)))
            if held > LIMIT - 3:
                ending = actions[_TAKEN[actions] + held > LIMIT]
                weights = takes(ending, prior)
                for index in range(len(ending)):
                    batch.logits[leaf, ending[index]] = np.log(weights[index])
                facts.node_policy[leaves.nodes[leaf]] = prior
        if batch.over[leaf]:
            core.result(state, shares)
            for near in range(2):
                batch.values[leaf, near] = shares[(mover + near) % 2]
        else:
            for near in range(2):
                batch.values[leaf, near] = (worth[leaf, (mover + near - state[at.TO_ACT]) % 2] + 1) / 2
