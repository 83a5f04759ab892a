"""What the network reads of a position of Splendor, and the leaves of a search.

Everything is told from the seat to act, the others following in turn order, and is nothing but what that seat may know.
"""

import numpy as np

from games.bots.jit import Chance, Floats, Ints, jit
from games.bots.network import Shape
from games.bots.splendor import core
from games.bots.splendor.core import (
    BANK,
    BLIND,
    BONUS,
    BONUSES,
    BOUGHT,
    BUY,
    COST,
    GOLD,
    HAND,
    HELD,
    LAST_ROUND,
    LEFT,
    LEVEL,
    LIMIT,
    NCOLOURS,
    NEEDS,
    NKINDS,
    NOBLE,
    NONE,
    PAIR_NEEDS,
    PASSES,
    PHASE,
    PLAYER,
    POINTS,
    PRESTIGE,
    RESERVE,
    RESERVED,
    ROW,
    SEATS,
    SLOTS,
    TABLE,
    TARGET,
    TO_ACT,
    TOKENS,
    VISIT,
    WIDTH,
)
from games.rules.splendor.ruleset import GEMS

# The features of an item: a card on the table or in a hand, or a noble
ON_TABLE, MINE, OTHERS, IS_NOBLE, HIDDEN = range(5)
ITEM_LEVEL = 5
ITEM_BONUS = ITEM_LEVEL + 3
ITEM_PRESTIGE = ITEM_BONUS + NCOLOURS
ITEM_WANTED = ITEM_PRESTIGE + 1
"""The part of the nobles on the table that ask for its bonus of me, and of the next seat."""
ITEM_DUE = ITEM_WANTED + 2
"""What I pay, by colour; then what I lack of it."""
ITEM_SUMS = ITEM_DUE + 2 * NCOLOURS
"""For each seat: the price, what is lacking after gold, whether nothing is."""
SUMS = 3


def shape(seats: int) -> Shape:
    """What the network of a game of that many seats reads and answers."""
    items = SLOTS + HAND * seats + seats + 1
    tables, hands, nobles = range(SLOTS), range(SLOTS, SLOTS + HAND), range(items - seats - 1, items)
    return Shape(
        seats=seats,
        actions=core.ACTIONS,
        items=items,
        item_features=ITEM_SUMS + SUMS * seats + seats - 1,
        contexts=NKINDS + 2 * NCOLOURS + PER_SEAT * seats + seats + 3 + 4 + 3,
        groups=(
            *(tuple(tables[start : start + ROW]) for start in range(0, SLOTS, ROW)),
            tuple(hands),
            tuple(range(SLOTS + HAND, SLOTS + HAND * seats)),
            tuple(nobles),
        ),
        heads=(
            tuple((item, RESERVE + item) for item in tables),
            tuple((item, BUY + item) for item in (*tables, *hands)),
            tuple((item, VISIT + item - nobles[0]) for item in nobles),
        ),
    )


FULL = np.array([GEMS.get(seats, 0) for seats in range(5)], dtype=np.int32)
"""Gems of a colour in the supply, by the number of seats."""
PER_SEAT = NKINDS + 1 + NCOLOURS + 5


@jit
def _sums(state: Ints, player: int, card: int, out: Floats) -> None:
    price = 0
    lacking = 0
    for colour in range(NCOLOURS):
        due = COST[card, colour] - state[player + BONUSES + colour]
        if due > 0:
            price += due
            if due > state[player + TOKENS + colour]:
                lacking += due - state[player + TOKENS + colour]
    lacking = max(0, lacking - state[player + TOKENS + GOLD])
    out[0] = price / 8
    out[1] = lacking / 5
    out[2] = 1.0 if lacking == 0 else 0.0


@jit
def _card(state: Ints, card: int, kind: int, me: int, out: Floats) -> None:
    seats = state[SEATS]
    out[kind] = 1.0
    out[ITEM_LEVEL + LEVEL[card]] = 1.0
    if kind == OTHERS and out[HIDDEN] == 1.0:
        return
    bonus = BONUS[card]
    out[ITEM_BONUS + bonus] = 1.0
    out[ITEM_PRESTIGE] = PRESTIGE[card] / 5
    for near in range(2):
        player = PLAYER + (me + near) % seats * WIDTH
        for place in range(seats + 1):
            noble = state[NOBLE + place]
            if noble != NONE and NEEDS[noble, bonus] > state[player + BONUSES + bonus]:
                out[ITEM_WANTED + near] += 0.34
    mine = PLAYER + me * WIDTH
    for colour in range(NCOLOURS):
        due = COST[card, colour] - state[mine + BONUSES + colour]
        if due > 0:
            out[ITEM_DUE + colour] = due / 4
            if due > state[mine + TOKENS + colour]:
                out[ITEM_DUE + NCOLOURS + colour] = (due - state[mine + TOKENS + colour]) / 4
    for index in range(seats):
        at = ITEM_SUMS + SUMS * index
        _sums(state, PLAYER + (me + index) % seats * WIDTH, card, out[at : at + SUMS])


@jit
def encode(state: Ints, out: Floats) -> None:
    """Write the features of all items, one item after the other, then those of the context."""
    seats = state[SEATS]
    me = state[TO_ACT]
    features = ITEM_SUMS + SUMS * seats + seats - 1
    out[:] = 0.0
    at = 0
    for slot in range(SLOTS):
        if state[TABLE + slot] != NONE:
            _card(state, state[TABLE + slot], ON_TABLE, me, out[at : at + features])
        at += features
    for index in range(seats):
        player = PLAYER + (me + index) % seats * WIDTH
        for place in range(HAND):
            if place < state[player + HELD]:
                part = out[at : at + features]
                if index:
                    part[HIDDEN] = 1.0 if state[player + BLIND + place] else 0.0
                    part[features - index] = 1.0
                _card(state, state[player + RESERVED + place], OTHERS if index else MINE, me, part)
            at += features
    for place in range(seats + 1):
        noble = state[NOBLE + place]
        if noble != NONE:
            part = out[at : at + features]
            part[IS_NOBLE] = 1.0
            for index in range(seats):
                player = PLAYER + (me + index) % seats * WIDTH
                lacking = 0
                for colour in range(NCOLOURS):
                    due = NEEDS[noble, colour] - state[player + BONUSES + colour]
                    if due > 0:
                        lacking += due
                        if index == 0:
                            part[ITEM_DUE + colour] = due / 4
                part[ITEM_SUMS + SUMS * index] = lacking / 8
                part[ITEM_SUMS + SUMS * index + 2] = 1.0 if lacking == 0 else 0.0
        at += features
    full = FULL[seats]
    for kind in range(NKINDS):
        out[at + kind] = state[BANK + kind] / full
    at += NKINDS
    for colour in range(NCOLOURS):
        out[at + colour] = 1.0 if state[BANK + colour] else 0.0
        out[at + NCOLOURS + colour] = 1.0 if state[BANK + colour] >= PAIR_NEEDS else 0.0
    at += 2 * NCOLOURS
    best = 0
    for seat in range(seats):
        best = max(best, state[PLAYER + seat * WIDTH + POINTS])
    for index in range(seats):
        player = PLAYER + (me + index) % seats * WIDTH
        held = 0
        for kind in range(NKINDS):
            held += state[player + TOKENS + kind]
            out[at + kind] = state[player + TOKENS + kind] / 4
        out[at + NKINDS] = held / LIMIT
        at += NKINDS + 1
        for colour in range(NCOLOURS):
            out[at + colour] = state[player + BONUSES + colour] / 4
        at += NCOLOURS
        points = state[player + POINTS]
        out[at] = points / TARGET
        out[at + 1] = max(0, points - 9) / 6
        out[at + 2] = (best - points) / 6
        out[at + 3] = state[player + BOUGHT] / 12
        out[at + 4] = state[player + HELD] / HAND
        at += 5
    out[at + me] = 1.0
    at += seats
    out[at + state[PHASE]] = 1.0
    at += 3
    out[at] = 1.0 if state[LAST_ROUND] else 0.0
    out[at + 1] = state[PASSES] / seats
    out[at + 2] = (seats - 1 - me) / 3
    mine = PLAYER + me * WIDTH
    excess = -LIMIT
    for kind in range(NKINDS):
        excess += state[mine + TOKENS + kind]
    out[at + 3] = max(0, excess) / 3
    at += 4
    for deck in range(3):
        out[at + deck] = state[LEFT + deck] / 40


@jit
def encode_all(states: Ints, features: Floats, illegal: Floats) -> None:
    """Write the features of each of these states, and for each action 1 if it is not legal, else 0."""
    actions = np.empty(core.ACTIONS, dtype=np.int32)
    illegal[:] = 1.0
    for index in range(len(states)):
        encode(states[index], features[index])
        for place in range(core.legal(states[index], actions)):
            illegal[index, actions[place]] = 0.0


@jit
def visit(
    roots: Ints, trees: Ints, paths: Ints, depths: Ints, count: int, states: Ints, widths: Ints, actions: Ints,
    shares: Floats, features: Floats,
) -> None:  # fmt: skip
    """Follow `count` paths of actions from the roots of their trees, and write for each leaf its state, how many legal
    actions it has and which; the features of one where the game goes on, the result of one where it is over."""
    for leaf in range(count):
        state = states[leaf]
        state[:] = roots[trees[leaf]]
        for depth in range(depths[leaf]):
            core.step(state, paths[leaf, depth])
        widths[leaf] = core.legal(state, actions[leaf])
        if widths[leaf]:
            encode(state, features[leaf])
        else:
            core.result(state, shares[leaf])


@jit
def playouts(states: Ints, widths: Ints, count: int, rng: Chance, longest: int, shares: Floats) -> None:
    """Write for each leaf where the game goes on what random actions made of it; the states are used up."""
    for leaf in range(count):
        if widths[leaf]:
            core.playout(states[leaf], rng, longest, shares[leaf])
