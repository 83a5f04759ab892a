"""Compare two networks of a title: `python -m games.bots.train.compare duel NEW.npz OLD.npz --games 400 --sims 200`.

The networks take the seats alternately, and every deal is played in both seatings. A network of the past is a file of
Git's: `git show COMMIT:games/bots/duel/weights/2.npz > OLD.npz`.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from games.bots.engines import ENGINES
from games.bots.tally import wilson
from games.bots.train.jobs import SIMS, match

BATCH = 48
"""Games that are played side by side, so that their positions are evaluated together."""


def rate(games: int, play: Callable[[int], Sequence[float]]) -> None:
    """Play batches of games until there are so many, and print the first side's rate after each. `play` gets the number
    of games so far, and returns the share that this side won in each game of the next batch."""
    won: list[float] = []
    while len(won) < games:
        won += play(len(won))
        low, high = wilson(sum(won), len(won))
        print(f"{len(won)} games: {sum(won) / len(won):.1%}, 95% interval {low:.1%} to {high:.1%}", flush=True)


def main() -> None:
    """Print the first network's rate after every batch."""
    parser = ArgumentParser(prog="games.bots.train.compare", description=__doc__)
    parser.add_argument("title", choices=ENGINES)
    parser.add_argument("networks", nargs=2, type=Path, metavar="FILE")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=480)
    parser.add_argument("--sims", type=int, default=SIMS, help="simulations for a decision, on both sides")
    parser.add_argument("--seed", default="compare")
    options = parser.parse_args()

    def play(played: int) -> Sequence[float]:
        games, seed = min(BATCH, options.games - played), f"{options.seed}/{played}"
        return match(options.title, options.seats, options.networks, games + games % 2, seed, options.sims)

    rate(options.games, play)


if __name__ == "__main__":
    main()
