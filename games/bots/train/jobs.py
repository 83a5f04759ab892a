"""The jobs for the processes of a training run: each plays games and returns the results."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from games.bots.engines import ENGINES
from games.bots.network import Network
from games.bots.plain import playouts
from games.bots.search import evaluation
from games.bots.train.selfplay import Samples, TrainingPlan, deal, play

SIMS = 96
"""The simulations for a decision in a match between networks."""


def self_play(title: str, seats: int, file: Path | None, games: int, plan: TrainingPlan, seed: str) -> Samples:
    """Samples from games of the network in that file; `None` stands for random playouts."""
    engine, rng = ENGINES[title], Random(seed)
    player = evaluation(Network.load(engine.shape(seats), file)) if file else playouts(engine, seats, rng)
    table = [(deal(engine, seats, rng), [0] * seats) for _ in range(games)]
    return play(engine, seats, [player], table, plan, rng)[1]


def match(title: str, seats: int, files: Sequence[Path], games: int, seed: str, sims: int = SIMS) -> list[float]:
    """The share that the first network won in each game. Every deal is played in both seatings, so equal networks win
    half."""
    plan = TrainingPlan(sims=sims, full_sims=sims, explore=False)
    engine, rng = ENGINES[title], Random(seed)
    players = [evaluation(Network.load(engine.shape(seats), file)) for file in files]
    states = [deal(engine, seats, rng) for _ in range(games // 2)]
    won = []
    for turn in range(2):  # one after the other: games with equal positions share a search, and with it a network
        seating = [(seat + turn) % 2 for seat in range(seats)]
        shares, _ = play(engine, seats, players, [(state, seating) for state in states], plan, rng)
        won += [float(sum(credit[seat] for seat, player in enumerate(seating) if player == 0)) for credit in shares]
    return won
