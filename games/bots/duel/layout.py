"""The layout of a position of Splendor Duel in an array of small numbers, the cards as arrays, and the actions as
numbers.

A decision of the rules is one or more actions here: tokens are returned one by one, in the order of their kinds, and a
reserved card is named before the gold that is taken with it. Cards are paid for with as little gold as possible.
"""

import numpy as np

from games.rules.duel.cards import CARDS, COLOURS, GOLD, KINDS, LEVELS, LINES, ROYALS, SPACES, SPIRAL, Ability
from games.rules.duel.ruleset import PLACES
from games.rules.duel.state import Phase
from games.rules.hand import SIZE

CARD_IDS = tuple(CARDS)
CARD_INDEX = {card: index for index, card in enumerate(CARD_IDS)}
ROYAL_INDEX = {royal: index for index, royal in enumerate(ROYALS)}
NONE = -1

COST = np.array([card.cost for card in CARDS.values()], dtype=np.int32)
"""The price in the five colours and pearls."""
BONUS = np.array([NONE if card.bonus is None else card.bonus for card in CARDS.values()], dtype=np.int32)
BONUS_COUNT = np.array([card.bonus_count for card in CARDS.values()], dtype=np.int32)
PRESTIGE = np.array([card.prestige for card in CARDS.values()], dtype=np.int32)
CROWNS_ON = np.array([card.crowns for card in CARDS.values()], dtype=np.int32)
LEVEL = np.array([card.level - 1 for card in CARDS.values()], dtype=np.int32)
"""The level of each card, counted from 0."""
ROYAL_PRESTIGE = np.array([royal.prestige for royal in ROYALS.values()], dtype=np.int32)
NOTHING, EXTRA_TURN, SAME_COLOUR, GAINS_PRIVILEGE, STEALS, JOKER = range(len(Ability))
ABILITY = np.array([[ability in card.abilities for ability in Ability] for card in CARDS.values()], dtype=np.int32)
"""For each card and ability, 1 if the card has it, else 0."""
ROYAL_ABILITY = np.array([[ability == royal.ability for ability in Ability] for royal in ROYALS.values()], np.int32)

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
"""Seeds for the bag are below this number; it is below both moduli of `games.bots.jit.below`."""

# The places in the array.
TO_ACT = 0
"""The seat that decides; `NONE` when the game is over."""
PHASE = 1
SEATS = 2
EXTRA = 3
"""Whether the seat to act gets another turn after this one."""
ROYAL_DUE = 4
"""Whether the player takes a royal card after the current decision."""
CARD = 5
"""The card whose colour or match is being chosen; otherwise `NONE`."""
LEAST = 6
"""While tokens are returned: the lowest kind that may still be returned."""
SEED = 7
"""The two numbers of the random source for the bag."""
PRIVILEGES = SEED + 2
"""The privileges above the board."""
BAG = PRIVILEGES + 1
BOARD = BAG + NKINDS
"""The kind of token on each space; `NONE` if it is empty."""
TABLE = BOARD + NSPACES
"""The card in each place, level by level; `NONE` if it is empty."""
ROYALS_LEFT = TABLE + SLOTS
"""For each royal card, whether it is still on the table."""
LEFT = ROYALS_LEFT + len(ROYALS)
"""The number of cards in each deck."""
DECK = LEFT + len(LEVELS)
"""The decks; the next card of each is its last."""
PLAYER = DECK + len(CARDS)
# The places in a player's part.
TOKENS = 0
BONUSES = TOKENS + NKINDS
COLOUR_POINTS = BONUSES + NCOLOURS
POINTS = COLOUR_POINTS + NCOLOURS
CROWNS = POINTS + 1
OWN_PRIVILEGES = CROWNS + 1
OWN_ROYALS = OWN_PRIVILEGES + 1
"""The number of royal cards taken."""
BOUGHT = OWN_ROYALS + 1
HELD = BOUGHT + 1
"""The number of reserved cards."""
RESERVED = HELD + 1
BLIND = RESERVED + HAND
"""For each reserved card, whether it came from a deck unseen."""
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

# The actions.
TAKE = 0
"""Take the tokens of a line: one action for each of `LINES`."""
PRIVILEGE = TAKE + len(LINES)
"""Use a privilege for a token: one action for each space."""
REPLENISH = PRIVILEGE + NSPACES
RESERVE = REPLENISH + 1
"""Reserve a card: one action for each place, then one for the top of each deck."""
TAKE_GOLD = RESERVE + SLOTS + len(LEVELS)
"""Take a gold: one action for each space."""
BUY = TAKE_GOLD + NSPACES
"""Buy a card: one action for each place, then one for each card in hand, oldest first."""
ATTACH = BUY + SLOTS + HAND
"""Choose the colour of the joker just bought: one action for each colour."""
MATCH = ATTACH + NCOLOURS
"""Take a token of the colour of the card just bought: one action for each space."""
STEAL = MATCH + NSPACES
"""Steal a token: one action for each kind but gold."""
ROYAL = STEAL + GOLD
GIVE = ROYAL + len(ROYALS)
"""Return a token: one action for each kind."""
ACTIONS = GIVE + NKINDS

LINE_SPACES = np.array([(*line, NONE, NONE)[:3] for line in LINES], dtype=np.int32)
LINE_BITS = np.array([sum(1 << space for space in line) for line in LINES], dtype=np.int32)
