"""Splendor for the conformance suite."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from games.rules.base import Action
from games.rules.hand import DECKS
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import CARDS, NOBLES
from games.rules.splendor.ruleset import Splendor
from games.rules.splendor.state import State
from tests.rules.proofs import Place, hidden_cards, reshuffle_cards, vectors

RULESET = Splendor()


def domain(state: State) -> Iterator[Action[State]]:
    held = state.player.tokens
    around = tuple(number + 1 for number in held)
    yield Pass()
    yield from map(Take, vectors((4,) * 6, 4))
    yield from map(Reserve, (*CARDS, *DECKS))
    yield from map(ChooseNoble, NOBLES)
    yield from map(Return, vectors(around, 4))
    near = {card for row in state.rows for card in row} | {
        kept.card for player in state.players for kept in player.reserved
    }
    for card in CARDS.values():
        # Payments are brute-forced for visible cards only; other cards are not for sale, whatever the payment.
        ways = vectors(around, sum(card.cost)) if card.id in near else vectors(held, 1)
        yield from (Buy(card.id, payment) for payment in ways)


def reshuffle(state: State, reader: int | None, rng: Random, *, keep_next: bool) -> State:
    hands = [player.reserved for player in state.players]
    decks, hands = reshuffle_cards(state.decks, hands, reader, rng, keep_next=keep_next)
    players = tuple(replace(player, reserved=hand) for player, hand in zip(state.players, hands, strict=True))
    return replace(state, decks=decks, players=players, seed=state.seed if keep_next else rng.randbytes(32))


def hidden(state: State, reader: int | None) -> list[dict[Place, str]]:
    return hidden_cards(state.decks, [player.reserved for player in state.players], reader)
