"""Train a network by letting it play against itself: `python -m games.bots.train splendor --seats 2`.

Each generation plays games with the current network, then learns from the latest positions in a number of steps. The
games use the moving average of the learnt weights. No match decides whether a new network is used, because no network
was worse than the one before for long. The first games use the network in the title's folder, or random playouts if
there is none. Everything is kept in one folder. Training can continue on any machine from `network.npz`, `learner.npz`
and `log.jsonl`. The folder also holds the latest games; if they are missing, new ones take their place. An empty folder
begins with the state in `state/<title>-<seats>` beside this module, if there is one. Otherwise the weights are random
at first, or with `--inherit` those of the network in the title's folder, which `games.bots.train.grow` may have made.
"""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from shutil import copytree
from signal import SIG_DFL, SIGINT, signal
from time import time
from typing import Any

import numpy as np
import torch

from games.bots.engines import ENGINES
from games.bots.network import Network
from games.bots.train import STATE
from games.bots.train.jobs import match, self_play
from games.bots.train.learn import BATCH, Learner
from games.bots.train.selfplay import Samples, TrainingPlan

CHUNK = 100
"""The number of games that one process plays at a time."""
BEFORE = 20_000
"""The number of positions before learning starts."""
OWN = 60_000
"""The number of positions before games use the learnt network."""
WINDOW, GROWTH, POWER = 100_000, 0.4, 0.75
"""How many of the latest positions to learn from: the number at first, and how it grows with the total so far. Wu,
"Accelerating self-play learning in Go", 2019."""
INTERRUPTED = 128 + SIGINT
"""The exit status after Ctrl-C, as shells give it."""
GENERATIONS = "generations"
"""In `learner.npz`, the number of generations that the weights have learnt from."""
COMPARED = 10
"""The number of generations between two matches, which only measure progress."""
FLAT, FELL, LEAST = 12, 0.997, 3e-5
"""The rate is halved, but not below `LEAST`, when the mean loss of `FLAT` generations is more than `FELL` times the
mean of the same number before them."""


class Training:
    """A training run: its folder, and the processes that play."""

    def __init__(self, options: Namespace, pool: ProcessPoolExecutor) -> None:
        self.options, self.pool = options, pool
        self.engine = ENGINES[options.title]
        self.folder: Path = options.folder / f"{options.title}-{options.seats}"
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = STATE / self.folder.name
        if kept.exists() and not any(self.folder.iterdir()):
            copytree(kept, self.folder, dirs_exist_ok=True)
        self.learner = Learner(self.engine, options.seats, options.rate)
        self.network: Path = self.folder / "network.npz"
        self.log: Path = self.folder / "log.jsonl"
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.history: list[dict[str, Any]] = [json.loads(line) for line in lines]
        if (self.folder / "learner.npz").exists():
            with np.load(self.folder / "learner.npz") as arrays:
                self.learner.restore(dict(arrays))
                # If the last run ended between the two files, the generation that the weights lack is played again.
                self.history = self.history[: int(arrays.get(GENERATIONS, len(self.history)))]
        elif options.inherit:
            self.learner.begin(Network.load(self.engine.shape(options.seats), self.engine.weights(options.seats)))

    def total(self, what: str) -> int:
        """The sum of this figure over all generations."""
        return sum(entry[what] for entry in self.history)

    @property
    def player(self) -> Path | None:
        """The network that plays now; `None` for random playouts."""
        first: Path = self.engine.weights(self.options.seats)
        if self.network.exists() and self.total("positions") >= OWN:
            return self.network
        return first if first.exists() else None

    def play(self) -> Samples:
        """Play the games of a generation and save their samples."""
        plan = TrainingPlan(self.options.sims, self.options.full_sims, self.options.full)
        games = self.options.games
        jobs = [
            self.pool.submit(
                self_play, self.options.title, self.options.seats, self.player, min(CHUNK, games - number), plan,
                f"{self.options.seed}/{len(self.history)}/{number}",
            )
            for number in range(0, games, CHUNK)
        ]  # fmt: skip
        samples = joined([job.result() for job in jobs])
        np.savez_compressed(self.folder / f"games-{len(self.history):05}.npz", **samples._asdict())
        return samples

    def window(self) -> Samples:
        """The latest samples to learn from; deletes the files of older ones."""
        wanted = WINDOW * (1 + GROWTH * (max(1, self.total("positions") / WINDOW) ** POWER - 1) / POWER)
        parts: list[Samples] = []
        for file in sorted(self.folder.glob("games-*.npz"), reverse=True):
            if sum(len(part.states) for part in parts) >= wanted:
                file.unlink()
                continue
            with np.load(file) as arrays:
                parts.append(Samples(**arrays))
        return joined(parts)

    def generation(self) -> None:
        """Play, learn, and log the figures."""
        started = time()
        player = self.player
        new = self.play()
        played = time()
        window = self.window()
        entry: dict[str, Any] = {
            "games": self.options.games,
            "positions": len(new.states),
            "window": len(window.states),
        }
        if len(window.states) >= BEFORE:
            fresh = self.learner.validate(new)
            steps = int(self.options.passes * len(new.states) / BATCH)
            learnt = self.learner.learn(window, steps, np.random.default_rng(len(self.history)))
            entry |= {"rate": self.learner.rate, "steps": self.learner.steps}
            entry |= {f"fresh_{name}": round(loss, 4) for name, loss in fresh._asdict().items()}
            entry |= {name: round(loss, 4) for name, loss in learnt._asdict().items()}
            write(self.network, self.learner.network())
        if len(self.history) % COMPARED == 0:
            entry |= self.compared()
        entry |= {"own": player == self.network, "seconds": [round(played - started), round(time() - played)]}
        self.history.append(entry)
        self.learner.rate = falling(self.history, self.learner.rate)
        partial = self.log.with_suffix(".partial")
        partial.write_text("".join(json.dumps(each) + "\n" for each in self.history))
        partial.replace(self.log)
        save(self.folder / "learner.npz", {**self.learner.arrays(), GENERATIONS: np.array(len(self.history))})
        print(len(self.history), self.total("games"), json.dumps(entry), flush=True)

    def compared(self) -> dict[str, Any]:
        """The result of a match between the network and the one from some generations ago."""
        before = self.folder / "before.npz"
        found: dict[str, Any] = {}
        if before.exists() and self.network.exists():
            seed = f"{self.options.seed}/{len(self.history)}/match"
            files, table = (self.network, before), (self.options.title, self.options.seats)
            scores = self.pool.submit(match, *table, files, self.options.match, seed).result()
            found = {"score": round(sum(scores) / len(scores), 3), "of": len(scores)}
        if self.network.exists():
            before.write_bytes(self.network.read_bytes())
        return found


def joined(parts: list[Samples]) -> Samples:
    """All these samples in one."""
    return Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def falling(history: list[dict[str, Any]], rate: float) -> float:
    """The rate for the next generation: half the current one if the loss on fresh positions has been flat."""
    losses = [
        entry["fresh_policy"] + entry["fresh_value"] for entry in history if entry.get("rate") == rate and entry["own"]
    ]
    if len(losses) < 2 * FLAT:
        return rate
    before, now = np.mean(losses[-2 * FLAT : -FLAT]), np.mean(losses[-FLAT:])
    return max(rate / 2, LEAST) if now > FELL * before else rate


def save(file: Path, arrays: dict[str, Any]) -> None:
    """Write the arrays to the file in one atomic step."""
    partial = file.with_suffix(".partial.npz")
    np.savez_compressed(partial, **arrays)
    partial.replace(file)


def write(file: Path, network: Network) -> None:
    """Write the weights to the file at half precision."""
    save(file, {name: weight.astype(np.float16) for name, weight in network.weights.items()})


def main() -> None:
    """Train until interrupted, or until enough games are played."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("title", choices=ENGINES)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=400, help="per generation")
    parser.add_argument("--until", type=int, default=1_000_000, help="stop after this many games in all")
    parser.add_argument("--sims", type=int, default=64)
    parser.add_argument("--full-sims", type=int, default=400, help="for the positions to learn from")
    parser.add_argument("--full", type=float, default=0.25, help="the share of positions to learn from")
    parser.add_argument("--passes", type=float, default=8, help="how many times to learn from each position")
    parser.add_argument("--rate", type=float, default=1e-3, help="at the start of a new training; falls by itself")
    parser.add_argument("--inherit", action="store_true", help="begin with the network in the title's folder")
    parser.add_argument("--match", type=int, default=100, help="games in each match that measures progress")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", default="0")
    parser.add_argument("--folder", type=Path, default=Path("var/training"))
    options = parser.parse_args()
    torch.set_num_threads(options.jobs)
    # Ctrl-C also reaches the processes of the pool. It ends them at once, without a word.
    pool = ProcessPoolExecutor(options.jobs, get_context("spawn"), signal, (SIGINT, SIG_DFL))
    try:
        training = Training(options, pool)
        while training.total("games") < options.until:
            training.generation()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
