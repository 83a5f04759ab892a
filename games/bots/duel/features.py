"""What the network reads of a position of Splendor Duel, and the leaves of a search.

Everything is told from the seat to act, and is nothing but what that seat may know.
"""

import numpy as np

from games.bots.duel import core
from games.bots.duel.core import (
    ABILITY,
    BAG,
    BLIND,
    BOARD,
    BONUS,
    BONUS_COUNT,
    BONUSES,
    BOUGHT,
    BUY,
    CARD,
    COLOUR_POINTS,
    COLOUR_TO_WIN,
    COST,
    CROWNS,
    CROWNS_ON,
    CROWNS_TO_WIN,
    EXTRA,
    EXTRA_TURN,
    GAINS_PRIVILEGE,
    GOLD,
    HAND,
    HELD,
    JOKER,
    LEFT,
    LEVEL,
    LIMIT,
    LINE_SPACES,
    LINES,
    MATCH,
    NCOLOURS,
    NKINDS,
    NONE,
    NSPACES,
    OWN_PRIVILEGES,
    OWN_ROYALS,
    PEARL,
    PHASE,
    PLAYER,
    POINTS,
    PRESTIGE,
    PRESTIGE_TO_WIN,
    PRIVILEGE,
    PRIVILEGES,
    RESERVE,
    RESERVED,
    ROYAL_DUE,
    ROYALS_LEFT,
    SAME_COLOUR,
    SLOTS,
    STEALS,
    TABLE,
    TAKE,
    TAKE_GOLD,
    TO_ACT,
    TOKENS,
    WIDTH,
)
from games.bots.jit import Chance, Floats, Ints, jit
from games.bots.network import Shape
from games.rules.duel.ruleset import PLACES

NPHASES = len(core.PHASES) + 1
NROYALS = LEFT - ROYALS_LEFT

# The features of a card on the table or in a hand
ON_TABLE, MINE, OTHERS, HIDDEN = range(4)
ITEM_LEVEL = 4
ITEM_BONUS = ITEM_LEVEL + 3
"""Its colour, how often it counts, whether its colour is chosen."""
ITEM_WORTH = ITEM_BONUS + NCOLOURS + 2
"""Prestige and crowns."""
ITEM_ABILITY = ITEM_WORTH + 2
ITEM_DUE = ITEM_ABILITY + 4
"""What I pay, by kind; then what I lack of it."""
ITEM_SUMS = ITEM_DUE + 2 * GOLD
"""For me and the other: the price, what is lacking after gold, whether nothing is; whether it would win, and the
prestige of its colour then; whether it brings a royal card."""
SUMS = 6
ITEM_FEATURES = ITEM_SUMS + 2 * SUMS
PER_SEAT = NKINDS + 2 * NCOLOURS + 10
CONTEXTS = NPHASES + 2 * PER_SEAT + NKINDS + 1 + 3 + NROYALS + NKINDS + NCOLOURS + 4 + NSPACES * NKINDS


def shape(seats: int) -> Shape:
    """What the network of the game reads and answers."""
    tables, hands = range(SLOTS), range(SLOTS, SLOTS + HAND)
    first, second = PLACES[0], PLACES[0] + PLACES[1]
    lines = [(TAKE + number, line) for number, line in enumerate(LINES)]
    lines += [(base + space, (space,)) for base in (PRIVILEGE, TAKE_GOLD, MATCH) for space in range(NSPACES)]
    return Shape(
        seats=seats,
        actions=core.ACTIONS,
        items=SLOTS + 2 * HAND,
        item_features=ITEM_FEATURES,
        contexts=CONTEXTS,
        groups=(
            tuple(tables[:first]),
            tuple(tables[first:second]),
            tuple(tables[second:]),
            tuple(hands),
            tuple(range(SLOTS + HAND, SLOTS + 2 * HAND)),
        ),
        heads=(
            tuple((item, RESERVE + item) for item in tables),
            tuple((item, BUY + item) for item in (*tables, *hands)),
        ),
        spaces=NSPACES,
        kinds=NKINDS,
        lines=tuple(lines),
        flags=tuple(TAKE + number for number in range(len(LINES))),
    )


@jit
def _sums(state: Ints, player: int, card: int, out: Floats) -> None:
    price = 0
    lacking = 0
    for kind in range(GOLD):
        due = COST[card, kind]
        if kind < NCOLOURS:
            due -= state[player + BONUSES + kind]
        if due > 0:
            price += due
            if due > state[player + TOKENS + kind]:
                lacking += due - state[player + TOKENS + kind]
    lacking = max(0, lacking - state[player + TOKENS + GOLD])
    coloured = 0
    if ABILITY[card, JOKER]:
        bonuses = 0
        for colour in range(NCOLOURS):
            if state[player + BONUSES + colour]:
                bonuses += 1
                coloured = max(coloured, state[player + COLOUR_POINTS + colour] + PRESTIGE[card])
        if bonuses == 0:
            lacking += 5
    elif BONUS[card] != NONE:
        coloured = state[player + COLOUR_POINTS + BONUS[card]] + PRESTIGE[card]
    crowns = state[player + CROWNS]
    after = crowns + CROWNS_ON[card]
    out[0] = price / 8
    out[1] = lacking / 5
    out[2] = 1.0 if lacking == 0 else 0.0
    if (
        state[player + POINTS] + PRESTIGE[card] >= PRESTIGE_TO_WIN
        or after >= CROWNS_TO_WIN
        or coloured >= COLOUR_TO_WIN
    ):
        out[3] = 1.0
    out[4] = coloured / COLOUR_TO_WIN
    if crowns < 3 <= after or crowns < 6 <= after:
        out[5] = 1.0


@jit
def _card(state: Ints, card: int, kind: int, me: int, out: Floats) -> None:
    out[kind] = 1.0
    out[ITEM_LEVEL + LEVEL[card]] = 1.0
    if kind == OTHERS and out[HIDDEN] == 1.0:
        return
    if BONUS[card] != NONE:
        out[ITEM_BONUS + BONUS[card]] = 1.0
    out[ITEM_BONUS + NCOLOURS] = BONUS_COUNT[card] / 2
    out[ITEM_BONUS + NCOLOURS + 1] = ABILITY[card, JOKER]
    out[ITEM_WORTH] = PRESTIGE[card] / 5
    out[ITEM_WORTH + 1] = CROWNS_ON[card] / 3
    out[ITEM_ABILITY] = ABILITY[card, EXTRA_TURN]
    out[ITEM_ABILITY + 1] = ABILITY[card, SAME_COLOUR]
    out[ITEM_ABILITY + 2] = ABILITY[card, GAINS_PRIVILEGE]
    out[ITEM_ABILITY + 3] = ABILITY[card, STEALS]
    mine = PLAYER + me * WIDTH
    for due_kind in range(GOLD):
        due = COST[card, due_kind]
        if due_kind < NCOLOURS:
            due -= state[mine + BONUSES + due_kind]
        if due > 0:
            out[ITEM_DUE + due_kind] = due / 4
            if due > state[mine + TOKENS + due_kind]:
                out[ITEM_DUE + GOLD + due_kind] = (due - state[mine + TOKENS + due_kind]) / 4
    for index in range(2):
        at = ITEM_SUMS + SUMS * index
        _sums(state, PLAYER + (me + index) % 2 * WIDTH, card, out[at : at + SUMS])


@jit
def encode(state: Ints, out: Floats) -> None:
    """Write the features of all items, one item after the other, those of the context, the board last, then whether
    each line brings the other a privilege."""
    me = state[TO_ACT]
    out[:] = 0.0
    at = 0
    for slot in range(SLOTS):
        if state[TABLE + slot] != NONE:
            _card(state, state[TABLE + slot], ON_TABLE, me, out[at : at + ITEM_FEATURES])
        at += ITEM_FEATURES
    for index in range(2):
        player = PLAYER + (me + index) % 2 * WIDTH
        for place in range(HAND):
            if place < state[player + HELD]:
                part = out[at : at + ITEM_FEATURES]
                if index and state[player + BLIND + place]:
                    part[HIDDEN] = 1.0
                _card(state, state[player + RESERVED + place], OTHERS if index else MINE, me, part)
            at += ITEM_FEATURES
    out[at + state[PHASE]] = 1.0
    at += NPHASES
    for index in range(2):
        player = PLAYER + (me + index) % 2 * WIDTH
        held = 0
        for kind in range(NKINDS):
            held += state[player + TOKENS + kind]
            out[at + kind] = state[player + TOKENS + kind] / 4
        at += NKINDS
        most = 0
        for colour in range(NCOLOURS):
            out[at + colour] = state[player + BONUSES + colour] / 4
            out[at + NCOLOURS + colour] = state[player + COLOUR_POINTS + colour] / COLOUR_TO_WIN
            most = max(most, state[player + COLOUR_POINTS + colour])
        at += 2 * NCOLOURS
        out[at] = held / LIMIT
        out[at + 1] = most / COLOUR_TO_WIN
        out[at + 2] = state[player + POINTS] / PRESTIGE_TO_WIN
        out[at + 3] = max(0, state[player + POINTS] - 13) / 6
        out[at + 4] = state[player + CROWNS] / CROWNS_TO_WIN
        out[at + 5] = max(0, state[player + CROWNS] - 6) / 3
        out[at + 6] = state[player + OWN_PRIVILEGES] / 3
        out[at + 7] = state[player + OWN_ROYALS] / 2
        out[at + 8] = state[player + BOUGHT] / 12
        out[at + 9] = state[player + HELD] / HAND
        at += 10
    for kind in range(NKINDS):
        out[at + kind] = state[BAG + kind] / 4
        out[at + NKINDS] += state[BAG + kind] / 20
    at += NKINDS + 1
    for deck in range(3):
        out[at + deck] = state[LEFT + deck] / 30
    at += 3
    for royal in range(NROYALS):
        out[at + royal] = state[ROYALS_LEFT + royal]
    at += NROYALS
    board = at + NKINDS + NCOLOURS + 4
    for space in range(NSPACES):
        if state[BOARD + space] != NONE:
            out[at + state[BOARD + space]] += 0.25
            out[board + space * NKINDS + state[BOARD + space]] = 1.0
    at += NKINDS
    if state[CARD] != NONE and BONUS[state[CARD]] != NONE:
        out[at + BONUS[state[CARD]]] = 1.0
    at += NCOLOURS
    out[at] = 1.0 if state[EXTRA] else 0.0
    out[at + 1] = 1.0 if state[ROYAL_DUE] else 0.0
    out[at + 2] = state[PRIVILEGES] / 3
    mine = PLAYER + me * WIDTH
    excess = -LIMIT
    for kind in range(NKINDS):
        excess += state[mine + TOKENS + kind]
    out[at + 3] = max(0, excess) / 3
    at = board + NSPACES * NKINDS
    for line in range(len(LINE_SPACES)):
        if LINE_SPACES[line, 1] != NONE:
            first = state[BOARD + LINE_SPACES[line, 0]]
            second = state[BOARD + LINE_SPACES[line, 1]]
            third = state[BOARD + LINE_SPACES[line, 2]] if LINE_SPACES[line, 2] != NONE else NONE
            pearls = (first == PEARL) + (second == PEARL) + (third == PEARL)
            if pearls == 2 or (first == second == third and first != NONE):
                out[at + line] = 1.0


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
