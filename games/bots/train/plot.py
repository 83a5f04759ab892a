"""Draws the curves of training runs: `python -m games.bots.train.plot` writes `docs/training/<title>-<seats>.svg`."""

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt

from games.bots.engines import ENGINES
from games.bots.train import STATE

FOLDER = Path("docs/training")
LEAST = 5
"""The minimum number of generations for a curve."""


def draw(history: list[dict[str, Any]], title: str, file: Path) -> None:
    """Draw the losses of the policy and of the value over the games played."""
    games = list(accumulate(entry["games"] for entry in history))
    learnt = [(total, entry) for total, entry in zip(games, history, strict=True) if "policy" in entry]
    then = [total for total, _ in learnt]
    figure, (policy, value) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
    policy.plot(then, [entry["policy"] for _, entry in learnt])
    policy.set_ylabel("loss of the policy")
    value.plot(then, [entry["value"] for _, entry in learnt])
    value.set_ylabel("loss of the value")
    for axes in (policy, value):
        axes.set_xlabel("games")
        axes.grid(visible=True, alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title)
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    """Draw the curves of every network that has trained for a while."""
    mpl.rcParams["svg.hashsalt"] = "networks"
    FOLDER.mkdir(exist_ok=True)
    for slug, engine in ENGINES.items():
        for seats in engine.ruleset.seats:
            log = STATE / f"{slug}-{seats}" / "log.jsonl"
            history = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
            if len(history) >= LEAST:
                draw(history, f"{engine.ruleset.name}, {seats} seats", FOLDER / f"{slug}-{seats}.svg")


if __name__ == "__main__":
    main()
