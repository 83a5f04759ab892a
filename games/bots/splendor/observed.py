"""Converts observations and actions of Splendor from the rules to the core."""

from collections.abc import Sequence
from typing import Any

from games.bots import loading
from games.bots.jit import Ints
from games.bots.loading import slot
from games.bots.splendor import layout as at
from games.rules.base import Action
from games.rules.hand import DECKS
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import GOLD
from games.rules.splendor.state import Observation


def load(seen: Observation) -> Ints:
    """The observation as an array. Hidden cards are filled in without a shuffle: call `deal` before use."""
    state = loading.load(at, seen, seen.rows, (card for player in seen.players for card in player.cards))
    state[at.LAST_ROUND] = seen.last_round
    state[at.PASSES] = seen.passes
    state[at.BANK : at.BANK + at.NKINDS] = seen.bank
    state[at.NOBLE : at.NOBLE + at.NOBLES_MAX] = at.NONE
    state[at.NOBLE : at.NOBLE + len(seen.nobles)] = [at.NOBLE_INDEX[noble] for noble in seen.nobles]
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
            return (at.RESERVE + slot(seen, seen.rows, target),)
        case Buy(card=card):
            return (at.BUY + slot(seen, seen.rows, card),)
        case Return(returned=returned):
            return tuple(at.GIVE + kind for kind, number in enumerate(returned) for _ in range(number))
        case ChooseNoble(noble=noble):
            return (at.VISIT + seen.nobles.index(noble),)
        case Pass():
            return (at.PASS,)
    raise TypeError(action)
