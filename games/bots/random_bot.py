"""The bot that plays at random."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.rules.base import Action


class RandomBot(Bot[object]):
    """Draws from options and variants, all equally likely."""

    variants = True

    def choose(self, seen: object, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        return rng.choice(legal)
