"""The layout of a position of Splendor in an array of small numbers, the cards as arrays, and the actions as numbers.

A decision of the rules is one or more actions here: tokens are returned one by one, in the order of their kinds. Cards
are paid for with as little gold as possible.
"""

from itertools import combinations

import numpy as np

from games.rules.hand import SIZE
from games.rules.splendor.cards import CARDS, COLOURS, KINDS, LEVELS, NOBLES
from games.rules.splendor.ruleset import PLACES
from games.rules.splendor.state import Phase

CARD_IDS = tuple(CARDS)
CARD_INDEX = {card: index for index, card in enumerate(CARD_IDS)}
NOBLE_INDEX = {noble: index for index, noble in enumerate(NOBLES)}
NONE = -1

COST = np.array([card.cost for card in CARDS.values()], dtype=np.int32)
BONUS = np.array([card.bonus for card in CARDS.values()], dtype=np.int32)
PRESTIGE = np.array([card.prestige for card in CARDS.values()], dtype=np.int32)
LEVEL = np.array([card.level - 1 for card in CARDS.values()], dtype=np.int32)
"""The level of each card, counted from 0."""
NEEDS = np.array([noble.needs for noble in NOBLES.values()], dtype=np.int32)
NOBLE_PRESTIGE = np.array([noble.prestige for noble in NOBLES.values()], dtype=np.int32)

MAX_SEATS = 4
NCOLOURS = len(COLOURS)
NKINDS = len(KINDS)
ROW = PLACES
SLOTS = len(LEVELS) * ROW
SLOT_LEVEL = np.repeat(np.arange(len(LEVELS)), ROW).astype(np.int32)
"""The level of each place, counted from 0."""
HAND = SIZE
NOBLES_MAX = MAX_SEATS + 1
DECK_SIZES = np.bincount(LEVEL).astype(np.int32)

# The places in the array.
TO_ACT = 0
"""The seat that decides; `NONE` when the game is over."""
PHASE = 1
SEATS = 2
LAST_ROUND = 3
PASSES = 4
LEAST = 5
"""While tokens are returned: the lowest kind that may still be returned."""
BANK = 6
TABLE = BANK + NKINDS
"""The card in each place, level by level; `NONE` if it is empty."""
NOBLE = TABLE + SLOTS
LEFT = NOBLE + NOBLES_MAX
"""The number of cards in each deck."""
DECK = LEFT + len(LEVELS)
"""The decks; the next card of each is its last."""
PLAYER = DECK + len(CARDS)
# The places in a player's part.
TOKENS = 0
BONUSES = TOKENS + NKINDS
POINTS = BONUSES + NCOLOURS
BOUGHT = POINTS + 1
HELD = BOUGHT + 1
"""The number of reserved cards."""
RESERVED = HELD + 1
BLIND = RESERVED + HAND
"""For each reserved card, whether it came from a deck unseen."""
WIDTH = BLIND + HAND
SIZE_OF_STATE = PLAYER + MAX_SEATS * WIDTH

DECK_START = np.array([DECK + DECK_SIZES[:number].sum() for number in range(len(LEVELS))], dtype=np.int32)

MAIN, RETURN, CHOOSE_NOBLE = range(3)
PHASES = {Phase.MAIN: MAIN, Phase.RETURN: RETURN, Phase.NOBLE: CHOOSE_NOBLE}

# The actions.
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
"""Reserve a card: one action for each place, then one for the top of each deck."""
BUY = RESERVE + SLOTS + len(LEVELS)
"""Buy a card: one action for each place, then one for each card in hand, oldest first."""
GIVE = BUY + SLOTS + HAND
"""Return a token: one action for each kind."""
VISIT = GIVE + NKINDS
"""Receive a noble: one action for each place."""
PASS = VISIT + NOBLES_MAX
ACTIONS = PASS + 1
