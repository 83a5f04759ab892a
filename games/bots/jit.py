"""What the fast cores share: how they are compiled, and chance that is the same compiled or not."""

from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
from numba import config, njit
from numpy.typing import NDArray


def _version() -> str:
    """A digest of all that is compiled: what was compiled of a function holds the functions that it calls and the cards
    and numbers of the rules, whose changes numba does not notice."""
    digest = sha256()
    games = Path(__file__).parents[1]
    for file in sorted([*(games / "bots").rglob("*.py"), *(games / "rules").rglob("*.py"), *games.rglob("*.csv")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


# Numba makes its settings while it starts, so they have no types.
config.CACHE_DIR = str(  # type: ignore[attr-defined]
    Path(config.CACHE_DIR or Path(__file__).parent / "__pycache__") / _version()  # type: ignore[attr-defined]
)

jit = njit(cache=True)
"""Compiles a function for its first arguments and keeps the result on disk, in `NUMBA_CACHE_DIR` if that is set.
`NUMBA_DISABLE_JIT=1` leaves all as it is written."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Chance = NDArray[np.int64]
"""A source of chance: two numbers, which every draw changes."""

_FIRST, _SECOND = 2147483563, 2147483399


def chance(seed: int) -> Chance:
    """A source of chance for a seed; near seeds have nothing in common."""
    rng = Random(seed)
    return np.array([rng.randrange(1, _FIRST), rng.randrange(1, _SECOND)], dtype=np.int64)


@jit
def below(rng: Chance, bound: int) -> int:
    """A number from 0 to `bound` - 1, each alike likely to 1 in 2³¹ / bound.

    L'Ecuyer, "Efficient and portable combined random number generators", Communications of the ACM 31 (1988): period
    2⁶¹ from products that stay below 2⁶³.
    """
    rng[0] = rng[0] * 40014 % _FIRST
    rng[1] = rng[1] * 40692 % _SECOND
    return int((rng[0] - rng[1]) % (_FIRST - 1) % bound)


@jit
def shuffle(values: Ints, count: int, rng: Chance) -> None:
    """Put the first `count` values into random order, in place."""
    for last in range(count - 1, 0, -1):
        other = below(rng, last + 1)
        values[last], values[other] = values[other], values[last]
