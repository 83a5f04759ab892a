"""The bot of the toy."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.rules.base import Action
from tests.rules.proofs.toy import TARGET, Draw, Observation


class Greedy(Bot[Observation]):
    """Draws while no card can exceed the limit."""

    def choose(self, seen: Observation, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        assert seen.seat is not None
        safe = sum(card or 0 for card in seen.hands[seen.seat]) + 9 <= TARGET
        return next(action for action in legal if isinstance(action, Draw) == safe)
