"""The bots of a title that look ahead with its core, weakest first."""

from dataclasses import dataclass
from functools import cache
from random import Random

from games.bots.network import Network
from games.bots.plain import playouts
from games.bots.search import Engine, Evaluate, Searcher, evaluation

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

    def plain(self) -> Searcher:
        """Searches with random games instead of a network; the other bots are measured against it."""
        return Searcher(self.engine, playouts)

    def medium(self) -> Searcher:
        """Looks a little ahead, through a small, fixed number of simulations."""
        return Searcher(self.engine, networked, sims=MEDIUM_SIMS)

    def hard(self) -> Searcher:
        """Looks further ahead, through a larger number of simulations."""
        return Searcher(self.engine, networked, sims=HARD_SIMS)

    def strongest(self) -> Searcher:
        """The strongest bot of the title."""
        return Searcher(self.engine, networked)
