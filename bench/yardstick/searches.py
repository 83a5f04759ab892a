"""Compare two settings of our search, with the yardstick's network in both.

`python -m bench.yardstick.searches exploration=0.6 untried=0.02 --games 480` plays these settings against the usual
ones. Many games are played side by side, so their positions are evaluated together, and a game takes about a second of
processor time: much less than a match against the yardstick, which must confirm the result. Deals are paired.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

from bench.yardstick.boards import NOBLES
from bench.yardstick.home import found
from bench.yardstick.network import Borrowed
from games.bots.engines import ENGINES
from games.bots.graph import MOST_ORDERS, Settings
from games.bots.jit import Chance, Ints, chance
from games.bots.search import Search, best
from games.bots.splendor import layout as at
from games.bots.train.compare import rate
from games.bots.train.selfplay import EDGES, MAX_CORE_ACTIONS, deal

ENGINE = ENGINES["splendor"]
SEATS = 2
TOGETHER = 48
"""The number of games that are played side by side."""


class Game:
    """A game in progress. The side number `first` has seat 0."""

    def __init__(self, number: int, state: Ints, first: int) -> None:
        self.number, self.state, self.first = number, state.copy(), first
        self.places = state[at.NOBLE : at.NOBLE + NOBLES].copy()
        self.owned = np.zeros((SEATS, NOBLES), dtype=np.bool_)
        self.turns = self.actions = 0

    @property
    def mover(self) -> int:
        """The seat to act; negative when the game is over."""
        return int(self.state[at.TO_ACT])

    @property
    def plays(self) -> bool:
        """Whether the game goes on. Two searches can repeat themselves for ever."""
        return self.mover >= 0 and self.actions < MAX_CORE_ACTIONS

    def step(self, action: int) -> None:
        """Play this action, and then those without a choice."""
        legal, count = np.empty(at.ACTIONS, dtype=np.int32), 1
        while count == 1:
            seat = self.mover
            if at.VISIT <= action < at.PASS:
                self.owned[seat, action - at.VISIT] = True
            ENGINE.core.step(self.state, action)
            self.actions += 1
            self.turns += self.mover != seat
            count = ENGINE.core.legal(self.state, legal)
            action = int(legal[0])


class Side:
    """One of the two searches."""

    def __init__(self, home: Path, settings: Settings, sims: int) -> None:
        nodes = TOGETHER * (sims + 2)
        self.search = Search(ENGINE, SEATS, nodes, EDGES * nodes, TOGETHER, settings)
        self.network = Borrowed(home, nodes, TOGETHER, TOGETHER)
        self.sims = sims

    def play(self, games: Sequence[Game], source: Chance, rng: np.random.Generator) -> None:
        """Play the best action in each of these games."""
        states = np.array([game.state for game in games], dtype=np.int32)
        facts = self.network.facts
        for root, game in enumerate(games):
            ENGINE.core.deal(states[root], game.mover, source)
            facts.game[root] = game.number
            facts.turns[game.number], facts.places[game.number] = game.turns, game.places
            facts.owned[game.number] = game.owned
        self.search.begin(states, rng)
        for _ in range(self.sims):
            self.search.advance(self.network.evaluate)
        for game, node in zip(games, self.search.roots.tolist(), strict=True):
            facts.tokens[game.number], facts.policy[game.number] = facts.node_tokens[node], facts.node_policy[node]
            game.step(best(self.search, [node], [action for action, _ in self.search.branches(node)]))


def play(sides: Sequence[Side], rng: Random) -> list[float]:
    """The share that the first side won in each game of a batch."""
    source, numpy_rng = chance(rng.getrandbits(62)), np.random.default_rng(rng.getrandbits(62))
    states = [deal(ENGINE, SEATS, rng) for _ in range(TOGETHER // SEATS)]
    games = [Game(number, states[number // SEATS], number % SEATS) for number in range(TOGETHER)]
    while any(game.plays for game in games):
        for number, side in enumerate(sides):
            due = [game for game in games if game.plays and game.mover ^ game.first == number]
            if due:
                side.play(due, source, numpy_rng)
    won = np.full((len(games), SEATS), 1 / SEATS, dtype=np.float32)
    for game, shares in zip(games, won, strict=True):
        if game.mover < 0:
            ENGINE.core.result(game.state, shares)
    return [float(shares[game.first]) for game, shares in zip(games, won, strict=True)]


def changed(pairs: Sequence[str]) -> Settings:
    """The usual settings except these, each given as `NAME=VALUE`. Raises `ValueError`."""
    values = {}
    for name, _, value in (pair.partition("=") for pair in pairs):
        if name not in Settings._fields:
            raise ValueError(f"there is no setting {name!r}")
        values[name] = type(Settings._field_defaults[name])(value)
    settings = Settings(**values)
    if not 1 <= settings.orders <= MOST_ORDERS:
        raise ValueError(f"orders must be from 1 to {MOST_ORDERS}")
    return settings


def main() -> None:
    """Play the games and print the rate after every batch."""
    parser = ArgumentParser(prog="bench.yardstick.searches", description=__doc__)
    parser.add_argument("changed", nargs="*", metavar="NAME=VALUE", help=f"of {', '.join(Settings._fields)}")
    parser.add_argument("--games", type=int, default=480)
    parser.add_argument("--sims", type=int, default=400)
    parser.add_argument("--seed", default="tuning")
    options = parser.parse_args()
    try:
        settings = changed(options.changed)
    except ValueError as error:
        parser.error(str(error))
    home, rng = found(SEATS), Random(options.seed)
    sides = [Side(home, settings, options.sims), Side(home, Settings(), options.sims)]
    rate(options.games, lambda _: play(sides, rng))


if __name__ == "__main__":
    main()
