"""A table of the speed of the rules: `python -m bench.rules`.

Every figure is the median of several rounds in processor time, because other work on the machine disturbs it least.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple, TypeVar

from games.bots.arena import MAX_DECISIONS
from games.catalogue import TITLES
from games.rules.base import Action, Ruleset
from games.rules.chance import SEED_BYTES

ROUNDS = 9
GAMES = 20
"""Random games in one round."""
COPIES = 20
"""How many times the middle state of each game is dumped and loaded."""
HEAD = """\
                   random play         replay, ms per 60 decisions    one state, µs
title     seats  games/s  decisions/s  unchecked  checked    ratio     load     dump"""
LINE = "{:<8} {:>6} {:>8.1f} {:>12.0f} {:>10.2f} {:>8.2f} {:>8.2f} {:>8.1f} {:>8.1f}"

T = TypeVar("T")


class Game(NamedTuple):
    """A game of randomly chosen options."""

    seed: bytes
    states: list[Any]
    """The position after set-up and after each decision."""
    actions: list[Action[Any]]


class Speed(NamedTuple):
    """The figures of one round, in the order of the table."""

    games: float
    decisions: float
    unchecked: float
    checked: float
    ratio: float
    load: float
    dump: float


def play(ruleset: Ruleset[Any, Any], seats: int, rng: Random) -> Game:
    """Play one game with randomly chosen options."""
    seed = rng.randbytes(SEED_BYTES)
    state = ruleset.initial(seats, seed)
    game = Game(seed, [state], [])
    while state.to_act is not None and len(game.actions) < MAX_DECISIONS:
        action = rng.choice(ruleset.legal_actions(state))
        state = ruleset.apply(state, action).state
        game.actions.append(action)
        game.states.append(state)
    return game


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """The duration of the work in seconds, and its result."""
    start = process_time()
    result = work()
    return process_time() - start, result


def measure(ruleset: Ruleset[Any, Any], seats: int, rng: Random) -> Speed:
    """One round: play games, replay them with and without checks, and dump and load their middle states."""
    playing, games = timed(lambda: [play(ruleset, seats, rng) for _ in range(GAMES)])
    decisions = sum(len(game.actions) for game in games)
    moves = [(game.seed, list(map(str, game.actions))) for game in games]

    def replay(check: bool) -> float:
        """Milliseconds for 60 decisions, including their share of the set-up."""
        took, _ = timed(lambda: [list(ruleset.replay(seats, seed, texts, check=check)) for seed, texts in moves])
        return 60_000 * took / decisions

    unchecked, checked = replay(check=False), replay(check=True)
    states = [game.states[len(game.states) // 2] for game in games] * COPIES
    dumping, dumps = timed(lambda: list(map(ruleset.dump, states)))
    loading, _ = timed(lambda: list(map(ruleset.load, dumps)))
    return Speed(
        games=GAMES / playing,
        decisions=decisions / playing,
        unchecked=unchecked,
        checked=checked,
        ratio=checked / unchecked,
        load=1e6 * loading / len(states),
        dump=1e6 * dumping / len(states),
    )


def main() -> None:
    """Print the table."""
    print(HEAD)
    for slug, title in TITLES.items():
        for seats in title.ruleset.seats:
            rng = Random(f"{slug} {seats}")
            rounds = [measure(title.ruleset, seats, rng) for _ in range(ROUNDS)]
            print(LINE.format(slug, seats, *map(median, zip(*rounds, strict=True))), flush=True)


if __name__ == "__main__":
    main()
