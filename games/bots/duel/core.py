"""Splendor Duel once more, over one array of small numbers, for programs that look far ahead.

`games.rules.duel` is the source of truth: a core is set up from what a seat may know of a state of it, and every
action that comes out is judged by it. A decision of the rules is one action here or more: tokens are returned one by
one, in the order of their kinds, and a reserved card is named before the gold that is taken with it. A card is paid
with the least gold.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from games.bots.jit import Chance, Floats, Ints, below, jit, shuffle
from games.rules.base import Action
from games.rules.duel.actions import (
    CROWNS_FOR_ROYAL,
    Attach,
    Buy,
    ChooseRoyal,
    Match,
    Replenish,
    Reserve,
    Return,
    Steal,
    Take,
    UsePrivilege,
)
from games.rules.duel.cards import CARDS, COLOURS, GOLD, KINDS, LEVELS, LINES, PEARL, ROYALS, SPACES, SPIRAL, Ability
from games.rules.duel.ruleset import PLACES
from games.rules.duel.state import EMPTY, Observation, Phase
from games.rules.hand import DECKS, SIZE, level
from games.rules.trade import LIMIT

CARD_IDS = tuple(CARDS)
ROYAL_IDS = tuple(ROYALS)
OF_LEVEL = tuple(tuple(card for card in CARD_IDS if level(card) == number) for number in LEVELS)
CARD_INDEX = {card: index for index, card in enumerate(CARD_IDS)}
ROYAL_INDEX = {royal: index for index, royal in enumerate(ROYAL_IDS)}
LINE_INDEX = {line: index for index, line in enumerate(LINES)}
NONE = -1

COST = np.array([card.cost for card in CARDS.values()], dtype=np.int32)
"""In the five colours and pearls."""
BONUS = np.array([NONE if card.bonus is None else card.bonus for card in CARDS.values()], dtype=np.int32)
BONUS_COUNT = np.array([card.bonus_count for card in CARDS.values()], dtype=np.int32)
PRESTIGE = np.array([card.prestige for card in CARDS.values()], dtype=np.int32)
CROWNS_ON = np.array([card.crowns for card in CARDS.values()], dtype=np.int32)
LEVEL = np.array([card.level - 1 for card in CARDS.values()], dtype=np.int32)
"""Counted from 0."""
ROYAL_PRESTIGE = np.array([royal.prestige for royal in ROYALS.values()], dtype=np.int32)
NOTHING, EXTRA_TURN, SAME_COLOUR, GAINS_PRIVILEGE, STEALS, JOKER = range(len(Ability))
ABILITY = np.array([[ability in card.abilities for ability in Ability] for card in CARDS.values()], dtype=np.int32)
"""Which abilities a card has: 1 or 0 for each."""
ROYAL_ABILITY = np.array([[ability == royal.ability for ability in Ability] for royal in ROYALS.values()], np.int32)

PRESTIGE_TO_WIN = 20
CROWNS_TO_WIN = 10
COLOUR_TO_WIN = 10
"""Prestige on cards of one colour."""

MAX_SEATS = 2
NCOLOURS = len(COLOURS)
NKINDS = len(KINDS)
NSPACES = len(SPACES)
SLOTS = sum(PLACES)
HAND = SIZE
DECK_SIZES = np.bincount(LEVEL).astype(np.int32)
SLOT_LEVEL = np.repeat(np.arange(len(LEVELS)), PLACES).astype(np.int32)
"""The level of each place, counted from 0."""
ALONG_SPIRAL = np.array(SPIRAL, dtype=np.int32)
SEEDS = 2_000_000_000
"""Below both moduli of `games.bots.jit.below`."""

# Where things are in the array
TO_ACT = 0
"""The seat that decides, `NONE` when the game is over."""
PHASE = 1
SEATS = 2
EXTRA = 3
"""Whether the seat to act has one more turn after this one."""
ROYAL_DUE = 4
"""Whether a royal card is to be taken after the decision at hand."""
CARD = 5
"""While a card's colour or its match is chosen: that card, else `NONE`."""
LEAST = 6
"""While tokens are returned: the least kind that may still be."""
SEED = 7
"""The two numbers of the source of chance for what comes from the bag."""
PRIVILEGES = SEED + 2
"""Those above the board."""
BAG = PRIVILEGES + 1
BOARD = BAG + NKINDS
"""The kind of token on each space, `NONE` on an empty one."""
TABLE = BOARD + NSPACES
"""The card in each place, level by level, `NONE` in an empty one."""
ROYALS_LEFT = TABLE + SLOTS
"""For each royal card whether it is still there."""
LEFT = ROYALS_LEFT + len(ROYALS)
"""How many cards each deck has."""
DECK = LEFT + len(LEVELS)
"""The decks, the next card of each last."""
PLAYER = DECK + len(CARDS)
# and in the part of a player
TOKENS = 0
BONUSES = TOKENS + NKINDS
COLOUR_POINTS = BONUSES + NCOLOURS
POINTS = COLOUR_POINTS + NCOLOURS
CROWNS = POINTS + 1
OWN_PRIVILEGES = CROWNS + 1
OWN_ROYALS = OWN_PRIVILEGES + 1
"""How many royal cards were taken."""
BOUGHT = OWN_ROYALS + 1
HELD = BOUGHT + 1
"""How many cards are reserved."""
RESERVED = HELD + 1
BLIND = RESERVED + HAND
"""For each of them whether it came from a deck unseen."""
WIDTH = BLIND + HAND
SIZE_OF_STATE = PLAYER + MAX_SEATS * WIDTH

DECK_START = np.array([DECK + DECK_SIZES[:number].sum() for number in range(len(LEVELS))], dtype=np.int32)

TURN, MANDATORY, CHOOSE_GOLD, CHOOSE_COLOUR, CHOOSE_MATCH, CHOOSE_STOLEN, CHOOSE_ROYAL, RETURN = range(8)
PHASES = {
    Phase.TURN: TURN,
    Phase.MANDATORY: MANDATORY,
    Phase.ATTACH: CHOOSE_COLOUR,
    Phase.MATCH: CHOOSE_MATCH,
    Phase.STEAL: CHOOSE_STOLEN,
    Phase.ROYAL: CHOOSE_ROYAL,
    Phase.RETURN: RETURN,
}

# The actions
TAKE = 0
"""Take the tokens of each line of `LINES`."""
PRIVILEGE = TAKE + len(LINES)
"""Use a privilege for the token on each space."""
REPLENISH = PRIVILEGE + NSPACES
RESERVE = REPLENISH + 1
"""The card in each place, then the top of each deck."""
TAKE_GOLD = RESERVE + SLOTS + len(LEVELS)
"""Take the gold on each space."""
BUY = TAKE_GOLD + NSPACES
"""The card in each place, then those in hand, oldest first."""
ATTACH = BUY + SLOTS + HAND
"""Each colour for the joker just bought."""
MATCH = ATTACH + NCOLOURS
"""Take the token on each space, of the colour of the card just bought."""
STEAL = MATCH + NSPACES
"""A token of each kind but gold."""
ROYAL = STEAL + GOLD
GIVE = ROYAL + len(ROYALS)
"""Return a token of each kind."""
ACTIONS = GIVE + NKINDS

LINE_SPACES = np.array([(*line, NONE, NONE)[:3] for line in LINES], dtype=np.int32)
LINE_BITS = np.array([sum(1 << space for space in line) for line in LINES], dtype=np.int32)


@jit
def short(state: Ints, player: int, card: int) -> int:
    """How many tokens the player that begins at that place lacks for the card, gold counted."""
    missing = max(0, COST[card, PEARL] - state[player + TOKENS + PEARL])
    for colour in range(NCOLOURS):
        due = COST[card, colour] - state[player + BONUSES + colour] - state[player + TOKENS + colour]
        if due > 0:
            missing += due
    return int(missing - state[player + TOKENS + GOLD])


@jit
def _buys(state: Ints, player: int, actions: Ints, count: int) -> int:
    """Write what the player can buy after that many actions, and return how many there are then."""
    jokers = state[player + BONUSES : player + BONUSES + NCOLOURS].any()
    for slot in range(SLOTS + state[player + HELD]):
        card = state[TABLE + slot] if slot < SLOTS else state[player + RESERVED + slot - SLOTS]
        if card != NONE and (jokers or not ABILITY[card, JOKER]) and short(state, player, card) <= 0:
            actions[count] = BUY + slot
            count += 1
    return count


@jit
def _reserves(state: Ints, player: int, actions: Ints, count: int) -> int:
    """Write what the player can reserve, given a gold, like `_buys`."""
    if state[player + HELD] < HAND:
        for slot in range(SLOTS):
            if state[TABLE + slot] != NONE:
                actions[count] = RESERVE + slot
                count += 1
        for deck in range(len(DECK_START)):
            if state[LEFT + deck]:
                actions[count] = RESERVE + SLOTS + deck
                count += 1
    return count


@jit
def _strands(state: Ints, player: int, space: int, golds: int, actions: Ints, count: int) -> bool:
    """Whether no mandatory action would be left, even after replenishing, once the player has taken the last gem or
    pearl on the board, from that space; writes beyond that many actions."""
    if state[BAG : BAG + GOLD].any():
        return False
    if (golds or state[BAG + GOLD]) and _reserves(state, player, actions, count) > count:
        return False
    kind = state[BOARD + space]
    state[player + TOKENS + kind] += 1
    stranded = _buys(state, player, actions, count) == count
    state[player + TOKENS + kind] -= 1
    return bool(stranded)


@jit
def _mandatory(state: Ints, player: int, actions: Ints) -> int:
    """What is legal in the phases `TURN` and `MANDATORY`."""
    count = 0
    there = 0
    golds = 0
    for space in range(NSPACES):
        kind = state[BOARD + space]
        golds += kind == GOLD
        there |= int(NONE < kind < GOLD) << space
    for line in range(len(LINE_BITS)):
        actions[count] = TAKE + line
        count += (LINE_BITS[line] & there) == LINE_BITS[line]
    if state[PHASE] == TURN:
        if state[player + OWN_PRIVILEGES]:
            last = there & (there - 1) == 0
            for space in range(NSPACES):
                if there >> space & 1 and not (last and _strands(state, player, space, golds, actions, count)):
                    actions[count] = PRIVILEGE + space
                    count += 1
        if state[BAG : BAG + NKINDS].any():
            actions[count] = REPLENISH
            count += 1
    if golds:
        count = _reserves(state, player, actions, count)
    return int(_buys(state, player, actions, count))


@jit
def _on_board(state: Ints, kind: int, first: int, actions: Ints) -> int:
    """One action for each space with a token of the kind, `first` for space 0."""
    count = 0
    for space in range(NSPACES):
        if state[BOARD + space] == kind:
            actions[count] = first + space
            count += 1
    return count


@jit
def _each(state: Ints, start: int, cells: int, first: int, actions: Ints) -> int:
    """One action for each cell from `start` on that is not 0, `first` for the first of them."""
    count = 0
    for index in range(cells):
        if state[start + index]:
            actions[count] = first + index
            count += 1
    return count


@jit
def _gives(state: Ints, player: int, actions: Ints) -> int:
    count = 0
    available = state[player + TOKENS : player + TOKENS + NKINDS].sum()
    excess = available - LIMIT
    for kind in range(NKINDS):
        held = state[player + TOKENS + kind]
        if kind >= state[LEAST] and held and available >= excess:
            actions[count] = GIVE + kind
            count += 1
        available -= held
    return count


@jit
def legal(state: Ints, actions: Ints) -> int:
    """Write every legal action, in ascending order, and return how many there are: none when the game is over."""
    seat = state[TO_ACT]
    if seat == NONE:
        return 0
    player = PLAYER + seat * WIDTH
    phase = state[PHASE]
    if phase <= MANDATORY:
        return int(_mandatory(state, player, actions))
    if phase == CHOOSE_GOLD:
        return int(_on_board(state, GOLD, TAKE_GOLD, actions))
    if phase == CHOOSE_MATCH:
        return int(_on_board(state, BONUS[state[CARD]], MATCH, actions))
    if phase == CHOOSE_COLOUR:
        return int(_each(state, player + BONUSES, NCOLOURS, ATTACH, actions))
    if phase == CHOOSE_STOLEN:
        return int(_each(state, PLAYER + (1 - seat) * WIDTH + TOKENS, GOLD, STEAL, actions))
    if phase == CHOOSE_ROYAL:
        return int(_each(state, ROYALS_LEFT, len(ROYAL_PRESTIGE), ROYAL, actions))
    return int(_gives(state, player, actions))


@jit
def _draw(state: Ints, deck: int) -> int:
    """The next card of the deck, which is not empty and loses it."""
    state[LEFT + deck] -= 1
    return int(state[DECK_START[deck] + state[LEFT + deck]])


@jit
def _lift(state: Ints, player: int, space: int) -> int:
    """The player takes the token on that space, whose kind is returned."""
    kind = state[BOARD + space]
    state[BOARD + space] = NONE
    state[player + TOKENS + kind] += 1
    return int(kind)


@jit
def _gain_privilege(state: Ints, player: int, other: int) -> None:
    if state[PRIVILEGES]:
        state[PRIVILEGES] -= 1
        state[player + OWN_PRIVILEGES] += 1
    elif state[other + OWN_PRIVILEGES]:
        state[other + OWN_PRIVILEGES] -= 1
        state[player + OWN_PRIVILEGES] += 1


@jit
def _replenish(state: Ints) -> None:
    """Which token falls where hangs on the seed of this world and on how often tokens were drawn in it."""
    drawn = np.empty(NSPACES, dtype=np.int32)
    count = 0
    for kind in range(NKINDS):
        for _ in range(state[BAG + kind]):
            drawn[count] = kind
            count += 1
        state[BAG + kind] = 0
    rng = np.empty(2, dtype=np.int64)
    rng[0], rng[1] = state[SEED], state[SEED + 1]
    shuffle(drawn, count, rng)
    state[SEED], state[SEED + 1] = rng[0], rng[1]
    following = 0
    for space in ALONG_SPIRAL:
        if following < count and state[BOARD + space] == NONE:
            state[BOARD + space] = drawn[following]
            following += 1


@jit
def _abilities(state: Ints, player: int, other: int, has: Ints) -> bool:
    """What those abilities bring about; whether one of them leaves a choice, which is next then."""
    if has[EXTRA_TURN]:
        state[EXTRA] = 1
    if has[GAINS_PRIVILEGE]:
        _gain_privilege(state, player, other)
    if has[JOKER]:
        state[PHASE] = CHOOSE_COLOUR
        return True
    if has[SAME_COLOUR] and (state[BOARD : BOARD + NSPACES] == BONUS[state[CARD]]).any():
        state[PHASE] = CHOOSE_MATCH
        return True
    if has[STEALS] and state[other + TOKENS : other + TOKENS + GOLD].any():
        state[PHASE] = CHOOSE_STOLEN
        return True
    return False


@jit
def _counts(state: Ints, player: int, card: int, colour: int) -> None:
    """From now on a bought card is of that colour."""
    state[player + BONUSES + colour] += BONUS_COUNT[card]
    state[player + COLOUR_POINTS + colour] += PRESTIGE[card]


@jit
def _buy(state: Ints, player: int, card: int) -> None:
    for kind in range(GOLD):
        due = COST[card, kind]
        if kind < NCOLOURS:
            due = max(0, due - state[player + BONUSES + kind])
        gold = max(0, due - state[player + TOKENS + kind])
        state[player + TOKENS + kind] -= due - gold
        state[BAG + kind] += due - gold
        state[player + TOKENS + GOLD] -= gold
        state[BAG + GOLD] += gold
    for crowns in CROWNS_FOR_ROYAL:
        if state[player + CROWNS] < crowns <= state[player + CROWNS] + CROWNS_ON[card]:
            state[ROYAL_DUE] = 1
    state[player + CROWNS] += CROWNS_ON[card]
    state[player + POINTS] += PRESTIGE[card]
    state[player + BOUGHT] += 1
    if BONUS[card] != NONE:
        _counts(state, player, card, BONUS[card])


@jit
def _drop(state: Ints, player: int, index: int) -> None:
    """The card at that place of the hand leaves it."""
    state[player + HELD] -= 1
    held = state[player + HELD]
    for place in range(index, held):
        state[player + RESERVED + place] = state[player + RESERVED + place + 1]
        state[player + BLIND + place] = state[player + BLIND + place + 1]
    state[player + RESERVED + held] = NONE
    state[player + BLIND + held] = 0


@jit
def _won(state: Ints, player: int) -> bool:
    if state[player + POINTS] >= PRESTIGE_TO_WIN or state[player + CROWNS] >= CROWNS_TO_WIN:
        return True
    return bool(state[player + COLOUR_POINTS : player + COLOUR_POINTS + NCOLOURS].max() >= COLOUR_TO_WIN)


@jit
def _end_turn(state: Ints, player: int) -> None:
    for slot in range(SLOTS):
        if state[TABLE + slot] == NONE and state[LEFT + SLOT_LEVEL[slot]]:
            state[TABLE + slot] = _draw(state, SLOT_LEVEL[slot])
    state[PHASE] = TURN
    if _won(state, player):
        state[TO_ACT] = NONE
    elif not state[EXTRA]:
        state[TO_ACT] = 1 - state[TO_ACT]
    state[EXTRA] = 0


@jit
def step(state: Ints, action: int) -> None:
    """Play a legal action, in place."""
    player = PLAYER + state[TO_ACT] * WIDTH
    other = PLAYER + (1 - state[TO_ACT]) * WIDTH
    if action < PRIVILEGE:
        first = _lift(state, player, LINE_SPACES[action, 0])
        alike, pearls = 1, int(first == PEARL)
        for index in range(1, 3):
            if LINE_SPACES[action, index] != NONE:
                kind = _lift(state, player, LINE_SPACES[action, index])
                alike += kind == first
                pearls += kind == PEARL
        if alike == 3 or pearls == 2:
            _gain_privilege(state, other, player)
    elif action < REPLENISH:
        _lift(state, player, action - PRIVILEGE)
        state[player + OWN_PRIVILEGES] -= 1
        state[PRIVILEGES] += 1
        return
    elif action == REPLENISH:
        _replenish(state)
        _gain_privilege(state, other, player)
        state[PHASE] = MANDATORY
        return
    elif action < TAKE_GOLD:
        slot = action - RESERVE
        held = state[player + HELD]
        state[player + HELD] = held + 1
        state[player + BLIND + held] = slot >= SLOTS
        if slot < SLOTS:
            state[player + RESERVED + held] = state[TABLE + slot]
            state[TABLE + slot] = NONE
        else:
            state[player + RESERVED + held] = _draw(state, slot - SLOTS)
        state[PHASE] = CHOOSE_GOLD
        return
    elif action < BUY:
        _lift(state, player, action - TAKE_GOLD)
    elif action < ATTACH:
        slot = action - BUY
        if slot < SLOTS:
            card = state[TABLE + slot]
            state[TABLE + slot] = NONE
        else:
            card = state[player + RESERVED + slot - SLOTS]
            _drop(state, player, slot - SLOTS)
        _buy(state, player, card)
        state[CARD] = card
        if _abilities(state, player, other, ABILITY[card]):
            if state[PHASE] == CHOOSE_STOLEN:
                state[CARD] = NONE
            return
    elif action < MATCH:
        _counts(state, player, state[CARD], action - ATTACH)
    elif action < STEAL:
        _lift(state, player, action - MATCH)
    elif action < ROYAL:
        state[player + TOKENS + action - STEAL] += 1
        state[other + TOKENS + action - STEAL] -= 1
    elif action < GIVE:
        royal = action - ROYAL
        state[ROYALS_LEFT + royal] = 0
        state[player + OWN_ROYALS] += 1
        state[player + POINTS] += ROYAL_PRESTIGE[royal]
        if _abilities(state, player, other, ROYAL_ABILITY[royal]):
            return
    else:
        state[player + TOKENS + action - GIVE] -= 1
        state[BAG + action - GIVE] += 1
        state[LEAST] = action - GIVE
    state[CARD] = NONE
    if state[ROYAL_DUE]:
        state[ROYAL_DUE] = 0
        state[PHASE] = CHOOSE_ROYAL
        return
    if state[player + TOKENS : player + TOKENS + NKINDS].sum() > LIMIT:
        state[PHASE] = RETURN
    else:
        state[LEAST] = 0
        _end_turn(state, player)


@jit
def result(state: Ints, shares: Floats) -> None:
    """Write what each seat has won of one victory: all of it or nothing."""
    for seat in range(MAX_SEATS):
        shares[seat] = 1.0 if _won(state, PLAYER + seat * WIDTH) else 0.0


@jit
def deal(state: Ints, viewer: int, rng: Chance) -> None:
    """Deal anew what that seat cannot know, in place: the decks, what the other reserved from them unseen, and what
    is going to come from the bag."""
    pool = np.empty(len(COST), dtype=np.int32)
    player = PLAYER + (1 - viewer) * WIDTH
    for deck in range(len(DECK_START)):
        count = state[LEFT + deck]
        pool[:count] = state[DECK_START[deck] : DECK_START[deck] + count]
        for index in range(state[player + HELD]):
            card = state[player + RESERVED + index]
            if state[player + BLIND + index] and LEVEL[card] == deck:
                pool[count] = card
                count += 1
        shuffle(pool, count, rng)
        for index in range(state[player + HELD]):
            card = state[player + RESERVED + index]
            if state[player + BLIND + index] and LEVEL[card] == deck:
                count -= 1
                state[player + RESERVED + index] = pool[count]
        state[DECK_START[deck] : DECK_START[deck] + count] = pool[:count]
    state[SEED] = 1 + below(rng, SEEDS)
    state[SEED + 1] = 1 + below(rng, SEEDS)


@jit
def playout(state: Ints, rng: Chance, longest: int, shares: Floats) -> int:
    """Play random actions to the end, in place, and write its result; return how many. A game not over after
    `longest` counts as shared by both."""
    actions = np.empty(ACTIONS, dtype=np.int32)
    for plies in range(longest):
        count = legal(state, actions)
        if count == 0:
            result(state, shares)
            return plies
        step(state, actions[below(rng, count)])
    shares[:] = 1.0 / MAX_SEATS
    return longest


def load(seen: Observation) -> Ints:
    """What a seat sees, as an array. What it cannot know is filled in as the cards come: `deal` it before use."""
    state = np.zeros(SIZE_OF_STATE, dtype=np.int32)
    state[TO_ACT] = NONE if seen.to_act is None else seen.to_act
    state[PHASE] = PHASES[seen.phases[0]] if seen.phases else TURN
    state[SEATS] = MAX_SEATS
    state[EXTRA] = seen.extra_turn
    state[ROYAL_DUE] = Phase.ROYAL in seen.phases[1:]
    state[CARD] = NONE
    if seen.to_act is not None and state[PHASE] in (CHOOSE_COLOUR, CHOOSE_MATCH):
        state[CARD] = CARD_INDEX[seen.players[seen.to_act].cards[-1].card]
    state[SEED : SEED + 2] = 1
    state[PRIVILEGES] = seen.privileges
    state[BAG : BAG + NKINDS] = seen.bag
    state[BOARD : BOARD + NSPACES] = [NONE if token == EMPTY else KINDS.index(token) for token in seen.board]
    places = [card for row in seen.pyramid for card in row]
    state[TABLE : TABLE + SLOTS] = [NONE if card is None else CARD_INDEX[card] for card in places]
    state[ROYALS_LEFT : ROYALS_LEFT + len(ROYALS)] = [royal in seen.royals for royal in ROYALS]
    known = {*places, *(owned.card for player in seen.players for owned in player.cards)}
    known |= {held.card for player in seen.players for held in player.reserved}
    unseen = [[card for card in cards if card not in known] for cards in OF_LEVEL]
    for seat, player in enumerate(seen.players):
        part = state[PLAYER + seat * WIDTH : PLAYER + (seat + 1) * WIDTH]
        part[TOKENS : TOKENS + NKINDS] = player.tokens
        part[BONUSES : BONUSES + NCOLOURS] = player.bonuses
        part[COLOUR_POINTS : COLOUR_POINTS + NCOLOURS] = player.colour_points
        part[POINTS] = player.points
        part[CROWNS] = player.crowns
        part[OWN_PRIVILEGES] = player.privileges
        part[OWN_ROYALS] = len(player.royals)
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
        case Take(spaces=spaces):
            return (TAKE + LINE_INDEX[spaces],)
        case UsePrivilege(space=space):
            return (PRIVILEGE + space,)
        case Replenish():
            return (REPLENISH,)
        case Reserve(target=target, gold=space) if target in DECKS:
            return (RESERVE + SLOTS + DECKS[target] - 1, TAKE_GOLD + space)
        case Reserve(target=target, gold=space):
            return (RESERVE + _slot(seen, target), TAKE_GOLD + space)
        case Buy(card=card):
            return (BUY + _slot(seen, card),)
        case Attach(colour=colour):
            return (ATTACH + colour,)
        case Match(space=space):
            return (MATCH + space,)
        case Steal(kind=kind):
            return (STEAL + kind,)
        case ChooseRoyal(royal=royal):
            return (ROYAL + ROYAL_INDEX[royal],)
        case Return(returned=returned):
            return tuple(GIVE + kind for kind, number in enumerate(returned) for _ in range(number))
    raise TypeError(action)


def _slot(seen: Observation, card: str) -> int:
    """The place of a card in the pyramid, or after those the place in the hand of the seat to act."""
    assert seen.to_act is not None
    hand = [held.card for held in seen.players[seen.to_act].reserved]
    return [*(place for row in seen.pyramid for place in row), *hand].index(card)
