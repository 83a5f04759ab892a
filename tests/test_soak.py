"""The short form of `make soak`: some days in one process that dies at every seam, then some real processes killed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.soak import FAULTS


@pytest.mark.slow
def test_nothing_is_lost_and_nobody_is_wronged() -> None:
    options = ["--people=20", "--games=24", "--days=5", "--minutes=0.5", "--kills=4"]
    done = subprocess.run(
        [sys.executable, "-m", "bench.soak", *options],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    print(done.stdout, done.stderr)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert {name: figures[name] for name in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert done.returncode == 0
    # It has not been idle.
    assert figures["owed"] > 150
    assert figures["sent"] > 150
    assert figures["moves"] > 200
    assert figures["crashes"] >= 20
    assert figures["clocks_run_out"] >= 3
    assert figures["games_ended"] >= 3
