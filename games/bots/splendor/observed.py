"""Converts observations and actions of Splendor from the rules to the core."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from games.bots.hands import hold
from games.bots.jit import Ints
from games.bots.splendor import layout as at
from games.rules.base import Action
from games.rules.hand import DECKS
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import GOLD
from games.rules.splendor.state import Observation


def load(seen: Observation) -> Ints:
    """The observation as an array. Hidden cards are filled in without a shuffle: call `deal` before use."""
    state = np.zeros(at.SIZE_OF_STATE, dtype=np.int32)
    state[at.TO_ACT] = at.NONE if seen.to_act is None else seen.to_act
    state[at.PHASE] = at.PHASES[seen.phases[0]] if seen.phases else at.MAIN
    state[at.SEATS] = len(seen.players)
    state[at.LAST_ROUND] = seen.last_round
    state[at.PASSES] = seen.passes
    state[at.BANK : at.BANK + at.NKINDS] = seen.bank
    places = [card for row in seen.rows for card in row]
    state[at.TABLE : at.TABLE + at.SLOTS] = [at.NONE if card is None else at.CARD_INDEX[card] for card in places]
    state[at.NOBLE : at.NOBLE + at.NOBLES_MAX] = at.NONE
    state[at.NOBLE : at.NOBLE + len(seen.nobles)] = [at.NOBLE_INDEX[noble] for noble in seen.nobles]
    bought = (card for player in seen.players for card in player.cards)
    for seat, player in enumerate(seen.players):
        part = state[at.PLAYER + seat * at.WIDTH : at.PLAYER + (seat + 1) * at.WIDTH]
        part[at.TOKENS : at.TOKENS + at.NKINDS] = player.tokens
        part[at.BONUSES : at.BONUSES + at.NCOLOURS] = player.bonuses
        part[at.POINTS] = player.points
        part[at.BOUGHT] = len(player.cards)
    hold(state, at, [player.reserved for player in seen.players], (*places, *bought))
    return state


def path(seen: Observation, action: Action[Any]) -> Sequence[int]:
    """The actions of the core that make up this action of the rules."""
    match action:
        case Take(taken=taken) if max(taken) == 2:
            return (at.PAIR + taken.index(2),)
        case Take(taken=taken):
            return (at.TAKE + at.TAKES.index(taken[:GOLD]),)
        case Reserve(target=target) if target in DECKS:
            return (at.RESERVE + at.SLOTS + DECKS[target] - 1,)
        case Reserve(target=target):
            return (at.RESERVE + _slot(seen, target),)
        case Buy(card=card):
            return (at.BUY + _slot(seen, card),)
        case Return(returned=returned):
            return tuple(at.GIVE + kind for kind, number in enumerate(returned) for _ in range(number))
        case ChooseNoble(noble=noble):
            return (at.VISIT + seen.nobles.index(noble),)
        case Pass():
            return (at.PASS,)
    raise TypeError(action)


def _slot(seen: Observation, card: str) -> int:
    """The index of a card: its place on the table, or after those, its place in the hand of the seat to act."""
    assert seen.to_act is not None
    hand = [held.card for held in seen.players[seen.to_act].reserved]
    return [*(place for row in seen.rows for place in row), *hand].index(card)
