"""Writes observations into the arrays of the cores, as far as that is the same for every title."""

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from games.bots.jit import Ints
from games.rules.hand import DECKS, SeenHand, level

Rows = Iterable[Sequence[str | None]]
"""The cards on the table by level; `None` is an empty place."""


def load(at: ModuleType, seen: Any, rows: Rows, bought: Iterable[str]) -> Ints:
    """A state in the title's layout `at` with everything that all titles have in common. `bought` are the purchased
    cards. Hidden cards are filled in without a shuffle."""
    state: Ints = np.zeros(at.SIZE_OF_STATE, dtype=np.int32)
    state[at.TO_ACT] = at.NONE if seen.to_act is None else seen.to_act
    state[at.PHASE] = at.PHASES[seen.phases[0]] if seen.phases else 0
    state[at.SEATS] = len(seen.players)
    places = [card for row in rows for card in row]
    state[at.TABLE : at.TABLE + at.SLOTS] = [at.NONE if card is None else at.CARD_INDEX[card] for card in places]
    for part, player in zip(parts(at, state), seen.players, strict=False):
        part[at.TOKENS : at.TOKENS + at.NKINDS] = player.tokens
        part[at.BONUSES : at.BONUSES + at.NCOLOURS] = player.bonuses
        part[at.POINTS] = player.points
        part[at.BOUGHT] = len(player.cards)
    _hold(at, state, [player.reserved for player in seen.players], (*places, *bought))
    return state


def parts(at: ModuleType, state: Ints) -> list[Ints]:
    """The parts of the seats in a state."""
    return [state[start : start + at.WIDTH] for start in range(at.PLAYER, at.SIZE_OF_STATE, at.WIDTH)]


def _hold(at: ModuleType, state: Ints, hands: Sequence[SeenHand], seen: Iterable[str | None]) -> None:
    """Write the reserved cards of every seat, and the decks. `seen` are the face-up and purchased cards. Hidden places
    are filled with unseen cards of their level in any order."""
    known = {*seen, *(held.card for hand in hands for held in hand)}
    unseen: dict[int, list[str]] = {number: [] for number in DECKS.values()}
    for card in at.CARD_IDS:
        if card not in known:
            unseen[level(card)].append(card)
    for part, hand in zip(parts(at, state), hands, strict=False):
        part[at.HELD] = len(hand)
        part[at.RESERVED : at.RESERVED + at.HAND] = at.NONE
        for index, held in enumerate(hand):
            part[at.RESERVED + index] = at.CARD_INDEX[held.card or unseen[held.level].pop()]
            part[at.BLIND + index] = held.blind
    for deck, cards in enumerate(unseen.values()):
        state[at.LEFT + deck] = len(cards)
        state[at.DECK_START[deck] : at.DECK_START[deck] + len(cards)] = [at.CARD_INDEX[card] for card in cards]


def slot(seen: Any, rows: Rows, card: str) -> int:
    """The index of a card: its place on the table, or after those, its place in the hand of the seat to act."""
    hand = [held.card for held in seen.players[seen.to_act].reserved]
    return [*(place for row in rows for place in row), *hand].index(card)
