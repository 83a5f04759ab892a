"""The speed of the bots' cores and search compared with the rules: `python -m bench.bots`.

Every figure except the cold start is the median of several rounds in processor time, all from one run. Only the ratios
matter.
"""

import os
import sys
from collections.abc import Callable
from random import Random
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from games.bots.arena import MAX_DECISIONS
from games.bots.base import Limit
from games.bots.engines import ENGINES
from games.bots.jit import Ints, chance
from games.bots.players import networked
from games.bots.search import MAX_LEAVES_AT_ONCE, Engine, Searcher, search_for
from games.rules.chance import SEED_BYTES

ROUNDS = 5
READABLE, COMPILED = 10, 5000
"""Random games in one round."""
EVALUATIONS = 20_000
SIMULATIONS = 20_000
BEFORE = 16
"""The number of decisions before the search is measured."""
HEAD = """\
                 rules                 core                            search
title     seats  games/s  decisions/s  games/s  actions/s  ratio  evaluations/s  simulations/s"""
LINE = "{:<8} {:>6} {:>8.0f} {:>12.0f} {:>8.0f} {:>10.0f} {:>6.0f} {:>14.0f} {:>14.0f}"


def per_second(work: Callable[[], int]) -> float:
    """The amount of work done in a second of processor time; `work` returns its amount."""
    start = process_time()
    done = work()
    return done / (process_time() - start)


def readable(engine: Engine, seats: int, rng: Random) -> tuple[int, int]:
    """Play random games with the rules; return the number of games and of decisions."""
    decisions = 0
    for _ in range(READABLE):
        state, longest = engine.ruleset.initial(seats, rng.randbytes(SEED_BYTES)), decisions + MAX_DECISIONS
        while state.to_act is not None and decisions < longest:
            state = engine.ruleset.apply(state, rng.choice(engine.ruleset.legal_actions(state))).state
            decisions += 1
    return READABLE, decisions


def compiled(engine: Engine, start: Ints, seed: int) -> tuple[int, int]:
    """Play random games with the core; return the number of games and of its actions."""
    source, states = chance(seed), np.repeat(start[None], COMPILED, axis=0)
    for state in states:
        engine.core.deal(state, 0, source)
    shares = np.zeros((COMPILED, start[engine.layout.SEATS]), dtype=np.float32)
    return COMPILED, engine.loops.playouts(states, source, MAX_DECISIONS, shares)


def rates(play: Callable[[], tuple[int, int]]) -> tuple[float, float]:
    """Games, and decisions or actions, per second."""
    start = process_time()
    games, steps = play()
    took = process_time() - start
    return games / took, steps / took


def measure(engine: Engine, seats: int, rng: Random) -> tuple[float, ...]:
    """The figures of one round, in the order of the table."""
    ruleset = engine.ruleset
    state = ruleset.initial(seats, rng.randbytes(SEED_BYTES))
    start = engine.observed.load(ruleset.observe(state, 0))
    games, decisions = rates(lambda: readable(engine, seats, rng))
    core_games, actions = rates(lambda: compiled(engine, start, rng.getrandbits(62)))
    for _ in range(BEFORE):
        state = ruleset.apply(state, rng.choice(ruleset.legal_actions(state))).state
    seen, legal = ruleset.observe(state, state.to_act), ruleset.legal_actions(state)
    bot = Searcher(engine, networked)

    def simulations() -> int:
        bot.choose(seen, legal, rng, Limit(sims=SIMULATIONS))
        return search_for(engine, seats).walks

    evaluate, leaves = networked(engine, seats, rng), search_for(engine, seats).leaves
    batch = MAX_LEAVES_AT_ONCE

    def evaluations() -> int:
        for _ in range(EVALUATIONS // batch):
            evaluate(leaves, batch)
        return EVALUATIONS // batch * batch

    searched = per_second(simulations)
    return games, decisions, core_games, actions, actions / decisions, per_second(evaluations), searched


def cold_start(cache: str) -> float:
    """Seconds until a new process has made its first choice for every title, with compiled code kept in that folder."""
    start = perf_counter()
    run([sys.executable, "-m", "games.bots.engines"], env={**os.environ, "NUMBA_CACHE_DIR": cache}, check=True)
    return perf_counter() - start


def main() -> None:
    """Print the table."""
    print(HEAD)
    for slug, engine in ENGINES.items():
        for seats in engine.ruleset.seats:
            rng = Random(f"{slug} {seats}")
            measure(engine, seats, rng)
            rounds = [measure(engine, seats, rng) for _ in range(ROUNDS)]
            print(LINE.format(slug, seats, *map(median, zip(*rounds, strict=True))), flush=True)
    with TemporaryDirectory() as cache:
        print(f"cold start: {cold_start(cache):.1f} s to compile, {cold_start(cache):.1f} s from what was compiled")


if __name__ == "__main__":
    main()
