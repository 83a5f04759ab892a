"""Where a position of Splendor Duel stands in an array of small numbers, its cards as arrays, and its actions as
numbers.

A decision of the rules is one action here or more: tokens are returned one by one, in the order of their kinds, and a
reserved card is named before the gold that is taken with it. A card is paid with the least gold.
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
