"""The seeds of repeated tests (a few fixed ones and a fresh one, or all fresh), and their report in the soak."""

import secrets
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench.soak import repeated

HERE, PROBE = "tests/test_repeated.py", "test_one_seed_fails"
UNLUCKY = 999
"""A seed that no other test uses."""
BARE = ("-o", "addopts=", "-p", "no:django", "-p", "no:hypothesispytest", "--noconftest", "-p", "tests.repeated", HERE)
"""Options that run only this module, without the site, which takes seconds to import."""


@pytest.mark.repeated(20)
def test_one_seed_fails(seed, record_property):
    record_property("draws", 3)
    assert seed != UNLUCKY


def run(*options: str) -> str:
    words = [sys.executable, "-m", "pytest", "-q", *BARE, *options]
    return subprocess.run(words, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True).stdout


def collected(*options: str) -> list[str]:
    found = run("-n0", "--collect-only", "-m", "repeated", *options)
    return [line for line in found.splitlines() if line.startswith(HERE)]


def test_the_short_form_is_a_tenth_and_one_fresh_seed():
    (*first, fresh), (*second, other) = collected(), collected()
    assert first == second == [f"{HERE}::{PROBE}[{seed}]" for seed in (0, 1)]
    assert fresh != other


def test_two_processes_have_the_same_fresh_seed():
    assert "3 passed" in run("-n2", "-k", PROBE)


def test_the_order_follows_from_the_seed():
    options = ["--long", "--shuffle", "--fresh=5"]
    first, second = collected(*options), collected(*options)
    assert first == second != sorted(first)
    assert {int(name.rpartition("[")[2][:-1]) for name in first} == set(range(5, 25))


def test_random_draws_follow_from_the_seed_and_the_test(request):
    chance = Random(f"{request.config.option.fresh} {request.node.nodeid}")
    assert secrets.token_bytes(8) == chance.randbytes(8)
    assert secrets.choice(range(1000)) == chance.choice(range(1000))


def test_the_soak_counts_the_long_form_and_names_failures():
    assert repeated.run(UNLUCKY - 19, "-n0", *BARE) == {
        "counts": {"tests.test_repeated": 20, "draws": 60},
        "faults": [f"tests.test_repeated: {PROBE}[{UNLUCKY}]"],
    }


def test_a_soak_without_results_is_a_failure():
    assert repeated.run(1, "-n0", *BARE, "-k", "missing") == {"counts": {}, "faults": ["pytest ended with 5"]}
