"""Weaker versions of bots, for a player's first games."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.rules.base import Action

BEGINNER_OVERLOOKS = 0.4
EASY_OVERLOOKS = 0.2
"""The shares of the legal actions that these bots do not notice."""


@dataclass(frozen=True)
class Overlooking(Bot[Any]):
    """Decides like another bot, but overlooks some of the legal actions."""

    other: Bot[Any]
    overlooked: float
    """The share of legal actions that the bot does not notice."""

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        noticed = [action for action in legal if rng.random() >= self.overlooked]
        return self.other.choose(seen, noticed or [rng.choice(legal)], rng, limit)
