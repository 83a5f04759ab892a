"""Train a network by games against itself: `python -m games.bots.train splendor --seats 2`.

Generation after generation: games with the best network so far, some steps of learning from the latest positions, a
match of what was learnt against the best. The first games are played without a network, by random playouts. The best
network and the log go beside the title's code, everything else to a folder; whoever starts again goes on there, or from
the network alone.
"""

import json
import os
from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor
from math import log
from multiprocessing import get_context
from pathlib import Path
from time import time
from typing import Any

import numpy as np
import torch

from games.bots.network import Network
from games.bots.players import ENGINES
from games.bots.train.jobs import match, self_play
from games.bots.train.learn import BATCH, Learner
from games.bots.train.selfplay import Plan, Samples

CHUNK = 100
"""Games that one process plays at a time."""
FIRST = 600
"""Games without a network."""
MOST = 400
"""Games of a match at most."""
WORSE, BETTER = 0.5, 0.55
"""What the sequential test of a match tells apart, with errors of one in twenty."""


class Training:
    """What one folder holds, and the processes that play."""

    def __init__(self, options: Namespace, pool: ProcessPoolExecutor) -> None:
        self.options, self.pool = options, pool
        self.engine = ENGINES[options.title]
        self.folder = options.folder / f"{options.title}-{options.seats}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.learner = Learner(self.engine, options.seats, options.rate)
        self.best = self.folder / "best.npz"
        self.target = self.engine.weights(options.seats)
        self.target.parent.mkdir(exist_ok=True)
        self.log = self.target.with_suffix(".jsonl")
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.history = [json.loads(line) for line in lines]
        if (self.folder / "learner.pt").exists():
            self.learner.load(self.folder / "learner.pt", options.rate)
        if not self.best.exists() and self.target.exists():
            self.best.write_bytes(self.target.read_bytes())
            self.learner.start_from(Network.load(self.learner.shape, self.target))

    @property
    def games(self) -> int:
        """How many were played so far."""
        return sum(entry["games"] for entry in self.history)

    def play(self, games: int, plan: Plan) -> None:
        """Games by the best network, kept as a file of samples."""
        file = self.best if self.best.exists() else None
        seeds = [f"{self.options.seed}/{self.games}/{number}" for number in range(games // CHUNK)]
        jobs = [
            self.pool.submit(self_play, self.options.title, self.options.seats, file, CHUNK, plan, seed)
            for seed in seeds
        ]
        parts = [job.result() for job in jobs]
        samples = Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        np.savez(self.folder / f"samples-{len(self.history):04}.npz", **samples._asdict())

    def window(self) -> Samples:
        """The latest samples, as many as are wanted; older ones are deleted."""
        parts: list[Samples] = []
        for file in sorted(self.folder.glob("samples-*.npz"), reverse=True):
            if sum(len(part.states) for part in parts) >= self.options.window:
                file.unlink()
                continue
            with np.load(file) as arrays:
                parts.append(Samples(**arrays))
        return Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def accepted(self, candidate: Path) -> tuple[bool, float, int]:
        """Whether the candidate beats the best by a sequential test, its score, and after how many games."""
        if not self.best.exists():
            return True, 1.0, 0
        scores: list[float] = []
        bound = log(19)
        weight = 0.0
        workers = self.options.jobs
        while len(scores) < MOST and abs(weight) < bound:
            jobs = [
                self.pool.submit(
                    match, self.options.title, self.options.seats, (candidate, self.best), CHUNK // 2,
                    f"{self.options.seed}/{len(self.history)}/{len(scores)}/{number}",
                )
                for number in range(workers)
            ]  # fmt: skip
            for job in jobs:
                scores += job.result()
            won = sum(scores)
            lost = len(scores) - won
            weight = won * log(BETTER / WORSE) + lost * log((1 - BETTER) / (1 - WORSE))
        return weight > 0, sum(scores) / len(scores), len(scores)

    def generation(self) -> None:
        """Play, learn, compare."""
        started = time()
        first = not self.best.exists()
        games = FIRST if first else self.options.games
        plan = Plan(sims=48, full_sims=144) if first else Plan(self.options.sims, self.options.full_sims)
        self.play(games, plan)
        played = time()
        window = self.window()
        new = len(np.load(self.folder / f"samples-{len(self.history):04}.npz")["expected"])
        steps = int(self.options.passes * new / BATCH)
        policy, value = self.learner.learn(window, steps, np.random.default_rng(len(self.history)))
        learnt = time()
        candidate = self.folder / "candidate.npz"
        write(candidate, self.learner.network())
        accepted, score, matches = self.accepted(candidate)
        if accepted:
            candidate.replace(self.best)
            self.target.write_bytes(self.best.read_bytes())
        self.learner.save(self.folder / "learner.pt")
        entry = {
            "games": games, "positions": new, "window": len(window.states), "rate": self.options.rate,
            "policy": round(policy, 4), "value": round(value, 4), "score": round(score, 3), "of": matches,
            "accepted": accepted, "seconds": round(time() - started),
            "parts": [round(played - started), round(learnt - played), round(time() - learnt)],
        }  # fmt: skip
        self.history.append(entry)
        with self.log.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        print(len(self.history), self.games, json.dumps(entry), flush=True)


def write(file: Path, network: Network) -> None:
    """Weights, at half precision."""
    half: dict[str, Any] = {name: weight.astype(np.float16) for name, weight in network.weights.items()}
    np.savez(file, **half)


def main() -> None:
    """Train until stopped, or until there were enough games."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("title", choices=ENGINES)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=1600, help="in each generation")
    parser.add_argument("--until", type=int, default=100_000, help="games in all")
    parser.add_argument("--sims", type=int, default=64)
    parser.add_argument("--full-sims", type=int, default=192)
    parser.add_argument("--window", type=int, default=300_000, help="positions to learn from")
    parser.add_argument("--passes", type=float, default=12, help="how often each position is learnt from")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", default="0")
    parser.add_argument("--folder", type=Path, default=Path("var/training"))
    options = parser.parse_args()
    torch.set_num_threads(options.jobs)
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        training = Training(options, pool)
        while training.games < options.until:
            training.generation()


if __name__ == "__main__":
    main()
