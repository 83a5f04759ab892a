"""Which seeds a repeated test runs with: few and a fresh one, or all of them fresh."""

import subprocess
import sys
from pathlib import Path

import pytest

HOSTILE = "tests/views/test_hostile.py::test_hostile_requests_are_refused_and_change_nothing"


def collected(*options: str) -> list[str]:
    words = ["-m", "pytest", "--collect-only", "-q", "-m", "repeated", HOSTILE, *options]
    done = subprocess.run(
        [sys.executable, *words], cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True
    )
    return [line for line in done.stdout.splitlines() if line.startswith("tests/")]


@pytest.mark.parametrize(
    ("options", "seeds"),
    [(["--fresh=812733"], [0, 1, 812733]), (["--long", "--fresh=812733"], range(812733, 812753))],
    ids=["short", "long"],
)
def test_the_seeds_of_a_repeated_test(options, seeds):
    assert collected(*options) == [f"{HOSTILE}[{seed}]" for seed in seeds]


def test_the_fresh_seed_is_another_in_every_run():
    first, second = collected(), collected()
    assert first[:-1] == second[:-1]
    assert first[-1] != second[-1]
