"""Splendor once more, over one array of small numbers, for programs that look far ahead.

`games.rules.splendor` is the source of truth: a core is set up from what a seat may know of a state of it, and every
action that comes out is judged by it. A decision of the rules is one action here or more: tokens are returned one by
one, in the order of their kinds. A card is paid with the least gold.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from games.bots.jit import Chance, Floats, Ints, below, jit, shuffle
from games.rules.base import Action
from games.rules.hand import DECKS, SIZE, level
from games.rules.splendor.actions import PAIR_NEEDS, Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import CARDS, COLOURS, GOLD, KINDS, LEVELS, NOBLES
from games.rules.splendor.ruleset import PLACES
from games.rules.splendor.state import TARGET, Observation, Phase
from games.rules.trade import LIMIT

CARD_IDS = tuple(CARDS)
NOBLE_IDS = tuple(NOBLES)
CARD_INDEX = {card: index for index, card in enumerate(CARD_IDS)}
NOBLE_INDEX = {noble: index for index, noble in enumerate(NOBLE_IDS)}
NONE = -1

COST = np.array([card.cost for card in CARDS.values()], dtype=np.int32)
BONUS = np.array([card.bonus for card in CARDS.values()], dtype=np.int32)
PRESTIGE = np.array([card.prestige for card in CARDS.values()], dtype=np.int32)
LEVEL = np.array([card.level - 1 for card in CARDS.values()], dtype=np.int32)
"""Counted from 0."""
NEEDS = np.array([noble.needs for noble in NOBLES.values()], dtype=np.int32)
NOBLE_PRESTIGE = np.array([noble.prestige for noble in NOBLES.values()], dtype=np.int32)

MAX_SEATS = 4
NCOLOURS = len(COLOURS)
NKINDS = len(KINDS)
ROW = PLACES
SLOTS = len(LEVELS) * ROW
HAND = SIZE
NOBLES_MAX = MAX_SEATS + 1
DECK_SIZES = np.bincount(LEVEL).astype(np.int32)

# Where things are in the array
TO_ACT = 0
"""The seat that decides, `NONE` when the game is over."""
PHASE = 1
SEATS = 2
LAST_ROUND = 3
PASSES = 4
LEAST = 5
"""While tokens are returned: the least kind that may still be."""
BANK = 6
TABLE = BANK + NKINDS
"""The card in each place, level by level, `NONE` in an empty one."""
NOBLE = TABLE + SLOTS
LEFT = NOBLE + NOBLES_MAX
"""How many cards each deck has."""
DECK = LEFT + len(LEVELS)
"""The decks, the next card of each last."""
PLAYER = DECK + len(CARDS)
# and in the part of a player
TOKENS = 0
BONUSES = TOKENS + NKINDS
POINTS = BONUSES + NCOLOURS
BOUGHT = POINTS + 1
HELD = BOUGHT + 1
"""How many cards are reserved."""
RESERVED = HELD + 1
BLIND = RESERVED + HAND
"""For each of them whether it came from a deck unseen."""
WIDTH = BLIND + HAND
SIZE_OF_STATE = PLAYER + MAX_SEATS * WIDTH

DECK_START = np.array([DECK + DECK_SIZES[:number].sum() for number in range(len(LEVELS))], dtype=np.int32)

MAIN, RETURN, CHOOSE_NOBLE = range(3)
PHASES = {Phase.MAIN: MAIN, Phase.RETURN: RETURN, Phase.NOBLE: CHOOSE_NOBLE}

# The actions
TAKES = tuple(
    tuple(int(colour in chosen) for colour in range(NCOLOURS))
    for size in (3, 2, 1)
    for chosen in combinations(range(NCOLOURS), size)
)
TAKEN = np.array(TAKES, dtype=np.int32)
TAKEN_SUM = TAKEN.sum(1).astype(np.int32)
TAKE = 0
PAIR = TAKE + len(TAKES)
RESERVE = PAIR + NCOLOURS
"""The card in each place, then the top of each deck."""
BUY = RESERVE + SLOTS + len(LEVELS)
"""The card in each place, then those in hand, oldest first."""
GIVE = BUY + SLOTS + HAND
"""Return a token of each kind."""
VISIT = GIVE + NKINDS
"""Receive the noble in each place."""
PASS = VISIT + NOBLES_MAX
ACTIONS = PASS + 1


@jit
def short(state: Ints, player: int, card: int) -> int:
    """How many tokens the player that begins at that place lacks for the card, gold counted."""
    missing = 0
    for colour in range(NCOLOURS):
        due = COST[card, colour] - state[player + BONUSES + colour] - state[player + TOKENS + colour]
        if due > 0:
            missing += due
    return int(missing - state[player + TOKENS + GOLD])


@jit
def _earned(state: Ints, player: int, noble: int) -> bool:
    lacking = 0
    for colour in range(NCOLOURS):
        lacking += NEEDS[noble, colour] > state[player + BONUSES + colour]
    return noble != NONE and lacking == 0


@jit
def legal(state: Ints, actions: Ints) -> int:
    """Write every legal action, in ascending order, and return how many there are: none when the game is over."""
    count = 0
    seat = state[TO_ACT]
    if seat == NONE:
        return 0
    player = PLAYER + seat * WIDTH
    if state[PHASE] == RETURN:
        available = 0
        for kind in range(NKINDS):
            available += state[player + TOKENS + kind]
        excess = available - LIMIT
        for kind in range(NKINDS):
            held = state[player + TOKENS + kind]
            if kind >= state[LEAST] and held and available >= excess:
                actions[count] = GIVE + kind
                count += 1
            available -= held
        return count
    if state[PHASE] == CHOOSE_NOBLE:
        for place in range(state[SEATS] + 1):
            if _earned(state, player, state[NOBLE + place]):
                actions[count] = VISIT + place
                count += 1
        return count
    colours = 0
    for colour in range(NCOLOURS):
        colours += state[BANK + colour] > 0
    for index in range(len(TAKEN)):
        if TAKEN_SUM[index] == 3 or TAKEN_SUM[index] <= colours < 3:
            possible = True
            for colour in range(NCOLOURS):
                if TAKEN[index, colour] > state[BANK + colour]:
                    possible = False
            if possible:
                actions[count] = TAKE + index
                count += 1
    for colour in range(NCOLOURS):
        if state[BANK + colour] >= PAIR_NEEDS:
            actions[count] = PAIR + colour
            count += 1
    if state[player + HELD] < HAND:
        for slot in range(SLOTS):
            if state[TABLE + slot] != NONE:
                actions[count] = RESERVE + slot
                count += 1
        for deck in range(len(DECK_START)):
            if state[LEFT + deck]:
                actions[count] = RESERVE + SLOTS + deck
                count += 1
    for slot in range(SLOTS):
        card = state[TABLE + slot]
        if card != NONE and short(state, player, card) <= 0:
            actions[count] = BUY + slot
            count += 1
    for index in range(state[player + HELD]):
        if short(state, player, state[player + RESERVED + index]) <= 0:
            actions[count] = BUY + SLOTS + index
            count += 1
    if count == 0:
        actions[0] = PASS
        count = 1
    return count


@jit
def _draw(state: Ints, deck: int) -> int:
    """The next card of the deck, which loses it; `NONE` if it is empty."""
    if state[LEFT + deck] == 0:
        return NONE
    state[LEFT + deck] -= 1
    return int(state[DECK_START[deck] + state[LEFT + deck]])


@jit
def _buy(state: Ints, player: int, card: int) -> None:
    for colour in range(NCOLOURS):
        due = COST[card, colour] - state[player + BONUSES + colour]
        if due > 0:
            held = state[player + TOKENS + colour]
            gold = max(0, due - held)
            state[player + TOKENS + colour] -= due - gold
            state[BANK + colour] += due - gold
            state[player + TOKENS + GOLD] -= gold
            state[BANK + GOLD] += gold
    state[player + BONUSES + BONUS[card]] += 1
    state[player + POINTS] += PRESTIGE[card]
    state[player + BOUGHT] += 1


@jit
def _end_turn(state: Ints, player: int) -> None:
    seats = state[SEATS]
    if state[player + POINTS] >= TARGET:
        state[LAST_ROUND] = 1
    following = (state[TO_ACT] + 1) % seats
    if (state[LAST_ROUND] and following == 0) or state[PASSES] == seats:
        state[TO_ACT] = NONE
    else:
        state[TO_ACT] = following
        state[PHASE] = MAIN


@jit
def step(state: Ints, action: int) -> None:
    """Play a legal action, in place."""
    player = PLAYER + state[TO_ACT] * WIDTH
    phase = state[PHASE]
    if phase == MAIN:
        state[PASSES] = state[PASSES] + 1 if action == PASS else 0
        if action < PAIR:
            for colour in range(NCOLOURS):
                state[BANK + colour] -= TAKEN[action, colour]
                state[player + TOKENS + colour] += TAKEN[action, colour]
        elif action < RESERVE:
            state[BANK + action - PAIR] -= 2
            state[player + TOKENS + action - PAIR] += 2
        elif action < BUY:
            slot = action - RESERVE
            held = state[player + HELD]
            if slot < SLOTS:
                state[player + RESERVED + held] = state[TABLE + slot]
                state[player + BLIND + held] = 0
                state[TABLE + slot] = _draw(state, slot // ROW)
            else:
                state[player + RESERVED + held] = _draw(state, slot - SLOTS)
                state[player + BLIND + held] = 1
            state[player + HELD] = held + 1
            if state[BANK + GOLD]:
                state[BANK + GOLD] -= 1
                state[player + TOKENS + GOLD] += 1
        elif action < GIVE:
            slot = action - BUY
            if slot < SLOTS:
                _buy(state, player, state[TABLE + slot])
                state[TABLE + slot] = _draw(state, slot // ROW)
            else:
                _buy(state, player, state[player + RESERVED + slot - SLOTS])
                state[player + HELD] -= 1
                for index in range(slot - SLOTS, state[player + HELD]):
                    state[player + RESERVED + index] = state[player + RESERVED + index + 1]
                    state[player + BLIND + index] = state[player + BLIND + index + 1]
                state[player + RESERVED + state[player + HELD]] = NONE
                state[player + BLIND + state[player + HELD]] = 0
        state[LEAST] = 0
    elif phase == RETURN:
        kind = action - GIVE
        state[player + TOKENS + kind] -= 1
        state[BANK + kind] += 1
        state[LEAST] = kind
    else:
        place = action - VISIT
        state[player + POINTS] += NOBLE_PRESTIGE[state[NOBLE + place]]
        state[NOBLE + place] = NONE
    if phase != CHOOSE_NOBLE:
        held = 0
        for kind in range(NKINDS):
            held += state[player + TOKENS + kind]
        if held > LIMIT:
            state[PHASE] = RETURN
            return
        for place in range(state[SEATS] + 1):
            if _earned(state, player, state[NOBLE + place]):
                state[PHASE] = CHOOSE_NOBLE
                return
    _end_turn(state, player)


@jit
def result(state: Ints, shares: Floats) -> None:
    """Write what each seat has won of one victory: all of it, its part of a shared one, or nothing."""
    best = -1
    winners = 0
    for seat in range(state[SEATS]):
        player = PLAYER + seat * WIDTH
        rank = 100 * state[player + POINTS] + 99 - state[player + BOUGHT]
        if rank > best:
            best, winners = rank, 0
        winners += rank == best
    for seat in range(state[SEATS]):
        player = PLAYER + seat * WIDTH
        rank = 100 * state[player + POINTS] + 99 - state[player + BOUGHT]
        shares[seat] = 1.0 / winners if rank == best else 0.0


@jit
def deal(state: Ints, viewer: int, rng: Chance) -> None:
    """Deal anew what that seat cannot know, in place: the decks, and what others reserved from them unseen."""
    pool = np.empty(len(COST), dtype=np.int32)
    for deck in range(len(DECK_START)):
        count = state[LEFT + deck]
        pool[:count] = state[DECK_START[deck] : DECK_START[deck] + count]
        for seat in range(state[SEATS]):
            player = PLAYER + seat * WIDTH
            for index in range(state[player + HELD]):
                card = state[player + RESERVED + index]
                if seat != viewer and state[player + BLIND + index] and LEVEL[card] == deck:
                    pool[count] = card
                    count += 1
        shuffle(pool, count, rng)
        for seat in range(state[SEATS]):
            player = PLAYER + seat * WIDTH
            for index in range(state[player + HELD]):
                card = state[player + RESERVED + index]
                if seat != viewer and state[player + BLIND + index] and LEVEL[card] == deck:
                    count -= 1
                    state[player + RESERVED + index] = pool[count]
        state[DECK_START[deck] : DECK_START[deck] + count] = pool[:count]


@jit
def playout(state: Ints, rng: Chance, longest: int, shares: Floats) -> int:
    """Play random actions to the end, in place, and write its result; return how many. A game not over after
    `longest` counts as shared by all."""
    actions = np.empty(ACTIONS, dtype=np.int32)
    for plies in range(longest):
        count = legal(state, actions)
        if count == 0:
            result(state, shares)
            return plies
        step(state, actions[below(rng, count)])
    shares[:] = 1.0 / state[SEATS]
    return longest


def load(seen: Observation) -> Ints:
    """What a seat sees, as an array. What it cannot know is filled in as the cards come: `deal` it before use."""
    state = np.zeros(SIZE_OF_STATE, dtype=np.int32)
    state[TO_ACT] = NONE if seen.to_act is None else seen.to_act
    state[PHASE] = PHASES[seen.phases[0]] if seen.phases else MAIN
    state[SEATS] = len(seen.players)
    state[LAST_ROUND] = seen.last_round
    state[PASSES] = seen.passes
    state[BANK : BANK + NKINDS] = seen.bank
    places = [card for row in seen.rows for card in row]
    state[TABLE : TABLE + SLOTS] = [NONE if card is None else CARD_INDEX[card] for card in places]
    state[NOBLE : NOBLE + NOBLES_MAX] = NONE
    state[NOBLE : NOBLE + len(seen.nobles)] = [NOBLE_INDEX[noble] for noble in seen.nobles]
    known = {*places, *(card for player in seen.players for card in player.cards)}
    known |= {held.card for player in seen.players for held in player.reserved}
    unseen = [[card for card in CARD_IDS if level(card) == number and card not in known] for number in LEVELS]
    for seat, player in enumerate(seen.players):
        part = state[PLAYER + seat * WIDTH : PLAYER + (seat + 1) * WIDTH]
        part[TOKENS : TOKENS + NKINDS] = player.tokens
        part[BONUSES : BONUSES + NCOLOURS] = player.bonuses
        part[POINTS] = player.points
        part[BOUGHT] = len(player.cards)
        part[HELD] = len(player.reserved)
        part[RESERVED : RESERVED + HAND] = NONE
        for index, held in enumerate(player.reserved):
            part[RESERVED + index] = CARD_INDEX[held.card or unseen[held.level - 1].pop()]
            part[BLIND + index] = held.blind
    for deck, cards in enumerate(unseen):
        state[LEFT + deck] = len(cards)
        state[DECK_START[deck] : DECK_START[deck] + len(cards)] = [CARD_INDEX[card] for card in cards]
    return state


def path(seen: Observation, action: Action[Any]) -> Sequence[int]:
    """The actions here that make up one of the rules."""
    match action:
        case Take(taken=taken) if max(taken) == 2:
            return (PAIR + taken.index(2),)
        case Take(taken=taken):
            return (TAKE + TAKES.index(taken[:GOLD]),)
        case Reserve(target=target) if target in DECKS:
            return (RESERVE + SLOTS + DECKS[target] - 1,)
        case Reserve(target=target):
            return (RESERVE + _slot(seen, target),)
        case Buy(card=card):
            return (BUY + _slot(seen, card),)
        case Return(returned=returned):
            return tuple(GIVE + kind for kind, number in enumerate(returned) for _ in range(number))
        case ChooseNoble(noble=noble):
            return (VISIT + seen.nobles.index(noble),)
        case Pass():
            return (PASS,)
    raise TypeError(action)


def _slot(seen: Observation, card: str) -> int:
    """The place of a card on the table, or after those the place in the hand of the seat to act."""
    assert seen.to_act is not None
    hand = [held.card for held in seen.players[seen.to_act].reserved]
    return [*(place for row in seen.rows for place in row), *hand].index(card)
