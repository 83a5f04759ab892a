"""Somebody in their first games."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.bots.base import Bot, Limit
from games.rules.base import Action

OVERLOOKED = 0.4
"""How much of what could be done."""


@dataclass(frozen=True)
class Easy(Bot[Any]):
    """Decides like another bot, and overlooks a good part of what could be done."""

    other: Bot[Any]

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        noticed = [action for action in legal if rng.random() >= OVERLOOKED]
        return self.other.choose(seen, noticed or [rng.choice(legal)], rng, limit)
