"""Compiles the fast cores, and draws random numbers that are the same compiled or not."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, njit
from numpy.typing import NDArray

GAMES = Path(__file__).parents[1]
NOT_COMPILED = {"train", "arena.py", "external.py", "ledger.py", "ratings.py", "tally.py"}
"""Parts of `games/bots` that no compiled function calls. (Training compiles functions, and numba notices a change in
their own files.)"""


def sources() -> Iterator[Path]:
    """The files that decide what is compiled. The compiled code of a function contains the functions it calls and the
    cards and constants of the rules, and numba does not notice changes in those."""
    for file in (GAMES / "bots").rglob("*.py"):
        if NOT_COMPILED.isdisjoint(file.relative_to(GAMES).parts):
            yield file
    yield from (GAMES / "rules").rglob("*.py")
    yield from (GAMES / "rules").rglob("*.csv")


def _version() -> str:
    """A digest of `sources`."""
    digest = sha256()
    for file in sorted(sources()):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


# Numba creates its settings when it starts, so they have no types.
FOLDER = Path(config.CACHE_DIR or Path(__file__).parent / "__pycache__") / _version()  # type: ignore[attr-defined]
"""The folder of the compiled code; each version has its own."""
config.CACHE_DIR = str(FOLDER)  # type: ignore[attr-defined]


def tidy(cache: Path) -> None:
    """Delete what was compiled for other versions from that folder, if this version is kept there."""
    for folder in cache.glob("*"):
        if FOLDER.parent == cache and folder != FOLDER and folder.is_dir():
            rmtree(folder, ignore_errors=True)


jit = njit(cache=True)
"""Compiles a function at its first call and keeps the result on disk, in `NUMBA_CACHE_DIR` if that is set.
`NUMBA_DISABLE_JIT=1` switches compiling off."""
inlined = njit(cache=True, forceinline=True)
"""Compiles a function into those that call it, so that no time goes into calls; for parts of other functions, which a
search or a random game calls very often."""

Function = TypeVar("Function", bound=Callable[..., Any])


def jit_for(slug: str) -> Callable[[Function], Function]:
    """Compiles a function that is built for each title, into a file of its own on disk. Otherwise the files of two
    titles might be confused."""

    def compiled(function: Function) -> Function:
        function.__qualname__ = f"{slug}.{function.__name__}"
        return cast(Function, jit(function))

    return compiled


Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Chance = NDArray[np.int64]
"""A random source: two numbers that change with every draw."""

_FIRST, _SECOND = 2147483563, 2147483399


def chance(seed: int) -> Chance:
    """The random source of a seed. Similar seeds give unrelated sources."""
    rng = Random(seed)
    return np.array([rng.randrange(1, _FIRST), rng.randrange(1, _SECOND)], dtype=np.int64)


@jit
def below(rng: Chance, bound: int) -> int:
    """A number from 0 to `bound` - 1; all are equally likely, within a factor of 1 + `bound` / 2³¹.

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


@jit
def sort(values: Ints, count: int) -> None:
    """Put the first `count` values into ascending order, in place; quick if they almost are."""
    for place in range(1, count):
        value = values[place]
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value


@jit
def put_last(values: Ints, count: int, order: Ints) -> None:
    """Swap the last of the first `count` values with the one that comes first in `order`, in place."""
    first = 0
    for place in range(1, count):
        if order[values[place]] < order[values[first]]:
            first = place
    values[first], values[count - 1] = values[count - 1], values[first]
