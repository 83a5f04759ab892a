"""The bots of a title with a core, weak to strong; most of them look ahead."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from games.bots.base import Bot
from games.bots.network import Network
from games.bots.overlooking import Overlooking
from games.bots.plain import playouts
from games.bots.search import Engine, Evaluate, Searcher, evaluation

BEGINNER_OVERLOOKS = 0.4
EASY_OVERLOOKS = 0.2
"""The shares of the legal actions that these bots do not notice."""
MEDIUM_SIMS = 30
HARD_SIMS = 400
"""Simulations of these bots for a decision, with two seats."""


@cache
def _network(engine: Engine, seats: int) -> Network:
    return Network.load(engine.shape(seats), engine.weights(seats))


def networked(engine: Engine, seats: int, rng: Random) -> Evaluate:
    """The trained network for that title and number of seats; random games if there is none."""
    if not engine.weights(seats).exists():
        return playouts(engine, seats, rng)
    return evaluation(_network(engine, seats))


@dataclass(frozen=True)
class Players:
    """The bots of one title."""

    engine: Engine
    greedy: Callable[[], Bot[Any]]

    def beginner(self) -> Overlooking:
        """The bot for a player's first games."""
        return Overlooking(self.greedy(), BEGINNER_OVERLOOKS)

    def easy(self) -> Overlooking:
        """The same bot, but it overlooks fewer actions."""
        return Overlooking(self.greedy(), EASY_OVERLOOKS)

    def plain(self) -> Searcher:
        """Searches with random games instead of a network; the other bots are measured against it."""
        return Searcher(self.engine, playouts)

    def medium(self) -> Searcher:
        """Looks a little ahead: a fixed, small number of evaluations."""
        return Searcher(self.engine, networked, sims=MEDIUM_SIMS)

    def hard(self) -> Searcher:
        """Looks further ahead, through a fixed number of simulations."""
        return Searcher(self.engine, networked, sims=HARD_SIMS)

    def strongest(self) -> Searcher:
        """The strongest bot of the title."""
        return Searcher(self.engine, networked)
