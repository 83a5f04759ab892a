"""Positions of random games, and what bots read of them."""

from random import Random

import numpy as np
import pytest

from games.bots.engines import ENGINES
from games.bots.network import Network

GAMES = [(slug, seats) for slug, engine in ENGINES.items() for seats in engine.ruleset.seats]
every_game = pytest.mark.parametrize(("slug", "seats"), GAMES)


def positions(engine, seats, games, plies=400):
    """Positions of random games with at least two choices, as states of the rules."""
    rng = Random(f"{engine.slug} {seats}")
    for _ in range(games):
        state = engine.ruleset.initial(seats, rng.randbytes(32))
        for _ in range(plies):
            legal = engine.ruleset.legal_actions(state)
            if len(legal) > 1:
                yield state
            state = engine.ruleset.apply(state, rng.choice(legal)).state
            if state.to_act is None:
                break


def loaded(engine, state):
    """The observation of the seat to act as an array."""
    return engine.observed.load(engine.ruleset.observe(state, state.to_act))


def features(engine, seats, array):
    found = np.empty(engine.shape(seats).features, dtype=np.float32)
    engine.features.encode(array, found)
    return found


def network(engine, seats):
    """A network with random weights."""
    rng = np.random.default_rng(0)
    sizes = engine.shape(seats).weights
    return Network(engine.shape(seats), {name: rng.normal(size=size) / 10 for name, size in sizes.items()})


def outcomes_of(graph, branch):
    """The outcomes of a branch, each with the orders of the hidden cards in which it is drawn."""
    outcome, orders = graph.outcome[branch], range(len(graph.order))
    while outcome >= 0:
        yield outcome, [order for order in orders if graph.drawn[outcome] >> order & 1]
        outcome = graph.following[outcome]
