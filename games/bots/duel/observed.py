"""Converts observations and actions of Splendor Duel from the rules to the core."""

from collections.abc import Sequence
from typing import Any

from games.bots import loading
from games.bots.duel import layout as at
from games.bots.jit import Ints
from games.bots.loading import parts, slot
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
from games.rules.duel.cards import KINDS, LINES, ROYALS
from games.rules.duel.state import EMPTY, Observation, Phase
from games.rules.hand import DECKS

LINE_INDEX = {line: index for index, line in enumerate(LINES)}


def load(seen: Observation) -> Ints:
    """The observation as an array. Hidden cards are filled in without a shuffle: call `deal` before use."""
    state = loading.load(at, seen, seen.pyramid, (owned.card for player in seen.players for owned in player.cards))
    state[at.EXTRA] = seen.extra_turn
    state[at.ROYAL_DUE] = Phase.ROYAL in seen.phases[1:]
    state[at.CARD] = at.NONE
    if seen.to_act is not None and state[at.PHASE] in (at.CHOOSE_COLOUR, at.CHOOSE_MATCH):
        state[at.CARD] = at.CARD_INDEX[seen.players[seen.to_act].cards[-1].card]
    state[at.SEED : at.SEED + 2] = 1
    state[at.PRIVILEGES] = seen.privileges
    state[at.BAG : at.BAG + at.NKINDS] = seen.bag
    state[at.BOARD : at.BOARD + at.NSPACES] = [
        at.NONE if token == EMPTY else KINDS.index(token) for token in seen.board
    ]
    state[at.ROYALS_LEFT : at.ROYALS_LEFT + len(ROYALS)] = [royal in seen.royals for royal in ROYALS]
    for part, player in zip(parts(at, state), seen.players, strict=True):
        part[at.COLOUR_POINTS : at.COLOUR_POINTS + at.NCOLOURS] = player.colour_points
        part[at.CROWNS] = player.crowns
        part[at.OWN_PRIVILEGES] = player.privileges
        part[at.OWN_ROYALS] = len(player.royals)
    return state


def path(seen: Observation, action: Action[Any]) -> Sequence[int]:
    """The actions of the core that make up this action of the rules."""
    match action:
        case Take(spaces=spaces):
            return (at.TAKE + LINE_INDEX[spaces],)
        case UsePrivilege(space=space):
            return (at.PRIVILEGE + space,)
        case Replenish():
            return (at.REPLENISH,)
        case Reserve(target=target, gold=space) if target in DECKS:
            return (at.RESERVE + at.SLOTS + DECKS[target] - 1, at.TAKE_GOLD + space)
        case Reserve(target=target, gold=space):
            return (at.RESERVE + slot(seen, seen.pyramid, target), at.TAKE_GOLD + space)
        case Buy(card=card):
            return (at.BUY + slot(seen, seen.pyramid, card),)
        case Attach(colour=colour):
            return (at.ATTACH + colour,)
        case Match(space=space):
            return (at.MATCH + space,)
        case Steal(kind=kind):
            return (at.STEAL + kind,)
        case ChooseRoyal(royal=royal):
            return (at.ROYAL + at.ROYAL_INDEX[royal],)
        case Return(returned=returned):
            return tuple(at.GIVE + kind for kind, number in enumerate(returned) for _ in range(number))
    raise TypeError(action)
