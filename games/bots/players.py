"""The bots of a title that use its core, weakest first."""

from dataclasses import dataclass
from functools import cache
from random import Random

from games.bots.instinct import Instinct
from games.bots.network import Network
from games.bots.plain import playouts
from games.bots.search import Engine, Evaluate, Evaluator, Searcher, evaluation


@cache
def _network(engine: Engine, seats: int) -> Network:
    return Network.load(engine.shape(seats), engine.weights(seats))


def networked(engine: Engine, seats: int, rng: Random) -> Evaluate:
    """The evaluation by the trained network; raises `FileNotFoundError` if its file is missing."""
    return evaluation(_network(engine, seats))


@dataclass(frozen=True)
class Players:
    """The bots of one title."""

    engine: Engine
    shares: tuple[float, float]
    """For *beginner* and *easy*: the least prior of an action that seems good, as a share of the highest prior."""
    sims: tuple[int, int]
    """For *medium* and *hard*: the number of simulations for a decision, with two seats."""
    evaluator: Evaluator = networked
    """The evaluation of all bots but `plain`; a title without a network has `playouts`."""

    def plain(self) -> Searcher:
        """Looks ahead with random games instead of a network."""
        return Searcher(self.engine, playouts)

    def beginner(self) -> Instinct:
        """Buys a card whenever it can, and otherwise does anything that seems good at first sight."""
        return Instinct(self.engine, self.evaluator, self.shares[0], eager=True)

    def easy(self) -> Instinct:
        """Does anything that seems good at first sight."""
        return Instinct(self.engine, self.evaluator, self.shares[1])

    def medium(self) -> Searcher:
        """Looks a little ahead, through a small, fixed number of simulations."""
        return Searcher(self.engine, self.evaluator, sims=self.sims[0])

    def hard(self) -> Searcher:
        """Looks further ahead, through a larger number of simulations."""
        return Searcher(self.engine, self.evaluator, sims=self.sims[1])

    def strongest(self) -> Searcher:
        """The strongest bot of the title."""
        return Searcher(self.engine, self.evaluator)
