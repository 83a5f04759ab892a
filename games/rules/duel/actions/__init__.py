"""The decisions of Splendor Duel: one class each, with its legality and its effect."""

from games.rules.duel.actions.caused import Attach, ChooseRoyal, Match, Return, Steal
from games.rules.duel.actions.mandatory import CROWNS_FOR_ROYAL, Buy, Reserve, Take
from games.rules.duel.actions.optional import Replenish, UsePrivilege
from games.rules.duel.actions.spaces import fill

__all__ = [
    "CROWNS_FOR_ROYAL",
    "Attach",
    "Buy",
    "ChooseRoyal",
    "Match",
    "Replenish",
    "Reserve",
    "Return",
    "Steal",
    "Take",
    "UsePrivilege",
    "fill",
]
