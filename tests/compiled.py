"""Compiles the bots for the tests, which takes a minute if there is no compiled form on disk."""

import fcntl
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.shared import PROJECT, made_once

BOTS = Path(__file__).parents[1] / "games" / "bots"


@cache
def compile_bots() -> None:
    """Compile the bots, or load what another process has compiled; only one process compiles at a time."""
    # These imports take a second and much memory, and most processes do not need them.
    from games.bots import engines, jit
    from tests.bots.core import differential

    folder = os.open(BOTS, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        engines.warm_up()
        for slug, seats in differential.TABLES:
            differential.play(slug, seats, 0)
        jit.tidy(BOTS / "__pycache__")
    finally:
        os.close(folder)


def compile_beside() -> None:
    """Have another process compile the bots, once in a test run, because loading them here takes seconds."""
    made_once("bots", _compile_beside)


def _compile_beside(mark: Path) -> None:
    subprocess.run([sys.executable, "-m", "tests.compiled"], cwd=PROJECT, check=True)
    mark.touch()


if __name__ == "__main__":
    compile_bots()
