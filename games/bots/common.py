"""The rules about cards and tokens that all titles share, for their cores.

`player` is the offset of a player's part of a state. `slot` is a place on the table or, after those, another place from
which a card can come.
"""

from types import ModuleType
from typing import NamedTuple, Self

import numpy as np

from games.bots.jit import Chance, Ints, inlined, jit, put_last, shuffle
from games.bots.jit import sort as ascending
from games.rules.trade import LIMIT


class Layout(NamedTuple):
    """The numbers of a title's module `layout` that these functions need; their meaning is described there."""

    NONE: int
    SEATS: int
    LEAST: int
    TABLE: int
    LEFT: int
    PLAYER: int
    TOKENS: int
    HELD: int
    RESERVED: int
    BLIND: int
    WIDTH: int
    NKINDS: int
    SLOTS: int
    HAND: int
    RESERVE: int
    GIVE: int
    SLOT_LEVEL: Ints
    LEVEL: Ints
    DECK_START: Ints
    DECK_SIZES: Ints

    @classmethod
    def of(cls, layout: ModuleType) -> Self:
        """The numbers of that module."""
        return cls(*(getattr(layout, name) for name in cls._fields))


@inlined
def tokens_of(state: Ints, at: Layout, player: int) -> int:
    """The number of the player's tokens."""
    count = 0
    for kind in range(at.NKINDS):
        count += state[player + at.TOKENS + kind]
    return count


@inlined
def returns(state: Ints, at: Layout, player: int, actions: Ints) -> int:
    """Write the actions that return a token, if the player has too many; return their number."""
    count = 0
    available = tokens_of(state, at, player)
    excess = available - LIMIT
    for kind in range(at.NKINDS):
        held = state[player + at.TOKENS + kind]
        if kind >= state[at.LEAST] and held and available >= excess:
            actions[count] = at.GIVE + kind
            count += 1
        available -= held
    return count


@inlined
def reserves(state: Ints, at: Layout, player: int, actions: Ints, count: int) -> int:
    """Append the actions that reserve a card to the `count` actions written so far; return the new count."""
    if state[player + at.HELD] < at.HAND:
        for slot in range(at.SLOTS):
            if state[at.TABLE + slot] != at.NONE:
                actions[count] = at.RESERVE + slot
                count += 1
        for deck in range(len(at.DECK_START)):
            if state[at.LEFT + deck]:
                actions[count] = at.RESERVE + at.SLOTS + deck
                count += 1
    return count


@inlined
def draw(state: Ints, at: Layout, deck: int) -> int:
    """Remove and return the next card of the deck, which must not be empty."""
    state[at.LEFT + deck] -= 1
    return int(state[at.DECK_START[deck] + state[at.LEFT + deck]])


@inlined
def refill(state: Ints, at: Layout) -> None:
    """Fill the empty places on the table from the decks, in place."""
    for slot in range(at.SLOTS):
        if state[at.TABLE + slot] == at.NONE and state[at.LEFT + at.SLOT_LEVEL[slot]]:
            state[at.TABLE + slot] = draw(state, at, at.SLOT_LEVEL[slot])


@inlined
def reserve(state: Ints, at: Layout, player: int, slot: int) -> None:
    """Move a card into the player's hand, from the table or, after those places, from the top of a deck."""
    held = state[player + at.HELD]
    state[player + at.HELD] = held + 1
    state[player + at.BLIND + held] = slot >= at.SLOTS
    if slot < at.SLOTS:
        state[player + at.RESERVED + held] = state[at.TABLE + slot]
        state[at.TABLE + slot] = at.NONE
    else:
        state[player + at.RESERVED + held] = draw(state, at, slot - at.SLOTS)


@inlined
def remove(state: Ints, at: Layout, player: int, slot: int) -> int:
    """Remove and return a card from the table or, after those places, from the player's hand."""
    if slot < at.SLOTS:
        card = state[at.TABLE + slot]
        state[at.TABLE + slot] = at.NONE
        return int(card)
    card = state[player + at.RESERVED + slot - at.SLOTS]
    held = state[player + at.HELD] - 1
    state[player + at.HELD] = held
    for place in range(slot - at.SLOTS, held):
        state[player + at.RESERVED + place] = state[player + at.RESERVED + place + 1]
        state[player + at.BLIND + place] = state[player + at.BLIND + place + 1]
    state[player + at.RESERVED + held] = at.NONE
    state[player + at.BLIND + held] = 0
    return int(card)


@jit
def unseen(state: Ints, at: Layout, deck: int, viewer: int, cards: Ints) -> int:
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
def deal_cards(state: Ints, at: Layout, viewer: int, rng: Chance) -> None:
    """Deal again, in place, all cards that the viewer cannot know: the decks, and the cards that others reserved from
    them."""
    pool = np.empty(len(at.LEVEL), dtype=np.int32)
    for deck in range(len(at.DECK_START)):
        count = unseen(state, at, deck, viewer, pool)
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
def sort_decks(state: Ints, at: Layout) -> None:
    """Sort the decks in place, and write 0 for the cards drawn from them."""
    for deck in range(len(at.DECK_START)):
        start = at.DECK_START[deck]
        left = state[at.LEFT + deck]
        ascending(state[start : start + at.DECK_SIZES[deck]], left)
        state[start + left : start + at.DECK_SIZES[deck]] = 0


@jit
def bring_up(state: Ints, at: Layout, action: int, order: Ints) -> bool:
    """If the action reserves a card from a deck, swap the card of the deck that comes first in `order` to its top.
    Return whether the action does that."""
    deck = action - at.RESERVE - at.SLOTS
    if not 0 <= deck < len(at.DECK_START):
        return False
    put_last(state[at.DECK_START[deck] :], state[at.LEFT + deck], order)
    return True
