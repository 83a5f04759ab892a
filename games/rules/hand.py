"""Cards in decks, rows and hands, the same in both titles: which may be reserved, and how much of a hand a reader may
see.

A card that was face up stays visible to all. A card from a deck is visible to its owner only, its level to all (R31,
D35).
"""

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from games.rules import chance
from games.rules.base import BadNotation, Event, IllegalAction

SIZE = 3
"""How many reserved cards a player may hold (R29, D32)."""
DECKS = {"L1": 1, "L2": 2, "L3": 3}
"""Each deck's notation and level."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """A card in hand; `blind` if it came from a deck."""

    card: str
    blind: bool


@dataclass(frozen=True, slots=True)
class SeenReserved:
    """A reserved card as a reader sees it: `card` is `None` if it is hidden from that reader."""

    level: int
    card: str | None
    blind: bool


Hand = tuple[Reserved, ...]
SeenHand = tuple[SeenReserved, ...]
Decks = tuple[tuple[str, ...], ...]
"""Undealt cards of levels 1 to 3, the next one first."""
Rows = tuple[tuple[str | None, ...], ...]
"""The places for face-up cards of levels 1 to 3; `None` is an empty place."""


def level(card: str) -> int:
    """The level of a card: the first character of its id."""
    return int(card[0])


def shuffled(cards: Collection[str], seed: bytes) -> list[tuple[str, ...]]:
    """The cards of each level in the order of that seed."""
    return [
        chance.shuffle(seed, f"level-{number}", 0, [card for card in cards if level(card) == number])
        for number in DECKS.values()
    ]


def face_up(rows: Rows) -> Iterator[str]:
    return (card for row in rows for card in row if card is not None)


def misplaced(decks: Decks, rows: Rows, *, refilled: bool) -> Iterator[str]:
    """The faults of known cards: a wrong level, and, if the rows have been refilled, an empty place before a deck."""
    for number, deck, row in zip(DECKS.values(), decks, rows, strict=True):
        if {level(card) for card in (*row, *deck) if card is not None} - {number}:
            yield f"level {number} holds a card of another level"
        if refilled and None in row and deck:
            yield f"level {number} has an empty place"


def parse_target(text: str, cards: Container[str]) -> str:
    """A card's id or the notation of a deck; raises `BadNotation`."""
    if text not in cards and text not in DECKS:
        raise BadNotation("unknown_card", text=text[:40])
    return text


def targets(hand: Hand, decks: Decks, face_up: Iterable[str]) -> Iterator[str]:
    """The cards and decks that may be reserved: any face-up card or non-empty deck, if the hand has room (R26, R34)."""
    if len(hand) < SIZE:
        yield from face_up
        yield from (name for name, number in DECKS.items() if decks[number - 1])


def check_target(target: str, hand: Hand, decks: Decks, face_up: Iterable[str]) -> None:
    """Raise `IllegalAction` unless the target may be reserved."""
    if len(hand) >= SIZE:
        raise IllegalAction("hand_full")
    if target in DECKS:
        if not decks[DECKS[target] - 1]:
            raise IllegalAction("deck_empty", level=DECKS[target])
    elif target not in face_up:
        raise IllegalAction("card_not_on_table", card=target)


def observe(hand: Hand, *, owner: bool) -> SeenHand:
    """The hand as its owner or another reader sees it."""
    return tuple(
        SeenReserved(level(held.card), held.card if owner or not held.blind else None, held.blind) for held in hand
    )


def determinize(
    hands: Iterable[SeenHand], cards: Iterable[str], seen: Iterable[str | None], rng: Random
) -> tuple[list[Hand], Decks]:
    """Hands and decks that fit what is seen: every unseen card of a level is equally likely in every hidden place of
    that level."""
    hands = list(hands)
    known = {*seen, *(held.card for hand in hands for held in hand)}
    unseen: dict[int, list[str]] = {number: [] for number in DECKS.values()}
    for card in cards:
        if card not in known:
            unseen[level(card)].append(card)
    for pile in unseen.values():
        rng.shuffle(pile)
    filled = [tuple(Reserved(held.card or unseen[held.level].pop(), held.blind) for held in hand) for hand in hands]
    return filled, tuple(map(tuple, unseen.values()))


def show(event: Event, seat: int | None) -> Event | None:
    """Hide the event `drew`, which names a card from a deck, from everybody but its owner."""
    return None if event.code == "drew" and event.facts["seat"] != seat else event


def draw(decks: Decks, level: int) -> tuple[str, Decks]:
    """The top card of the deck of that level, and the decks without it. The deck must not be empty."""
    index = level - 1
    card, *rest = decks[index]
    return card, (*decks[:index], tuple(rest), *decks[index + 1 :])
