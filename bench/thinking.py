"""How well the strongest bots keep to their time, and how much memory they need: `python -m bench.thinking`.

One process plays moves of all titles and numbers of seats in turn, as a bot worker does. Most moves are short, so that
a thousand of them take little time; some are as long as on the site.
"""

from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import quantiles
from time import perf_counter

from games.bots.base import Limit
from games.bots.engines import ENGINES, warm_up
from games.bots.players import networked
from games.bots.search import Searcher
from games.rules.chance import SEED_BYTES

SERIES = ((1000, 0.1), (24, 3.0))
"""Numbers of moves, and the seconds for each move."""
STAY = 5
"""Moves in one game before switching to the next."""
MEBIBYTE = 1024
"""A mebibyte in the unit of the peak memory, kibibytes."""


def thinking(moves: int, seconds: float, rng: Random) -> list[float]:
    """The seconds by which each move exceeded the limit."""
    tables = [(engine, seats) for engine in ENGINES.values() for seats in engine.ruleset.seats]
    states = {table: table[0].ruleset.initial(table[1], rng.randbytes(SEED_BYTES)) for table in tables}
    over: list[float] = []
    while len(over) < moves:
        engine, seats = table = tables[len(over) // STAY % len(tables)]
        ruleset, state = engine.ruleset, states[table]
        legal = ruleset.legal_actions(state)
        started = perf_counter()
        action = Searcher(engine, networked).choose(
            ruleset.observe(state, state.to_act), legal, rng, Limit(seconds=seconds)
        )
        over.append(perf_counter() - started - seconds)
        state = ruleset.apply(state, action).state
        ended = state.to_act is None
        states[table] = ruleset.initial(seats, rng.randbytes(SEED_BYTES)) if ended else state
    return over


def main() -> None:
    """Print the measurements."""
    rng = Random(0)
    warm_up()
    for moves, seconds in SERIES:
        over = thinking(moves, seconds, rng)
        peak = getrusage(RUSAGE_SELF).ru_maxrss / MEBIBYTE
        late = quantiles(over, n=20)[-1]
        print(
            f"{moves} moves of {seconds:g} s: 95% within {seconds + late:.3f} s, longest {seconds + max(over):.3f} s; "
            f"peak of memory {peak:.0f} MiB",
            flush=True,
        )


if __name__ == "__main__":
    main()
