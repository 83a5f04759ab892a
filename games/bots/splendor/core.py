"""A second copy of the rules of Splendor, on one array of small numbers, for bots that look far ahead.

`games.rules.splendor` is the source of truth: the core is set up from an observation, and the rules check every action
that it chooses.
"""

import numpy as np

from games.bots.jit import Chance, Floats, Ints, jit, put_last, shuffle
from games.bots.jit import sort as ascending
from games.bots.splendor import layout as at
from games.rules.splendor.actions import PAIR_NEEDS
from games.rules.splendor.cards import GOLD
from games.rules.splendor.state import TARGET
from games.rules.trade import LIMIT


@jit
def short(state: Ints, player: int, card: int) -> int:
    """How many tokens the player lacks for the card after spending gold; `player` is the offset of the player's
    part."""
    missing = 0
    for colour in range(at.NCOLOURS):
        due = at.COST[card, colour] - state[player + at.BONUSES + colour] - state[player + at.TOKENS + colour]
        if due > 0:
            missing += due
    return int(missing - state[player + at.TOKENS + GOLD])


@jit
def _earned(state: Ints, player: int, noble: int) -> bool:
    lacking = 0
    for colour in range(at.NCOLOURS):
        lacking += at.NEEDS[noble, colour] > state[player + at.BONUSES + colour]
    return noble != at.NONE and lacking == 0


@jit
def legal(state: Ints, actions: Ints) -> int:
    """Write every legal action in ascending order and return their number, 0 when the game is over."""
    count = 0
    seat = state[at.TO_ACT]
    if seat == at.NONE:
        return 0
    player = at.PLAYER + seat * at.WIDTH
    if state[at.PHASE] == at.RETURN:
        available = 0
        for kind in range(at.NKINDS):
            available += state[player + at.TOKENS + kind]
        excess = available - LIMIT
        for kind in range(at.NKINDS):
            held = state[player + at.TOKENS + kind]
            if kind >= state[at.LEAST] and held and available >= excess:
                actions[count] = at.GIVE + kind
                count += 1
            available -= held
        return count
    if state[at.PHASE] == at.CHOOSE_NOBLE:
        for place in range(state[at.SEATS] + 1):
            if _earned(state, player, state[at.NOBLE + place]):
                actions[count] = at.VISIT + place
                count += 1
        return count
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
    if state[player + at.HELD] < at.HAND:
        for slot in range(at.SLOTS):
            if state[at.TABLE + slot] != at.NONE:
                actions[count] = at.RESERVE + slot
                count += 1
        for deck in range(len(at.DECK_START)):
            if state[at.LEFT + deck]:
                actions[count] = at.RESERVE + at.SLOTS + deck
                count += 1
    for slot in range(at.SLOTS):
        card = state[at.TABLE + slot]
        if card != at.NONE and short(state, player, card) <= 0:
            actions[count] = at.BUY + slot
            count += 1
    for index in range(state[player + at.HELD]):
        if short(state, player, state[player + at.RESERVED + index]) <= 0:
            actions[count] = at.BUY + at.SLOTS + index
            count += 1
    if count == 0:
        actions[0] = at.PASS
        count = 1
    return count


@jit
def _draw(state: Ints, deck: int) -> int:
    """Remove and return the next card of the deck, which must not be empty."""
    state[at.LEFT + deck] -= 1
    return int(state[at.DECK_START[deck] + state[at.LEFT + deck]])


@jit
def _buy(state: Ints, player: int, card: int) -> None:
    for colour in range(at.NCOLOURS):
        due = at.COST[card, colour] - state[player + at.BONUSES + colour]
        if due > 0:
            held = state[player + at.TOKENS + colour]
            gold = max(0, due - held)
            state[player + at.TOKENS + colour] -= due - gold
            state[at.BANK + colour] += due - gold
            state[player + at.TOKENS + GOLD] -= gold
            state[at.BANK + GOLD] += gold
    state[player + at.BONUSES + at.BONUS[card]] += 1
    state[player + at.POINTS] += at.PRESTIGE[card]
    state[player + at.BOUGHT] += 1


@jit
def _end_turn(state: Ints, player: int) -> None:
    seats = state[at.SEATS]
    if state[player + at.POINTS] >= TARGET:
        state[at.LAST_ROUND] = 1
    following = (state[at.TO_ACT] + 1) % seats
    if (state[at.LAST_ROUND] and following == 0) or state[at.PASSES] == seats:
        state[at.TO_ACT] = at.NONE
    else:
        state[at.TO_ACT] = following
        state[at.PHASE] = at.MAIN


@jit
def refill(state: Ints) -> None:
    """Fill the empty places on the table from the decks, in place."""
    for slot in range(at.SLOTS):
        if state[at.TABLE + slot] == at.NONE and state[at.LEFT + at.SLOT_LEVEL[slot]]:
            state[at.TABLE + slot] = _draw(state, at.SLOT_LEVEL[slot])


@jit
def step(state: Ints, action: int) -> None:
    """Play a legal action in place."""
    act(state, action)
    refill(state)


@jit
def act(state: Ints, action: int) -> None:
    """Play a legal action in place, but leave a place empty whose card is taken."""
    player = at.PLAYER + state[at.TO_ACT] * at.WIDTH
    phase = state[at.PHASE]
    if phase == at.MAIN:
        state[at.PASSES] = state[at.PASSES] + 1 if action == at.PASS else 0
        if action < at.PAIR:
            for colour in range(at.NCOLOURS):
                state[at.BANK + colour] -= at.TAKEN[action, colour]
                state[player + at.TOKENS + colour] += at.TAKEN[action, colour]
        elif action < at.RESERVE:
            state[at.BANK + action - at.PAIR] -= 2
            state[player + at.TOKENS + action - at.PAIR] += 2
        elif action < at.BUY:
            slot = action - at.RESERVE
            held = state[player + at.HELD]
            if slot < at.SLOTS:
                state[player + at.RESERVED + held] = state[at.TABLE + slot]
                state[player + at.BLIND + held] = 0
                state[at.TABLE + slot] = at.NONE
            else:
                state[player + at.RESERVED + held] = _draw(state, slot - at.SLOTS)
                state[player + at.BLIND + held] = 1
            state[player + at.HELD] = held + 1
            if state[at.BANK + GOLD]:
                state[at.BANK + GOLD] -= 1
                state[player + at.TOKENS + GOLD] += 1
        elif action < at.GIVE:
            slot = action - at.BUY
            if slot < at.SLOTS:
                _buy(state, player, state[at.TABLE + slot])
                state[at.TABLE + slot] = at.NONE
            else:
                _buy(state, player, state[player + at.RESERVED + slot - at.SLOTS])
                state[player + at.HELD] -= 1
                for index in range(slot - at.SLOTS, state[player + at.HELD]):
                    state[player + at.RESERVED + index] = state[player + at.RESERVED + index + 1]
                    state[player + at.BLIND + index] = state[player + at.BLIND + index + 1]
                state[player + at.RESERVED + state[player + at.HELD]] = at.NONE
                state[player + at.BLIND + state[player + at.HELD]] = 0
        state[at.LEAST] = 0
    elif phase == at.RETURN:
        kind = action - at.GIVE
        state[player + at.TOKENS + kind] -= 1
        state[at.BANK + kind] += 1
        state[at.LEAST] = kind
    else:
        place = action - at.VISIT
        state[player + at.POINTS] += at.NOBLE_PRESTIGE[state[at.NOBLE + place]]
        state[at.NOBLE + place] = at.NONE
        state[at.PASSES] = 0
    if phase != at.CHOOSE_NOBLE:
        held = 0
        for kind in range(at.NKINDS):
            held += state[player + at.TOKENS + kind]
        if held > LIMIT:
            state[at.PHASE] = at.RETURN
            return
        for place in range(state[at.SEATS] + 1):
            if _earned(state, player, state[at.NOBLE + place]):
                state[at.PHASE] = at.CHOOSE_NOBLE
                return
    _end_turn(state, player)


@jit
def result(state: Ints, shares: Floats) -> None:
    """Write each seat's share of the victory: 1, its part of a shared victory, or 0."""
    best = -1
    winners = 0
    for seat in range(state[at.SEATS]):
        player = at.PLAYER + seat * at.WIDTH
        rank = 100 * state[player + at.POINTS] + 99 - state[player + at.BOUGHT]
        if rank > best:
            best, winners = rank, 0
        winners += rank == best
    for seat in range(state[at.SEATS]):
        player = at.PLAYER + seat * at.WIDTH
        rank = 100 * state[player + at.POINTS] + 99 - state[player + at.BOUGHT]
        shares[seat] = 1.0 / winners if rank == best else 0.0


@jit
def unseen(state: Ints, deck: int, viewer: int, cards: Ints) -> int:
    """Write the cards of that level that the viewer cannot know, in ascending order: those in the deck, and those that
    others reserved from it. Return their number."""
    count = int(state[at.LEFT + deck])
    cards[:count] = state[at.DECK_START[deck] : at.DECK_START[deck] + count]
    for seat in range(state[at.SEATS]):
        player = at.PLAYER + seat * at.WIDTH
        for index in range(state[player + at.HELD]):
            card = state[player + at.RESERVED + index]
            if seat != viewer and state[player + at.BLIND + index] and at.LEVEL[card] == deck:
                cards[count] = card
                count += 1
    ascending(cards, count)
    return count


@jit
def deal(state: Ints, viewer: int, rng: Chance) -> None:
    """Deal again, in place, everything that the viewer cannot know: the decks, and the cards that others reserved from
    them."""
    pool = np.empty(len(at.COST), dtype=np.int32)
    for deck in range(len(at.DECK_START)):
        count = unseen(state, deck, viewer, pool)
        shuffle(pool, count, rng)
        for seat in range(state[at.SEATS]):
            player = at.PLAYER + seat * at.WIDTH
            for index in range(state[player + at.HELD]):
                card = state[player + at.RESERVED + index]
                if seat != viewer and state[player + at.BLIND + index] and at.LEVEL[card] == deck:
                    count -= 1
                    state[player + at.RESERVED + index] = pool[count]
        state[at.DECK_START[deck] : at.DECK_START[deck] + count] = pool[:count]


@jit
def sort(state: Ints) -> None:
    """Sort the decks and the hidden cards drawn from them in place, so that equal positions have equal arrays."""
    for deck in range(len(at.DECK_START)):
        start = at.DECK_START[deck]
        left = state[at.LEFT + deck]
        ascending(state[start : start + at.DECK_SIZES[deck]], left)
        state[start + left : start + at.DECK_SIZES[deck]] = 0
    if state[at.PHASE] != at.RETURN:
        state[at.LEAST] = 0


@jit
def reveal(state: Ints, action: int, order: Ints) -> bool:
    """Play a legal action in a sorted position in place; return whether it revealed a card. A card taken from the table
    is not replaced, because nobody can know the next one. The next card of a deck is its first one in `order`."""
    deck = action - at.RESERVE - at.SLOTS
    blind = 0 <= deck < len(at.DECK_START)
    if blind:
        put_last(state[at.DECK_START[deck] :], state[at.LEFT + deck], order)
    act(state, action)
    sort(state)
    return bool(blind)
