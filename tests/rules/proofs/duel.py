"""Splendor Duel for the conformance suite."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

from games.rules.base import Action
from games.rules.duel.actions import (
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
from games.rules.duel.cards import CARDS, COLOURS, KINDS, ROYALS, SPACES
from games.rules.duel.ruleset import Duel
from games.rules.duel.state import State
from games.rules.hand import DECKS
from tests.rules.proofs import Place, hidden_cards, reshuffle_cards, vectors

RULESET = Duel()


def domain(state: State) -> Iterator[Action[State]]:
    spaces = range(len(SPACES))
    held = state.player.tokens
    around = tuple(number + 1 for number in held)
    yield Replenish()
    yield from map(UsePrivilege, spaces)
    for size in (0, 1, 2, 3):
        yield from map(Take, combinations(spaces, size))
    yield from (Reserve(target, space) for target in (*CARDS, *DECKS) for space in spaces)
    yield from map(Attach, range(len(COLOURS)))
    yield from map(Match, spaces)
    yield from map(Steal, range(len(KINDS)))
    yield from map(ChooseRoyal, ROYALS)
    yield from map(Return, vectors(around, 4))
    near = {card for row in state.pyramid for card in row} | {
        kept.card for player in state.players for kept in player.reserved
    }
    for card in CARDS.values():
        # Payments are brute-forced for visible cards only; other cards are not for sale, whatever the payment.
        ways = vectors(around, sum(card.cost)) if card.id in near else vectors(held, 1)
        yield from (Buy(card.id, payment) for payment in ways)


def reshuffle(state: State, reader: int | None, rng: Random, *, keep_next: bool) -> State:
    hands = [player.reserved for player in state.players]
    decks, hands = reshuffle_cards(state.decks, hands, reader, rng, keep_next=keep_next)
    first, second = (replace(player, reserved=hand) for player, hand in zip(state.players, hands, strict=True))
    seed = state.seed if keep_next else rng.randbytes(32)
    return replace(state, decks=decks, players=(first, second), seed=seed)


def hidden(state: State, reader: int | None) -> list[dict[Place, str]]:
    return hidden_cards(state.decks, [player.reserved for player in state.players], reader)
