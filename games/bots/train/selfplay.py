"""Games of networks, many side by side, so that their positions are evaluated together."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.forest import Leaves
from games.bots.jit import Chance, Floats, Ints, chance
from games.bots.search import WORLDS, Engine, Evaluate, Search

LONGEST = 400
"""Actions after which a game counts as shared by all."""
EARLY = 14
"""Actions of a game that are drawn by how often they were looked at; later ones are drawn from the best."""
NOISE, SPREAD = 0.25, 10.0
"""How much of the prior at the root is random, and over how many actions."""
EXPECTED = 0.5
"""How much of the target of a value is what the search expected; the rest is the outcome."""


class Samples(NamedTuple):
    """Positions to learn from, a row each."""

    states: NDArray[np.int16]
    policy: NDArray[np.float16]
    """How often each action was looked at, in parts of one."""
    outcome: NDArray[np.float16]
    """What each seat won, from the one to act on."""
    expected: NDArray[np.float16]
    """What the search took the chance of the seat to act to be."""


def targets(outcome: Floats, expected: Floats) -> Floats:
    """The values to learn: outcomes mixed with what the search expected for the seat to act; the others share what is
    left as they did in the outcome, alike if they had nothing."""
    others = outcome[:, 1:]
    whole = others.sum(1, keepdims=True)
    parts = np.where(whole > 0, others / np.maximum(whole, 1e-6), 1 / others.shape[1])
    mixed = np.concatenate([expected[:, None], (1 - expected[:, None]) * parts], axis=1)
    return (EXPECTED * mixed + (1 - EXPECTED) * outcome).astype(np.float32)


@dataclass(frozen=True)
class Plan:
    """How much is searched."""

    sims: int = 64
    full_sims: int = 192
    """For the positions that are learnt from."""
    full: float = 0.33
    """How many of all positions those are."""
    explore: bool = True


class _Game:
    def __init__(self, number: int, state: Ints, players: Sequence[int]) -> None:
        self.number = number
        self.state = state
        self.players = players
        """Which player sits where."""
        self.plies = 0
        self.samples: list[tuple[NDArray[np.int16], NDArray[np.float16], int, float]] = []


def deals(engine: Engine, seats: int, rng: Random) -> Ints:
    """A game after set-up."""
    state: Ints = engine.observed.load(engine.ruleset.observe(engine.ruleset.initial(seats, rng.randbytes(32)), 0))
    engine.core.deal(state, 0, chance(rng.getrandbits(62)))
    return state


def play(
    engine: Engine,
    seats: int,
    players: Sequence[Evaluate],
    games: Sequence[tuple[Ints, Sequence[int]]],
    plan: Plan,
    rng: Random,
    at_once: int = 32,
) -> tuple[list[Floats], Samples]:
    """Play these games, each a state and which player sits where; return what each seat won, in their order, and what
    can be learnt."""
    search = Search(engine, seats, at_once * WORLDS, plan.full_sims + 2, 60 * plan.full_sims, 1)
    source = chance(rng.getrandbits(62))
    numpy_rng = np.random.default_rng(rng.getrandbits(62))
    todo = list(enumerate(games))[::-1]
    shares: list[Floats] = [np.empty(0, dtype=np.float32)] * len(games)
    running: list[_Game] = []
    samples: list[tuple[NDArray[np.int16], NDArray[np.float16], Floats, float]] = []
    legal = np.empty(engine.layout.ACTIONS, dtype=np.int32)
    while todo or running:
        while todo and len(running) < at_once:
            number, (state, seating) = todo.pop()
            running.append(_Game(number, state.copy(), seating))
        full = not plan.explore or rng.random() < plan.full
        chosen = _search(engine, search.cut(len(running) * WORLDS), players, running, plan, full, source, numpy_rng)
        for game, visits in zip(tuple(running), chosen, strict=True):
            mover = int(game.state[engine.layout.TO_ACT])
            if full and plan.explore:
                policy = (visits[0] / visits[0].sum()).astype(np.float16)
                game.samples.append((game.state.astype(np.int16), policy, mover, visits[1]))
            engine.core.step(game.state, _draw(visits[0], game.plies, numpy_rng, plan.explore))
            game.plies += 1
            while engine.core.legal(game.state, legal) == 1:
                engine.core.step(game.state, legal[0])
            won = np.full(seats, 1 / seats, dtype=np.float32)
            if game.state[engine.layout.TO_ACT] < 0:
                engine.core.result(game.state, won)
            elif game.plies < LONGEST:
                continue
            shares[game.number] = won
            samples += [(s, p, np.roll(won, -m), e) for s, p, m, e in game.samples]
            running.remove(game)
    shape = engine.shape(seats)
    return shares, Samples(
        np.array([sample[0] for sample in samples], dtype=np.int16).reshape(-1, engine.layout.SIZE_OF_STATE),
        np.array([sample[1] for sample in samples], dtype=np.float16).reshape(-1, shape.actions),
        np.array([sample[2] for sample in samples], dtype=np.float16).reshape(-1, seats),
        np.array([sample[3] for sample in samples], dtype=np.float16),
    )


def _search(
    engine: Engine,
    search: Search,
    players: Sequence[Evaluate],
    running: Sequence[_Game],
    plan: Plan,
    full: bool,
    source: Chance,
    rng: np.random.Generator,
) -> list[tuple[Floats, float]]:
    """Look ahead in every game: how often each action was looked at, and what the seat to act may expect."""
    roots = search.forest.roots
    owners = np.zeros(len(roots), dtype=np.int32)
    for place, game in enumerate(running):
        mover = int(game.state[engine.layout.TO_ACT])
        for tree in range(place * WORLDS, (place + 1) * WORLDS):
            roots[tree] = game.state
            engine.core.deal(roots[tree], mover, source)
            owners[tree] = game.players[mover]
    search.forest.used[:] = 0
    evaluate = players[0] if len(players) == 1 else _shared(players, owners)
    search.advance(evaluate)
    if full and plan.explore:
        for tree in range(len(roots)):
            edges = search.edges(tree)
            count = edges.stop - edges.start
            noise = rng.dirichlet(np.full(count, SPREAD / count))
            search.forest.prior[tree, edges] *= 1 - NOISE
            search.forest.prior[tree, edges] += NOISE * noise
    for _ in range((plan.full_sims if full else plan.sims) // WORLDS):
        search.advance(evaluate)
    chosen = []
    for place in range(len(running)):
        trees = range(place * WORLDS, (place + 1) * WORLDS)
        expected = search.forest.worth[trees, 0].sum() / search.forest.total[trees, 0].sum()
        chosen.append((search.visits(trees).astype(np.float32), float(expected)))
    return chosen


def _shared(players: Sequence[Evaluate], owners: Ints) -> Evaluate:
    """Every tree is evaluated by the player who thinks."""

    def evaluate(leaves: Leaves, count: int) -> tuple[Floats, Floats]:
        logits = np.empty((count, leaves.actions.shape[1]), dtype=np.float32)
        values = np.empty((count, leaves.shares.shape[1]), dtype=np.float32)
        for number, player in enumerate(players):
            rows = np.flatnonzero(owners[leaves.trees[:count]] == number)
            if len(rows):
                part = leaves._replace(features=leaves.features[rows])
                logits[rows], values[rows] = player(part, len(rows))
        return logits, values

    return evaluate


def _draw(visits: Floats, plies: int, rng: np.random.Generator, explore: bool) -> int:
    """An action by its visits: in a match the one looked at most, but for the first moves."""
    if plies >= EARLY and not explore:
        return int(visits.argmax())
    weights = visits.astype(np.float64) ** (1.0 if plies < EARLY and explore else 3.0)
    return int(rng.choice(len(visits), p=weights / weights.sum()))
