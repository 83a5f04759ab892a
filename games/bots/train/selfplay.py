"""Games of networks against themselves, many side by side, so that their positions can be evaluated together."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.graph import Leaves
from games.bots.jit import Chance, Floats, Ints, chance
from games.bots.search import Engine, Evaluate, Search

MAX_CORE_ACTIONS = 400
"""The number of chosen actions after which a game ends as a victory shared by all."""
EARLY = 14
"""The number of chosen actions at the start of a game that are drawn in proportion to their visits. Later draws favour
the most visited ones."""
NOISE, SPREAD = 0.25, 10.0
"""The share of the prior at the root that is random, and the concentration of this noise."""
FORCED = 2.0
"""Each action at the root gets at least sqrt(FORCED · prior · all visits) visits, whatever their results. The network
does not learn from these. Wu, "Accelerating self-play learning in Go", 2019."""
EDGES = 40
"""Edges reserved per node, on average."""
EXPECTED = 0.5
"""The share of a value's target that is the search's expectation; the rest is the outcome."""


class Samples(NamedTuple):
    """Positions to learn from, one row each."""

    states: NDArray[np.int16]
    policy: NDArray[np.float16]
    """Each action's share of the visits, without forced ones."""
    outcome: NDArray[np.float16]
    """Each seat's share of the victory, beginning with the seat to act."""
    expected: NDArray[np.float16]
    """The search's estimate of how likely the seat to act is to win."""
    final: NDArray[np.float16]
    """How the game ended (see `ending`): an additional target that helps the network to learn."""


def endings(seats: int) -> int:
    """The length of the vector of `ending`."""
    return 2 * seats + 1


def ending(engine: Engine, state: Ints, mover: int, left: int) -> NDArray[np.float16]:
    """The final points and purchased cards of each seat, beginning with `mover`, then the number of actions still to
    be chosen; all scaled to at most about 1."""
    at, seats = engine.layout, int(state[engine.layout.SEATS])
    players = [at.PLAYER + (mover + seat) % seats * at.WIDTH for seat in range(seats)]
    numbers = [state[player + place] / 15 for player in players for place in (at.POINTS, at.BOUGHT)]
    return np.array([*numbers, left / 60], dtype=np.float16)


def targets(outcome: Floats, expected: Floats) -> Floats:
    """The values to learn: outcomes mixed with the search's expectation for the seat to act. The others share the rest
    of that expectation in proportion to their outcomes, or equally if they won nothing."""
    others = outcome[:, 1:]
    whole = others.sum(1, keepdims=True)
    parts = np.where(whole > 0, others / np.maximum(whole, 1e-6), 1 / others.shape[1])
    mixed = np.concatenate([expected[:, None], (1 - expected[:, None]) * parts], axis=1)
    return (EXPECTED * mixed + (1 - EXPECTED) * outcome).astype(np.float32)


@dataclass(frozen=True)
class TrainingPlan:
    """The number of simulations for each action, and the share of positions to learn from."""

    sims: int = 64
    """Simulations per action."""
    full_sims: int = 400
    """Simulations per action in the positions to learn from."""
    full: float = 0.25
    """The share of positions to learn from."""
    explore: bool = True
    """Whether the games are for learning, with noise and forced visits at the root, and not a match."""


class _Game:
    def __init__(self, number: int, state: Ints, players: Sequence[int]) -> None:
        self.number = number
        self.state = state
        self.players = players
        """For each seat, the index of its player."""
        self.chosen = 0
        """The number of actions so far, without those that were the only legal ones."""
        self.samples: list[tuple[NDArray[np.int16], NDArray[np.float16], int, float, int]] = []


def deal(engine: Engine, seats: int, rng: Random) -> Ints:
    """A position after set-up."""
    state: Ints = engine.observed.load(engine.ruleset.observe(engine.ruleset.initial(seats, rng.randbytes(32)), 0))
    engine.core.deal(state, 0, chance(rng.getrandbits(62)))
    return state


def play(
    engine: Engine,
    seats: int,
    players: Sequence[Evaluate],
    games: Sequence[tuple[Ints, Sequence[int]]],
    plan: TrainingPlan,
    rng: Random,
    at_once: int = 32,
) -> tuple[list[Floats], Samples]:
    """Play these games, each given as a state and the player of each seat. Return each seat's share of the victory, in
    the order of the games, and the samples."""
    nodes = at_once * (max(plan.sims, plan.full_sims) + 2)
    search = Search(engine, seats, nodes, EDGES * nodes, at_once)
    source = chance(rng.getrandbits(62))
    numpy_rng = np.random.default_rng(rng.getrandbits(62))
    todo = list(enumerate(games))[::-1]
    shares: list[Floats] = [np.empty(0, dtype=np.float32)] * len(games)
    running: list[_Game] = []
    samples: list[tuple[Any, ...]] = []
    legal = np.empty(engine.layout.ACTIONS, dtype=np.int32)
    while todo or running:
        while todo and len(running) < at_once:
            number, (state, seating) = todo.pop()
            running.append(_Game(number, state.copy(), seating))
        full = not plan.explore or rng.random() < plan.full
        found = _search(engine, search, players, running, plan, full, source, numpy_rng)
        for game, (weights, policy, expected) in zip(tuple(running), found, strict=True):
            mover = int(game.state[engine.layout.TO_ACT])
            if full and plan.explore:
                game.samples.append((game.state.astype(np.int16), policy, mover, expected, game.chosen))
            engine.core.step(game.state, _draw(weights, game.chosen, numpy_rng, plan.explore))
            game.chosen += 1
            while engine.core.legal(game.state, legal) == 1:
                engine.core.step(game.state, legal[0])
            won = np.full(seats, 1 / seats, dtype=np.float32)
            if game.state[engine.layout.TO_ACT] < 0:
                engine.core.result(game.state, won)
            elif game.chosen < MAX_CORE_ACTIONS:
                continue
            shares[game.number] = won
            samples += [
                (state, policy, np.roll(won, -mover), expected, ending(engine, game.state, mover, game.chosen - before))
                for state, policy, mover, expected, before in game.samples
            ]
            running.remove(game)
    shape = engine.shape(seats)
    return shares, Samples(
        np.array([sample[0] for sample in samples], dtype=np.int16).reshape(-1, engine.layout.SIZE_OF_STATE),
        np.array([sample[1] for sample in samples], dtype=np.float16).reshape(-1, shape.actions),
        np.array([sample[2] for sample in samples], dtype=np.float16).reshape(-1, seats),
        np.array([sample[3] for sample in samples], dtype=np.float16),
        np.array([sample[4] for sample in samples], dtype=np.float16).reshape(-1, endings(seats)),
    )


def _search(
    engine: Engine,
    search: Search,
    players: Sequence[Evaluate],
    running: Sequence[_Game],
    plan: TrainingPlan,
    full: bool,
    source: Chance,
    rng: np.random.Generator,
) -> list[tuple[Floats, NDArray[np.float16], float]]:
    """Look ahead in every game, in one world. For each game return the visits of each action, their shares without
    forced visits, and the expectation of the seat to act."""
    graph, learns = search.graph, full and plan.explore
    states = np.array([game.state for game in running], dtype=np.int32)
    movers = states[:, engine.layout.TO_ACT].copy()
    for state, mover in zip(states, movers, strict=True):
        engine.core.deal(state, mover, source)
    search.begin(states, rng)
    owner = np.array([game.players[mover] for game, mover in zip(running, movers, strict=True)], dtype=np.int32)
    evaluate = players[0] if len(players) == 1 else _shared(players, owner)
    search.advance(evaluate)
    if learns:
        for root in set(search.roots.tolist()):
            edges = slice(graph.first[root], graph.first[root] + graph.width[root])
            count = int(graph.width[root])
            prior = (1 - NOISE) * graph.prior[edges] + NOISE * rng.dirichlet(np.full(count, SPREAD / count))
            order = np.argsort(-prior)
            graph.prior[edges], graph.action[edges] = prior[order], graph.action[edges][order]
    for _ in range(plan.full_sims if full else plan.sims):
        search.advance(evaluate, 1, FORCED if learns else 0.0)
    found = []
    for root, mover in zip(search.roots.tolist(), movers, strict=True):
        visits = search.visits([root]).astype(np.float32)
        policy = pruned(search, root, int(mover)) if learns else visits
        found.append((visits, (policy / policy.sum()).astype(np.float16), float(graph.worth[root, mover])))
    return found


def pruned(search: Search, root: int, mover: int) -> Floats:
    """The visits of each action at that root without the forced ones. Given the values found, the search would have
    spent those on the most visited action."""
    graph = search.graph
    visits = search.visits([root]).astype(np.float32)
    total = float(graph.total[root])
    prior, value = np.zeros_like(visits), np.zeros_like(visits)
    first = int(graph.first[root])
    for edge in range(first, first + int(graph.tried[root])):
        prior[graph.action[edge]] = graph.prior[edge]
        value[graph.action[edge]] = graph.value[graph.branch[edge], mover]
    spread = graph.settings.exploration * total**0.5 * prior
    most = int(visits.argmax())
    highest = value[most] + spread[most] / (1 + visits[most])
    deserved = np.where(value < highest, np.ceil(spread / np.maximum(highest - value, 1e-6) - 1), visits)
    least = visits - np.sqrt(FORCED * prior * total)
    kept = np.where(visits > 0, np.clip(np.maximum(deserved, least), 0, visits), 0)
    kept[kept <= 1] = 0
    kept[most] = visits[most]
    return kept.astype(np.float32)


def _shared(players: Sequence[Evaluate], owner: Ints) -> Evaluate:
    """An evaluation that gives each leaf to the player who searches at its root."""

    def evaluate(leaves: Leaves, count: int) -> tuple[Floats, Floats]:
        logits = np.empty((count, leaves.actions.shape[1]), dtype=np.float32)
        values = np.empty((count, leaves.shares.shape[1]), dtype=np.float32)
        owners = owner[leaves.roots[:count]]
        for number, player in enumerate(players):
            rows = np.flatnonzero(owners == number)
            if len(rows):
                part = leaves._replace(features=leaves.features[rows], states=leaves.states[rows])
                logits[rows], values[rows] = player(part, len(rows))
        return logits, values

    return evaluate


def _draw(visits: Floats, chosen: int, rng: np.random.Generator, explore: bool) -> int:
    """Draw an action by its visits; in a match, after the first `EARLY` ones, take the most visited one."""
    if chosen >= EARLY and not explore:
        return int(visits.argmax())
    weights = visits.astype(np.float64) ** (1.0 if chosen < EARLY and explore else 3.0)
    return int(rng.choice(len(visits), p=weights / weights.sum()))
