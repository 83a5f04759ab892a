"""Input for the conformance suite about each title, written independently of its rules.

A module per title, named by its slug, with
- `RULESET`;
- `domain(state)`: actions, legal or not, that hold every choice worth trying in that position: all lines, all payments,
  all returns;
- `reshuffle(state, reader, rng, keep_next)`: another state that the reader cannot tell from this one. It changes the
  cards and the seed that the reader may not know; with `keep_next`, it keeps the seed and the next card of each deck;
- `hidden(state, reader)`: the cards that the reader may not know, by place: one dictionary for each group of
  cards that can change places.
"""

from collections.abc import Iterator
from itertools import product
from random import Random

from games.rules.hand import Decks, Hand, Reserved
from games.rules.tokens import Tokens

Place = tuple[str, int, int]


def vectors(most: Tokens, total: int) -> Iterator[Tokens]:
    """Every vector of counts that are at most `most` each and `total` in sum."""
    return (counts for counts in product(*(range(limit + 1) for limit in most)) if sum(counts) <= total)


def reshuffle_cards(
    decks: Decks, hands: list[Hand], reader: int | None, rng: Random, *, keep_next: bool
) -> tuple[Decks, list[Hand]]:
    """Permute undealt cards, and swap other seats' blind reserves with undealt cards of their level."""
    kept = [deck[:1] if keep_next else () for deck in decks]
    pool = {level: list(deck[len(kept[level - 1]) :]) for level, deck in enumerate(decks, 1)}
    blind = [
        (seat, index)
        for seat, hand in enumerate(hands)
        for index, held in enumerate(hand)
        if held.blind and seat != reader
    ]
    for seat, index in blind:
        card = hands[seat][index].card
        pool[int(card[0])].append(card)
    for cards in pool.values():
        rng.shuffle(cards)
    new = [list(hand) for hand in hands]
    for seat, index in blind:
        held = hands[seat][index]
        new[seat][index] = Reserved(pool[int(held.card[0])].pop(), blind=True)
    return tuple((*kept[level - 1], *pool[level]) for level in pool), [tuple(hand) for hand in new]


def hidden_cards(decks: Decks, hands: list[Hand], reader: int | None) -> list[dict[Place, str]]:
    """For each level, the cards in its deck and in others' hands, by place."""
    places: dict[int, dict[Place, str]] = {1: {}, 2: {}, 3: {}}
    for level, deck in enumerate(decks, 1):
        places[level] |= {("deck", level, index): card for index, card in enumerate(deck)}
    for seat, hand in enumerate(hands):
        for index, held in enumerate(hand):
            if held.blind and seat != reader:
                places[int(held.card[0])]["hand", seat, index] = held.card
    return list(places.values())
