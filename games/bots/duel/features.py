"""The features of a position of Splendor Duel that the network reads.

All are from the point of view of the seat to act, and hold only what that seat may know. An empty place that a card
will fill has the mean features of the cards that may come.
"""

import numpy as np

from games.bots.common import Layout, unseen
from games.bots.duel import layout as at
from games.bots.jit import Floats, Ints, jit
from games.bots.network import Shape
from games.rules.duel.actions import CROWNS_FOR_ROYAL
from games.rules.duel.cards import GOLD, LINES, PEARL
from games.rules.duel.ruleset import PLACES
from games.rules.duel.state import COLOUR_TO_WIN, CROWNS_TO_WIN, PRESTIGE_TO_WIN
from games.rules.trade import LIMIT

AT = Layout.of(at)
NPHASES = len(at.PHASES) + 1
NROYALS = at.LEFT - at.ROYALS_LEFT

# The features of a card on the table or in a hand.
ON_TABLE, MINE, OTHERS, HIDDEN = range(4)
ITEM_LEVEL = 4
ITEM_BONUS = ITEM_LEVEL + 3
"""Its colour, its number of bonuses, whether it is a joker."""
ITEM_WORTH = ITEM_BONUS + at.NCOLOURS + 2
"""Prestige and crowns."""
ITEM_ABILITY = ITEM_WORTH + 2
ITEM_DUE = ITEM_ABILITY + 4
"""The price I pay, by kind; then the tokens I lack for it."""
ITEM_SUMS = ITEM_DUE + 2 * GOLD
"""For me and for the opponent: the price; the tokens lacking after gold; whether none is lacking; whether the card
would win; the prestige of its colour with it; whether it brings a royal card."""
SUMS = 6
ITEM_FEATURES = ITEM_SUMS + 2 * SUMS

# The features of a seat.
SEAT_TOKENS = 0
SEAT_BONUSES = SEAT_TOKENS + at.NKINDS
SEAT_COLOURS = SEAT_BONUSES + at.NCOLOURS
"""Prestige on cards of each colour."""
SEAT_STANDING = SEAT_COLOURS + at.NCOLOURS
"""All tokens, the most prestige in a colour, prestige, prestige above 13, crowns, crowns above six, privileges, royal
cards, cards bought, cards held."""
PER_SEAT = SEAT_STANDING + 10
# The features of the context.
PHASE = 0
SEATS = PHASE + NPHASES
BAG = SEATS + 2 * PER_SEAT
"""By kind, then all tokens."""
DECKS = BAG + at.NKINDS + 1
ROYALS = DECKS + 3
ON_BOARD = ROYALS + NROYALS
"""The tokens on the board, by kind."""
CARD_COLOUR = ON_BOARD + at.NKINDS
"""The colour of the card that is being bought."""
TURN = CARD_COLOUR + at.NCOLOURS
"""Whether another turn follows, whether a royal card is due, privileges beside the board, tokens above the limit."""
BOARD = TURN + 4
"""For each space, which kind lies there."""
CONTEXTS = BOARD + at.NSPACES * at.NKINDS


def shape(seats: int) -> Shape:
    """The sizes of the network's input and output."""
    tables, hands = range(at.SLOTS), range(at.SLOTS, at.SLOTS + at.HAND)
    first, second = PLACES[0], PLACES[0] + PLACES[1]
    lines = [(at.TAKE + number, line) for number, line in enumerate(LINES)]
    lines += [
        (base + space, (space,)) for base in (at.PRIVILEGE, at.TAKE_GOLD, at.MATCH) for space in range(at.NSPACES)
    ]
    return Shape(
        seats=seats,
        actions=at.ACTIONS,
        items=at.SLOTS + 2 * at.HAND,
        item_features=ITEM_FEATURES,
        contexts=CONTEXTS,
        groups=(
            tuple(tables[:first]),
            tuple(tables[first:second]),
            tuple(tables[second:]),
            tuple(hands),
            tuple(range(at.SLOTS + at.HAND, at.SLOTS + 2 * at.HAND)),
        ),
        heads=(
            tuple((item, at.RESERVE + item) for item in tables),
            tuple((item, at.BUY + item) for item in (*tables, *hands)),
        ),
        spaces=at.NSPACES,
        kinds=at.NKINDS,
        lines=tuple(lines),
        flags=tuple(at.TAKE + number for number in range(len(LINES))),
    )


@jit
def _sums(state: Ints, player: int, card: int, out: Floats) -> None:
    """Write what a card means for one seat; `player` is the first cell of that seat."""
    price = 0
    lacking = 0
    for kind in range(GOLD):
        due = at.COST[card, kind]
        if kind < at.NCOLOURS:
            due -= state[player + at.BONUSES + kind]
        if due > 0:
            price += due
            if due > state[player + at.TOKENS + kind]:
                lacking += due - state[player + at.TOKENS + kind]
    lacking = max(0, lacking - state[player + at.TOKENS + GOLD])
    coloured = 0
    if at.ABILITY[card, at.JOKER]:
        bonuses = 0
        for colour in range(at.NCOLOURS):
            if state[player + at.BONUSES + colour]:
                bonuses += 1
                coloured = max(coloured, state[player + at.COLOUR_POINTS + colour] + at.PRESTIGE[card])
        if bonuses == 0:
            lacking += 5
    elif at.BONUS[card] != at.NONE:
        coloured = state[player + at.COLOUR_POINTS + at.BONUS[card]] + at.PRESTIGE[card]
    crowns = state[player + at.CROWNS]
    after = crowns + at.CROWNS_ON[card]
    out[0] = price / 8
    out[1] = lacking / 5
    out[2] = 1.0 if lacking == 0 else 0.0
    if (
        state[player + at.POINTS] + at.PRESTIGE[card] >= PRESTIGE_TO_WIN
        or after >= CROWNS_TO_WIN
        or coloured >= COLOUR_TO_WIN
    ):
        out[3] = 1.0
    out[4] = coloured / COLOUR_TO_WIN
    for enough in CROWNS_FOR_ROYAL:
        if crowns < enough <= after:
            out[5] = 1.0


@jit
def _card(state: Ints, card: int, kind: int, me: int, out: Floats) -> None:
    """Write the features of a card that is `ON_TABLE`, `MINE` or in a hand of `OTHERS`."""
    out[kind] = 1.0
    out[ITEM_LEVEL + at.LEVEL[card]] = 1.0
    if kind == OTHERS and out[HIDDEN] == 1.0:
        return
    if at.BONUS[card] != at.NONE:
        out[ITEM_BONUS + at.BONUS[card]] = 1.0
    out[ITEM_BONUS + at.NCOLOURS] = at.BONUS_COUNT[card] / 2
    out[ITEM_BONUS + at.NCOLOURS + 1] = at.ABILITY[card, at.JOKER]
    out[ITEM_WORTH] = at.PRESTIGE[card] / 5
    out[ITEM_WORTH + 1] = at.CROWNS_ON[card] / 3
    out[ITEM_ABILITY] = at.ABILITY[card, at.EXTRA_TURN]
    out[ITEM_ABILITY + 1] = at.ABILITY[card, at.SAME_COLOUR]
    out[ITEM_ABILITY + 2] = at.ABILITY[card, at.GAINS_PRIVILEGE]
    out[ITEM_ABILITY + 3] = at.ABILITY[card, at.STEALS]
    mine = at.PLAYER + me * at.WIDTH
    for due_kind in range(GOLD):
        due = at.COST[card, due_kind]
        if due_kind < at.NCOLOURS:
            due -= state[mine + at.BONUSES + due_kind]
        if due > 0:
            out[ITEM_DUE + due_kind] = due / 4
            if due > state[mine + at.TOKENS + due_kind]:
                out[ITEM_DUE + GOLD + due_kind] = (due - state[mine + at.TOKENS + due_kind]) / 4
    for index in range(2):
        here = ITEM_SUMS + SUMS * index
        _sums(state, at.PLAYER + (me + index) % 2 * at.WIDTH, card, out[here : here + SUMS])


@jit
def _next_card(state: Ints, level: int, me: int, out: Floats) -> None:
    """Write the mean of the features of all cards of that level that may come to the table."""
    cards, card = np.empty(len(at.COST), dtype=np.int32), np.empty(len(out), dtype=np.float32)
    count = unseen(state, AT, level, me, cards)
    for index in range(count):
        card[:] = 0.0
        _card(state, cards[index], ON_TABLE, me, card)
        out += card
    out /= np.float32(count)


@jit
def _seat(state: Ints, player: int, out: Floats) -> None:
    """Write the features of a seat; `player` is its first cell."""
    held = 0
    for kind in range(at.NKINDS):
        held += state[player + at.TOKENS + kind]
        out[SEAT_TOKENS + kind] = state[player + at.TOKENS + kind] / 4
    most = 0
    for colour in range(at.NCOLOURS):
        out[SEAT_BONUSES + colour] = state[player + at.BONUSES + colour] / 4
        out[SEAT_COLOURS + colour] = state[player + at.COLOUR_POINTS + colour] / COLOUR_TO_WIN
        most = max(most, state[player + at.COLOUR_POINTS + colour])
    out[SEAT_STANDING] = held / LIMIT
    out[SEAT_STANDING + 1] = most / COLOUR_TO_WIN
    out[SEAT_STANDING + 2] = state[player + at.POINTS] / PRESTIGE_TO_WIN
    out[SEAT_STANDING + 3] = max(0, state[player + at.POINTS] - 13) / 6
    out[SEAT_STANDING + 4] = state[player + at.CROWNS] / CROWNS_TO_WIN
    out[SEAT_STANDING + 5] = max(0, state[player + at.CROWNS] - 6) / 3
    out[SEAT_STANDING + 6] = state[player + at.OWN_PRIVILEGES] / 3
    out[SEAT_STANDING + 7] = state[player + at.OWN_ROYALS] / 2
    out[SEAT_STANDING + 8] = state[player + at.BOUGHT] / 12
    out[SEAT_STANDING + 9] = state[player + at.HELD] / at.HAND


@jit
def _context(state: Ints, me: int, out: Floats) -> None:
    """Write the features of the context, which end with the board."""
    out[PHASE + state[at.PHASE]] = 1.0
    for index in range(2):
        here = SEATS + PER_SEAT * index
        _seat(state, at.PLAYER + (me + index) % 2 * at.WIDTH, out[here : here + PER_SEAT])
    for kind in range(at.NKINDS):
        out[BAG + kind] = state[at.BAG + kind] / 4
        out[BAG + at.NKINDS] += state[at.BAG + kind] / 20
    for deck in range(3):
        out[DECKS + deck] = state[at.LEFT + deck] / 30
    for royal in range(NROYALS):
        out[ROYALS + royal] = state[at.ROYALS_LEFT + royal]
    for space in range(at.NSPACES):
        token = state[at.BOARD + space]
        if token != at.NONE:
            out[ON_BOARD + token] += 0.25
            out[BOARD + space * at.NKINDS + token] = 1.0
    if state[at.CARD] != at.NONE and at.BONUS[state[at.CARD]] != at.NONE:
        out[CARD_COLOUR + at.BONUS[state[at.CARD]]] = 1.0
    excess = -LIMIT
    for kind in range(at.NKINDS):
        excess += state[at.PLAYER + me * at.WIDTH + at.TOKENS + kind]
    out[TURN] = 1.0 if state[at.EXTRA] else 0.0
    out[TURN + 1] = 1.0 if state[at.ROYAL_DUE] else 0.0
    out[TURN + 2] = state[at.PRIVILEGES] / 3
    out[TURN + 3] = max(0, excess) / 3


@jit
def _lines(state: Ints, out: Floats) -> None:
    """Write for each line whether taking its tokens gives the opponent a privilege."""
    for line in range(len(at.LINE_SPACES)):
        if at.LINE_SPACES[line, 1] != at.NONE:
            first = state[at.BOARD + at.LINE_SPACES[line, 0]]
            second = state[at.BOARD + at.LINE_SPACES[line, 1]]
            third = state[at.BOARD + at.LINE_SPACES[line, 2]] if at.LINE_SPACES[line, 2] != at.NONE else at.NONE
            pearls = (first == PEARL) + (second == PEARL) + (third == PEARL)
            if pearls == 2 or (first == second == third and first != at.NONE):
                out[line] = 1.0


@jit
def encode(state: Ints, out: Floats) -> None:
    """Write the features of all items one after the other, then those of the context, then whether each line gives the
    opponent a privilege."""
    me = state[at.TO_ACT]
    out[:] = 0.0
    here = 0
    for slot in range(at.SLOTS):
        if state[at.TABLE + slot] != at.NONE:
            _card(state, state[at.TABLE + slot], ON_TABLE, me, out[here : here + ITEM_FEATURES])
        elif state[at.LEFT + at.SLOT_LEVEL[slot]]:
            _next_card(state, at.SLOT_LEVEL[slot], me, out[here : here + ITEM_FEATURES])
        here += ITEM_FEATURES
    for index in range(2):
        player = at.PLAYER + (me + index) % 2 * at.WIDTH
        for place in range(at.HAND):
            if place < state[player + at.HELD]:
                part = out[here : here + ITEM_FEATURES]
                if index and state[player + at.BLIND + place]:
                    part[HIDDEN] = 1.0
                _card(state, state[player + at.RESERVED + place], OTHERS if index else MINE, me, part)
            here += ITEM_FEATURES
    _context(state, me, out[here : here + CONTEXTS])
    _lines(state, out[here + CONTEXTS :])
