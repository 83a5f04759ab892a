"""The legal actions of a position of Splendor, phase by phase, for the core."""

from games.bots.common import Layout, reserves
from games.bots.jit import Ints, inlined
from games.bots.splendor import layout as at
from games.rules.splendor.actions import PAIR_NEEDS
from games.rules.splendor.cards import GOLD

AT = Layout.of(at)


@inlined
def short(state: Ints, player: int, card: int) -> int:
    """How many tokens the player lacks for the card after spending gold; `player` is the offset of the player's
    part."""
    missing = 0
    for colour in range(at.NCOLOURS):
        due = at.COST[card, colour] - state[player + at.BONUSES + colour] - state[player + at.TOKENS + colour]
        if due > 0:
            missing += due
    return int(missing - state[player + at.TOKENS + GOLD])


@inlined
def earned(state: Ints, player: int, noble: int) -> bool:
    """Whether the player has the bonuses that the noble needs; `NONE` is no noble."""
    lacking = 0
    for colour in range(at.NCOLOURS):
        lacking += at.NEEDS[noble, colour] > state[player + at.BONUSES + colour]
    return noble != at.NONE and lacking == 0


@inlined
def _takes(state: Ints, actions: Ints) -> int:
    """Write the actions that take tokens; return their number."""
    count = 0
    colours = 0
    for colour in range(at.NCOLOURS):
        colours += state[at.BANK + colour] > 0
    for index in range(len(at.TAKEN)):
        if at.TAKEN_SUM[index] == 3 or at.TAKEN_SUM[index] <= colours < 3:
            possible = True
            for colour in range(at.NCOLOURS):
                if at.TAKEN[index, colour] > state[at.BANK + colour]:
                    possible = False
            if possible:
                actions[count] = at.TAKE + index
                count += 1
    for colour in range(at.NCOLOURS):
        if state[at.BANK + colour] >= PAIR_NEEDS:
            actions[count] = at.PAIR + colour
            count += 1
    return count


@inlined
def _buys(state: Ints, player: int, actions: Ints, count: int) -> int:
    """Append the purchases that the player can make to the `count` actions written so far; return the new count."""
    for slot in range(at.SLOTS + state[player + at.HELD]):
        card = state[at.TABLE + slot] if slot < at.SLOTS else state[player + at.RESERVED + slot - at.SLOTS]
        if card != at.NONE and short(state, player, card) <= 0:
            actions[count] = at.BUY + slot
            count += 1
    return count


@inlined
def main(state: Ints, player: int, actions: Ints) -> int:
    """Write the legal actions of the phase `MAIN`; return their number."""
    count = reserves(state, AT, player, actions, _takes(state, actions))
    count = _buys(state, player, actions, count)
    if count == 0:
        actions[0] = at.PASS
        count = 1
    return count


@inlined
def nobles(state: Ints, player: int, actions: Ints) -> int:
    """Write one action for each noble that the player has earned; return their number."""
    count = 0
    for place in range(state[at.SEATS] + 1):
        if earned(state, player, state[at.NOBLE + place]):
            actions[count] = at.VISIT + place
            count += 1
    return count
