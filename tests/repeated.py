"""Tests that are repeated with seeds: `repeated(times)` gives them the argument `seed`; see docs/testing.md. This
module also chooses the number of workers and the order of tests."""

import argparse
import os
from collections.abc import Sequence
from math import ceil
from random import Random, SystemRandom
from typing import Any

import pytest

FIXED = 1000
"""Seeds below this number are the same in every run; fresh ones are larger."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("repeated")
    group.addoption("--long", action="store_true", help="run repeated tests at full length, with fresh seeds only")
    group.addoption("--fresh", type=int, metavar="SEED", help="the fresh seed, or the first of them; default: any")
    group.addoption("--shuffle", action="store_true", help="modules, and the tests of each, in an order of that seed")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.fresh is None:
        handed: dict[str, int] = getattr(config, "workerinput", {})
        config.option.fresh = handed.get("fresh") or SystemRandom().randrange(FIXED, 1_000_000)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each core, because tests wait for processes and browsers."""
    return 2 * len(os.sched_getaffinity(0))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give all processes the same fresh seed."""
    node.workerinput["fresh"] = node.config.option.fresh


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("repeated")
    if marker:
        metafunc.parametrize("seed", _seeds(marker.args[0], metafunc.config.option))


def _seeds(times: int, option: argparse.Namespace) -> Sequence[int]:
    if option.long:
        return range(option.fresh, option.fresh + times)
    return [*range(ceil(times / 10)), option.fresh]


@pytest.hookimpl(tryfirst=True)  # before pytest-django moves tests that empty the database to the end
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        # Hypothesis repeats tests by itself; see `pytest_configure`.
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("repeated")
    if not config.option.long:
        left = {item for item in items if item.get_closest_marker("long")}
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]
    if config.option.shuffle:
        rng = Random(config.option.fresh)
        modules = {item.path: rng.random() for item in items}
        items.sort(key=lambda item: (modules[item.path], rng.random()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if {"failed", "error"} & terminalreporter.stats.keys():
        option = config.option
        words = [f"--fresh={option.fresh}", *(f"--{name}" for name in ("long", "shuffle") if getattr(option, name))]
        terminalreporter.write_line(f"repeat with {' '.join(words)}")
