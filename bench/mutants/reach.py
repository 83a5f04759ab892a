"""Finds the tests that reach a line, and the time of each."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate
from pathlib import Path

import pytest
from coverage import CoverageData

from bench.mutants.draw import SOURCES

CHOSEN = ("-n0", "-m", "not browser and not slow", "--fresh=1000", "-p", "no:cacheprovider", "-q")
FOLDERS = (
    "tests/accounts", "tests/mails", "tests/rules", "tests/services", "tests/views",
    "tests/test_bots_status.py", "tests/test_capabilities.py", "tests/test_models.py", "tests/test_simulate.py",
)  # fmt: skip
"""The tests to try: quick tests of the mutated code and of the pages and mails that show it. Repeated tests run with a
fixed seed."""
DATABASE = "empty.sqlite3"
ENOUGH = 300
"""The maximum seconds of tests for a mutant; all tests together take twice that."""


class Reach:
    """The results of running the tests in `FOLDERS`, kept in a folder."""

    def __init__(self, kept: Path, tree: Path, processes: int) -> None:
        self.tree, self.seconds, self._data = tree, dict[str, float](), CoverageData(no_disk=True)
        _migrate(kept, tree)
        places = {folder: kept / folder.replace("/", "-") for folder in FOLDERS}
        with ThreadPoolExecutor(processes) as pool:
            list(pool.map(partial(_measure, tree=tree), *zip(*places.items(), strict=True)))
        for folder, found in places.items():
            self.seconds |= json.loads((found / "seconds.json").read_text())
            reached = CoverageData(str(found / "coverage"))
            reached.read()
            assert reached.measured_contexts(), folder
            self._data.update(reached)

    def tests(self, path: str, line: int) -> list[str]:
        """The tests that reach the line, up to `ENOUGH` seconds: those named after the module first, and quick ones
        before slow ones. If no test reaches the line, take the tests of the smallest block around it that any test
        reaches, and the tests that reach no line, since these look at imported values. If there is no such block, take
        all tests. The line of a function that is called at import counts as reached by all tests of its module."""
        source = (self.tree / path).read_text()
        # What runs at import says nothing about the test that happened to import the module.
        inside, of_lines = called(source), self._data.contexts_by_lineno(str(self.tree / path))
        reached = {number: contexts for number, contexts in of_lines.items() if number in inside}
        found = _tests(reached.get(line, []))
        if "" in reached.get(line, []):
            found |= _tests(context for contexts in reached.values() for context in contexts)
        if not found:
            blocks = (range(first, last + 1) for first, last in _blocks(source, line))
            around = (_tests(context for number in block for context in reached.get(number, [])) for block in blocks)
            idle = self.seconds.keys() - _tests(self._data.measured_contexts())
            found = next(filter(None, around), self.seconds.keys()) | idle
        near = _words(path)
        distance = {test: -len(near & _words(test.partition("::")[0])) for test in found & self.seconds.keys()}
        order = sorted(distance, key=lambda test: (distance[test], self.seconds[test]))
        needed = accumulate(self.seconds[test] for test in order)
        return [test for test, seconds in zip(order, needed, strict=True) if seconds <= ENOUGH] or order[:1]


def _tests(contexts: Iterable[str]) -> set[str]:
    """The tests in coverage's contexts, which are of the form `test|setup`."""
    return {context.rpartition("|")[0] for context in contexts} - {""}


def _words(path: str) -> set[str]:
    """The words in the path of a module or its tests, such as `services` and `play`."""
    return {part.removeprefix("test_") for part in Path(path).with_suffix("").parts}


def _migrate(kept: Path, tree: Path) -> None:
    """Create the database that all trials copy. No mutant changes a migration."""
    if not (kept / DATABASE).exists():
        draft = kept.resolve() / f"{DATABASE}.draft"
        draft.unlink(missing_ok=True)
        env = environment(tree) | {"DATABASE_URL": f"sqlite:///{draft}"}
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=tree, env=env, check=True)
        draft.rename(kept / DATABASE)


def _measure(folder: str, found: Path, tree: Path) -> None:
    """Run the tests of the folder and keep the results in `found`, unless they are already there. Tests that fail
    without a mutant prove nothing and are left out, as are slow ones."""
    if found.exists():
        return
    draft = found.with_suffix(".draft")
    draft.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "pytest", folder, *CHOSEN, *(f"--cov={source}" for source in SOURCES)]
    command += [
        "--cov-context=test",
        "--cov-report=",
        "-p",
        "bench.mutants.stopwatch",
        f"--seconds={draft}/seconds.json",
    ]
    env = environment(tree) | {"COVERAGE_FILE": f"{draft}/coverage"}
    code = subprocess.run(command, cwd=tree, env=env, check=False).returncode
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(f"The tests of {folder} did not finish: pytest ended with {code}")
    draft.rename(found)


def environment(tree: Path) -> dict[str, str]:
    """The environment variables for the tests of that tree."""
    return {**os.environ, "VAR_DIR": str(tree / "var")}


def called(source: str) -> set[int]:
    """The lines within functions."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return {line for one in functions for line in range(one.body[0].lineno, (one.end_lineno or 0) + 1)}


def _blocks(source: str, line: int) -> list[tuple[int, int]]:
    """The first and last lines of every statement around that line and of the module, smallest first. The lines of a
    function include its decorators."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            assert node.end_lineno is not None
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(each.lineno for each in decorators)])
            if first <= line <= node.end_lineno:
                found.append((first, node.end_lineno))
    return [*sorted(found, key=lambda block: block[1] - block[0]), (1, source.count("\n") + 1)]
