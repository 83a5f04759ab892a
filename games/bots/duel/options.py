"""The legal actions of a position of Splendor Duel, phase by phase, for the core."""

from games.bots.common import Layout, reserves
from games.bots.duel import layout as at
from games.bots.jit import Ints, inlined, jit
from games.rules.duel.cards import GOLD, PEARL

AT = Layout.of(at)


@jit
def short(state: Ints, player: int, card: int) -> int:
    """How many tokens the player lacks for the card after spending gold; `player` is the offset of the player's
    part."""
    missing = max(0, at.COST[card, PEARL] - state[player + at.TOKENS + PEARL])
    for colour in range(at.NCOLOURS):
        due = at.COST[card, colour] - state[player + at.BONUSES + colour] - state[player + at.TOKENS + colour]
        if due > 0:
            missing += due
    return int(missing - state[player + at.TOKENS + GOLD])


@jit
def _buys(state: Ints, player: int, actions: Ints, count: int) -> int:
    """Append the purchases that the player can make to the `count` actions written so far; return the new count."""
    jokers = state[player + at.BONUSES : player + at.BONUSES + at.NCOLOURS].any()
    for slot in range(at.SLOTS + state[player + at.HELD]):
        card = state[at.TABLE + slot] if slot < at.SLOTS else state[player + at.RESERVED + slot - at.SLOTS]
        if card != at.NONE and (jokers or not at.ABILITY[card, at.JOKER]) and short(state, player, card) <= 0:
            actions[count] = at.BUY + slot
            count += 1
    return count


@jit
def _strands(state: Ints, player: int, space: int, golds: int, actions: Ints, count: int) -> bool:
    """Whether no mandatory action would be left, even after replenishing, once the player takes the last gem or pearl
    on the board from that space. Overwrites `actions` from `count` on."""
    if state[at.BAG : at.BAG + GOLD].any():
        return False
    if (golds or state[at.BAG + GOLD]) and reserves(state, AT, player, actions, count) > count:
        return False
    kind = state[at.BOARD + space]
    state[player + at.TOKENS + kind] += 1
    stranded = _buys(state, player, actions, count) == count
    state[player + at.TOKENS + kind] -= 1
    return bool(stranded)


@inlined
def mandatory(state: Ints, player: int, actions: Ints) -> int:
    """Write the legal actions of the phases `TURN` and `MANDATORY`; return their number."""
    count = 0
    there = 0
    golds = 0
    for space in range(at.NSPACES):
        kind = state[at.BOARD + space]
        golds += kind == GOLD
        there |= int(at.NONE < kind < GOLD) << space
    for line in range(len(at.LINE_BITS)):
        actions[count] = at.TAKE + line
        count += (at.LINE_BITS[line] & there) == at.LINE_BITS[line]
    if state[at.PHASE] == at.TURN:
        if state[player + at.OWN_PRIVILEGES]:
            last = there & (there - 1) == 0
            for space in range(at.NSPACES):
                if there >> space & 1 and not (last and _strands(state, player, space, golds, actions, count)):
                    actions[count] = at.PRIVILEGE + space
                    count += 1
        if state[at.BAG : at.BAG + at.NKINDS].any():
            actions[count] = at.REPLENISH
            count += 1
    if golds:
        count = reserves(state, AT, player, actions, count)
    return int(_buys(state, player, actions, count))


@inlined
def on_board(state: Ints, kind: int, first: int, actions: Ints) -> int:
    """Write one action for each space with a token of the kind; `first` is the action for space 0."""
    count = 0
    for space in range(at.NSPACES):
        if state[at.BOARD + space] == kind:
            actions[count] = first + space
            count += 1
    return count


@inlined
def each(state: Ints, start: int, cells: int, first: int, actions: Ints) -> int:
    """Write one action for each cell from `start` on that is not 0; `first` is the action for the first cell."""
    count = 0
    for index in range(cells):
        if state[start + index]:
            actions[count] = first + index
            count += 1
    return count
