"""Who looks ahead, title by title."""

from dataclasses import dataclass
from functools import cache
from random import Random

from games.bots.duel import core as duel_core
from games.bots.duel import features as duel_features
from games.bots.network import Network
from games.bots.plain import playouts
from games.bots.search import Engine, Evaluate, Searcher, evaluation, weights_file
from games.bots.splendor import core as splendor_core
from games.bots.splendor import features as splendor_features
from games.rules.duel.ruleset import Duel
from games.rules.splendor.ruleset import Splendor

ENGINES = {
    "splendor": Engine(Splendor(), splendor_core, splendor_features),
    "duel": Engine(Duel(), duel_core, duel_features),
}


@cache
def _network(engine: Engine, seats: int) -> Network:
    return Network.load(engine.shape(seats), weights_file(engine, seats))


def networked(engine: Engine, seats: int, rng: Random) -> Evaluate:
    """The trained network of that title and number of seats."""
    return evaluation(_network(engine, seats))


@dataclass(frozen=True)
class Players:
    """The bots of one title."""

    engine: Engine

    def plain(self) -> Searcher:
        """Random play to the end from every leaf: what the others are measured by."""
        return Searcher(self.engine, playouts)

    def strongest(self) -> Searcher:
        """As strong as we can."""
        return Searcher(self.engine, networked)


splendor = Players(ENGINES["splendor"])
duel = Players(ENGINES["duel"])
