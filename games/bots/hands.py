"""Writes hands as a seat sees them into the arrays of the cores; the same for every title."""

from collections.abc import Iterable, Sequence
from types import ModuleType

from games.bots.jit import Ints
from games.rules.hand import DECKS, SeenHand, level


def hold(state: Ints, at: ModuleType, hands: Sequence[SeenHand], seen: Iterable[str | None]) -> None:
    """Write the reserved cards of every seat, and the decks, in the title's layout `at`. `seen` are the face-up and
    purchased cards. Hidden places are filled with unseen cards of their level in any order."""
    known = {*seen, *(held.card for hand in hands for held in hand)}
    unseen: dict[int, list[str]] = {number: [] for number in DECKS.values()}
    for card in at.CARD_IDS:
        if card not in known:
            unseen[level(card)].append(card)
    for seat, hand in enumerate(hands):
        part = state[at.PLAYER + seat * at.WIDTH : at.PLAYER + (seat + 1) * at.WIDTH]
        part[at.HELD] = len(hand)
        part[at.RESERVED : at.RESERVED + at.HAND] = at.NONE
        for index, held in enumerate(hand):
            part[at.RESERVED + index] = at.CARD_INDEX[held.card or unseen[held.level].pop()]
            part[at.BLIND + index] = held.blind
    for deck, cards in enumerate(unseen.values()):
        state[at.LEFT + deck] = len(cards)
        state[at.DECK_START[deck] : at.DECK_START[deck] + len(cards)] = [at.CARD_INDEX[card] for card in cards]
