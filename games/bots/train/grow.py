"""Make a first network for more seats from the one for two: `python -m games.bots.train.grow splendor --seats 3`.

Each opponent gets a fraction of the weights of the only opponent of two seats. The network plays well enough to begin a
training with.
"""

from argparse import ArgumentParser
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.bots.engines import ENGINES
from games.bots.jit import Floats
from games.bots.network import HEAD_WIDTH, ITEM_WIDTH, Network
from games.bots.search import Engine
from games.bots.train import title


def grown(engine: Engine, seats: int) -> Network:
    """The network for that number of seats."""
    two, more = engine.shape(2), engine.shape(seats)
    weights = dict(Network.load(two, engine.weights(2)).weights)
    items, contexts = title(engine.slug).from_two(seats)
    weights["item.weight"] = chosen(weights["item.weight"], items)
    # The sum over a group grows with its size, the maximum does not.
    pooled = 2 * len(two.groups) * ITEM_WIDTH
    sizes = [len(group) / len(wide) for group, wide in zip(two.groups, more.groups, strict=True)]
    factors = np.repeat([*sizes, *[1.0] * len(sizes)], ITEM_WIDTH)
    first = weights["first.weight"]
    weights["first.weight"] = np.concatenate([first[:pooled] * factors[:, None], chosen(first[pooled:], contexts)])
    own = more.actions + HEAD_WIDTH
    answers = [*range(own + 1), *[own + 1] * (seats - 1)]
    for name in ("answer.weight", "answer.bias"):
        weights[name] = weights[name][..., answers]
    assert {name: weight.shape for name, weight in weights.items()} == more.weights
    return Network(more, weights)


def chosen(weights: Floats, rows: list[tuple[int, float]]) -> NDArray[np.float32]:
    """These rows of the weights, each with its factor."""
    places, factors = zip(*rows, strict=True)
    return weights[list(places)] * np.array(factors, dtype=np.float32)[:, None]


def main() -> None:
    """Replace the network for that number of seats."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("title", choices=ENGINES)
    parser.add_argument("--seats", type=int, required=True)
    options = parser.parse_args()
    engine = ENGINES[options.title]
    network = grown(engine, options.seats)
    arrays: dict[str, Any] = {name: weight.astype(np.float16) for name, weight in network.weights.items()}
    np.savez_compressed(engine.weights(options.seats), **arrays)


if __name__ == "__main__":
    main()
