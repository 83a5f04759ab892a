"""The features of a position of Splendor that the network reads.

All are from the point of view of the seat to act; the other seats follow in turn order. They hold only what the seat to
act may know. An empty place that a card will fill has the mean features of the cards that may come.
"""

import numpy as np

from games.bots.common import Layout, unseen
from games.bots.jit import Floats, Ints, jit
from games.bots.network import Shape
from games.bots.splendor import layout as at
from games.rules.splendor.actions import PAIR_NEEDS
from games.rules.splendor.cards import GOLD
from games.rules.splendor.ruleset import GEMS
from games.rules.splendor.state import TARGET
from games.rules.trade import LIMIT

AT = Layout.of(at)

# The features of an item: a card on the table or in a hand, or a noble.
ON_TABLE, MINE, OTHERS, IS_NOBLE, HIDDEN = range(5)
ITEM_LEVEL = 5
ITEM_BONUS = ITEM_LEVEL + 3
ITEM_PRESTIGE = ITEM_BONUS + at.NCOLOURS
ITEM_WANTED = ITEM_PRESTIGE + 1
"""`WANTED` for each face-up noble for which I still need its bonus; then the same for the next seat."""
WANTED = 0.34
ITEM_DUE = ITEM_WANTED + 2
"""The price I pay, by colour; then the tokens I lack for it."""
ITEM_SUMS = ITEM_DUE + 2 * at.NCOLOURS
"""For each seat: the price, the tokens lacking after gold, whether none is lacking."""
SUMS = 3
PRICE_SCALE, LACKING_SCALE, PRESTIGE_SCALE, DUE_SCALE, TOKENS_SCALE = 8, 5, 5, 4, 4
"""Numbers are divided by these, so that most features are at most 1."""

# The features of the context.
BANK = 0
STACKS = BANK + at.NKINDS
"""For each colour whether a token is left; then whether two may be taken."""
SEATS = STACKS + 2 * at.NCOLOURS
"""The features of each seat; after those of the last one, which seat is to act, then `REST`."""
# The features of a seat.
SEAT_TOKENS = 0
"""By kind, then all of them."""
SEAT_BONUSES = SEAT_TOKENS + at.NKINDS + 1
SEAT_STANDING = SEAT_BONUSES + at.NCOLOURS
"""Prestige, prestige above nine, distance to the best, cards bought, cards held."""
PER_SEAT = SEAT_STANDING + 5
# The features at the end of the context, which are the same for every number of seats.
PHASE = 0
ENDING = PHASE + 3
"""Whether it is the last round, passes in a row, turns after mine in the round, tokens above the limit."""
DECKS = ENDING + 4
REST = DECKS + 3


def shape(seats: int) -> Shape:
    """The sizes of the network's input and output for that number of seats."""
    items = at.SLOTS + at.HAND * seats + seats + 1
    tables, hands, nobles = range(at.SLOTS), range(at.SLOTS, at.SLOTS + at.HAND), range(items - seats - 1, items)
    return Shape(
        seats=seats,
        actions=at.ACTIONS,
        items=items,
        item_features=ITEM_SUMS + SUMS * seats + seats - 1,
        contexts=SEATS + PER_SEAT * seats + seats + REST,
        groups=(
            *(tuple(tables[start : start + at.ROW]) for start in range(0, at.SLOTS, at.ROW)),
            tuple(hands),
            tuple(range(at.SLOTS + at.HAND, at.SLOTS + at.HAND * seats)),
            tuple(nobles),
        ),
        heads=(
            tuple((item, at.RESERVE + item) for item in tables),
            tuple((item, at.BUY + item) for item in (*tables, *hands)),
            tuple((item, at.VISIT + item - nobles[0]) for item in nobles),
        ),
    )


PRICES = np.ascontiguousarray(at.COST.T)
"""The prices by colour and card."""
FULL = np.array([GEMS.get(seats, 0) for seats in range(5)], dtype=np.int32)
"""Gems of a colour in the full bank, by number of seats."""


@jit
def _sums(state: Ints, player: int, card: int, out: Floats) -> None:
    """Write what a card means for one seat; `player` is the first cell of that seat."""
    price = 0
    lacking = 0
    for colour in range(at.NCOLOURS):
        due = at.COST[card, colour] - state[player + at.BONUSES + colour]
        if due > 0:
            price += due
            if due > state[player + at.TOKENS + colour]:
                lacking += due - state[player + at.TOKENS + colour]
    lacking = max(0, lacking - state[player + at.TOKENS + GOLD])
    out[0] = price / PRICE_SCALE
    out[1] = lacking / LACKING_SCALE
    out[2] = 1.0 if lacking == 0 else 0.0


@jit
def _card(state: Ints, card: int, kind: int, me: int, out: Floats) -> None:
    """Write the features of a card that is `ON_TABLE`, `MINE` or in a hand of `OTHERS`."""
    seats = state[at.SEATS]
    out[kind] = 1.0
    out[ITEM_LEVEL + at.LEVEL[card]] = 1.0
    if kind == OTHERS and out[HIDDEN] == 1.0:
        return
    bonus = at.BONUS[card]
    out[ITEM_BONUS + bonus] = 1.0
    out[ITEM_PRESTIGE] = at.PRESTIGE[card] / PRESTIGE_SCALE
    for near in range(2):
        player = at.PLAYER + (me + near) % seats * at.WIDTH
        for place in range(seats + 1):
            noble = state[at.NOBLE + place]
            if noble != at.NONE and at.NEEDS[noble, bonus] > state[player + at.BONUSES + bonus]:
                out[ITEM_WANTED + near] += WANTED
    mine = at.PLAYER + me * at.WIDTH
    for colour in range(at.NCOLOURS):
        due = at.COST[card, colour] - state[mine + at.BONUSES + colour]
        if due > 0:
            out[ITEM_DUE + colour] = due / DUE_SCALE
            if due > state[mine + at.TOKENS + colour]:
                out[ITEM_DUE + at.NCOLOURS + colour] = (due - state[mine + at.TOKENS + colour]) / DUE_SCALE
    for index in range(seats):
        here = ITEM_SUMS + SUMS * index
        _sums(state, at.PLAYER + (me + index) % seats * at.WIDTH, card, out[here : here + SUMS])


@jit
def _next_card(state: Ints, level: int, me: int, out: Floats) -> None:
    """Write the mean of what `_card` writes for all cards of that level that may come to the table. It adds whole
    numbers, card by card, because that is quick."""
    seats = state[at.SEATS]
    first, cards = at.DECK_START[level] - at.DECK, np.empty(len(at.COST), dtype=np.int32)
    count = unseen(state, AT, level, me, cards)
    size = at.DECK_SIZES[level]
    may_come = np.zeros(size, dtype=np.int32)
    for index in range(count):
        card = cards[index]
        may_come[card - first] = 1
        out[ITEM_BONUS + at.BONUS[card]] += 1
        out[ITEM_PRESTIGE] += at.PRESTIGE[card]
    price, lacking = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    for index in range(seats):
        player = at.PLAYER + (me + index) % seats * at.WIDTH
        price[:] = lacking[:] = 0
        for colour in range(at.NCOLOURS):
            bonuses, tokens = state[player + at.BONUSES + colour], state[player + at.TOKENS + colour]
            all_due, all_missing = 0, 0
            for card in range(size):
                due = max(PRICES[colour, first + card] - bonuses, 0)
                missing = max(due - tokens, 0)
                price[card] += due
                lacking[card] += missing
                all_due += may_come[card] * due
                all_missing += may_come[card] * missing
            if index == 0:
                out[ITEM_DUE + colour] = all_due / DUE_SCALE
                out[ITEM_DUE + at.NCOLOURS + colour] = all_missing / DUE_SCALE
        gold = state[player + at.TOKENS + GOLD]
        all_due, all_missing, free = 0, 0, 0
        for card in range(size):
            all_due += may_come[card] * price[card]
            all_missing += may_come[card] * max(lacking[card] - gold, 0)
            free += may_come[card] * (lacking[card] <= gold)
        here = ITEM_SUMS + SUMS * index
        out[here], out[here + 1], out[here + 2] = all_due / PRICE_SCALE, all_missing / LACKING_SCALE, free
    out /= np.float32(count)
    out[ON_TABLE] = out[ITEM_LEVEL + level] = 1.0
    out[ITEM_PRESTIGE] /= PRESTIGE_SCALE
    for near in range(2):
        player = at.PLAYER + (me + near) % seats * at.WIDTH
        for place in range(seats + 1):
            noble = state[at.NOBLE + place]
            for colour in range(at.NCOLOURS):
                if noble != at.NONE and at.NEEDS[noble, colour] > state[player + at.BONUSES + colour]:
                    out[ITEM_WANTED + near] += WANTED * out[ITEM_BONUS + colour]


@jit
def _noble(state: Ints, noble: int, me: int, out: Floats) -> None:
    """Write the features of a noble."""
    out[IS_NOBLE] = 1.0
    for index in range(state[at.SEATS]):
        player = at.PLAYER + (me + index) % state[at.SEATS] * at.WIDTH
        lacking = 0
        for colour in range(at.NCOLOURS):
            due = at.NEEDS[noble, colour] - state[player + at.BONUSES + colour]
            if due > 0:
                lacking += due
                if index == 0:
                    out[ITEM_DUE + colour] = due / DUE_SCALE
        out[ITEM_SUMS + SUMS * index] = lacking / PRICE_SCALE
        out[ITEM_SUMS + SUMS * index + 2] = 1.0 if lacking == 0 else 0.0


@jit
def _seat(state: Ints, player: int, best: int, out: Floats) -> None:
    """Write the features of a seat; `player` is its first cell, and `best` the highest prestige of all seats."""
    held = 0
    for kind in range(at.NKINDS):
        held += state[player + at.TOKENS + kind]
        out[SEAT_TOKENS + kind] = state[player + at.TOKENS + kind] / TOKENS_SCALE
    out[SEAT_TOKENS + at.NKINDS] = held / LIMIT
    for colour in range(at.NCOLOURS):
        out[SEAT_BONUSES + colour] = state[player + at.BONUSES + colour] / 4
    points = state[player + at.POINTS]
    out[SEAT_STANDING] = points / TARGET
    out[SEAT_STANDING + 1] = max(0, points - 9) / 6
    out[SEAT_STANDING + 2] = (best - points) / 6
    out[SEAT_STANDING + 3] = state[player + at.BOUGHT] / 12
    out[SEAT_STANDING + 4] = state[player + at.HELD] / at.HAND


@jit
def _context(state: Ints, me: int, out: Floats) -> None:
    """Write the features of the context."""
    seats = state[at.SEATS]
    full = FULL[seats]
    for kind in range(at.NKINDS):
        out[BANK + kind] = state[at.BANK + kind] / full
    for colour in range(at.NCOLOURS):
        out[STACKS + colour] = 1.0 if state[at.BANK + colour] else 0.0
        out[STACKS + at.NCOLOURS + colour] = 1.0 if state[at.BANK + colour] >= PAIR_NEEDS else 0.0
    best = 0
    for seat in range(seats):
        best = max(best, state[at.PLAYER + seat * at.WIDTH + at.POINTS])
    for index in range(seats):
        here = SEATS + PER_SEAT * index
        _seat(state, at.PLAYER + (me + index) % seats * at.WIDTH, best, out[here : here + PER_SEAT])
    to_act = SEATS + PER_SEAT * seats
    out[to_act + me] = 1.0
    rest = to_act + seats
    out[rest + PHASE + state[at.PHASE]] = 1.0
    excess = -LIMIT
    for kind in range(at.NKINDS):
        excess += state[at.PLAYER + me * at.WIDTH + at.TOKENS + kind]
    out[rest + ENDING] = 1.0 if state[at.LAST_ROUND] else 0.0
    out[rest + ENDING + 1] = state[at.PASSES] / seats
    out[rest + ENDING + 2] = (seats - 1 - me) / 3
    out[rest + ENDING + 3] = max(0, excess) / 3
    for deck in range(3):
        out[rest + DECKS + deck] = state[at.LEFT + deck] / 40


@jit
def encode(state: Ints, out: Floats) -> None:
    """Write the features of all items one after the other, then those of the context."""
    seats = state[at.SEATS]
    me = state[at.TO_ACT]
    features = ITEM_SUMS + SUMS * seats + seats - 1
    out[:] = 0.0
    here = 0
    for slot in range(at.SLOTS):
        if state[at.TABLE + slot] != at.NONE:
            _card(state, state[at.TABLE + slot], ON_TABLE, me, out[here : here + features])
        elif state[at.LEFT + at.SLOT_LEVEL[slot]]:
            _next_card(state, at.SLOT_LEVEL[slot], me, out[here : here + features])
        here += features
    for index in range(seats):
        player = at.PLAYER + (me + index) % seats * at.WIDTH
        for place in range(at.HAND):
            if place < state[player + at.HELD]:
                part = out[here : here + features]
                if index:
                    part[HIDDEN] = 1.0 if state[player + at.BLIND + place] else 0.0
                    part[features - index] = 1.0
                _card(state, state[player + at.RESERVED + place], OTHERS if index else MINE, me, part)
            here += features
    for place in range(seats + 1):
        if state[at.NOBLE + place] != at.NONE:
            _noble(state, state[at.NOBLE + place], me, out[here : here + features])
        here += features
    _context(state, me, out[here:])
