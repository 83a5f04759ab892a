"""Which tests reach a line, and how long each takes."""

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
    "tests/test_bots_status.py", "tests/test_capabilities.py", "tests/test_simulate.py",
)  # fmt: skip
"""What is tried: the quick tests of what is mutated and of what shows it, the repeated ones always with one seed."""
DATABASE = "database.sqlite3"
ENOUGH = 60
"""Seconds of tests that a mutant is tried with: all but a few slow ones of what half of the tests reach."""


class Reach:
    """What a run of all tests found, kept in a folder."""

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
        """The quickest that reach the line, up to `ENOUGH`; what only the slow ones would notice counts as unnoticed.
        First come those whose names tell that they are about the module. Where none runs the line (as modules are read
        before), those that reach the smallest block around it which tests do run, and those that run nothing at all:
        they look at what was read. If there is no such block, all."""
        reached = self._data.contexts_by_lineno(str(self.tree / path))
        found = _tests(reached.get(line, []))
        if not found:
            blocks = (range(first, last + 1) for first, last in _blocks((self.tree / path).read_text(), line))
            around = (_tests(context for number in block for context in reached.get(number, [])) for block in blocks)
            idle = self.seconds.keys() - _tests(self._data.measured_contexts())
            found = next(filter(None, around), self.seconds.keys()) | idle
        quickest = sorted(found & self.seconds.keys(), key=self.seconds.__getitem__)
        needed = accumulate(self.seconds[test] for test in quickest)
        chosen = [test for test, seconds in zip(quickest, needed, strict=True) if seconds <= ENOUGH] or quickest[:1]
        near = _words(path)
        return sorted(chosen, key=lambda test: -len(near & _words(test.partition("::")[0])))


def _tests(contexts: Iterable[str]) -> set[str]:
    """Of which coverage tells, with what each was at: `test|setup`."""
    return {context.rpartition("|")[0] for context in contexts} - {""}


def _words(path: str) -> set[str]:
    """What a module or its tests are about: `services`, `play`."""
    return {part.removeprefix("test_") for part in Path(path).with_suffix("").parts}


def _migrate(kept: Path, tree: Path) -> None:
    """Make the database that trials begin with: no mutant changes a migration."""
    if not (kept / DATABASE).exists():
        draft = kept.resolve() / f"{DATABASE}.draft"
        draft.unlink(missing_ok=True)
        env = environment(tree) | {"DATABASE_URL": f"sqlite:///{draft}"}
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=tree, env=env, check=True)
        draft.rename(kept / DATABASE)


def _measure(folder: str, found: Path, tree: Path) -> None:
    """Run the tests of that folder, unless that has been done; those that fail without a mutant prove nothing, and are
    left out, as are those that take long."""
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
        raise SystemExit(f"The tests of {folder} were not run to the end: {code}")
    draft.rename(found)


def environment(tree: Path) -> dict[str, str]:
    """In which the tests of that tree run."""
    return {**os.environ, "VAR_DIR": str(tree / "var")}


def _blocks(source: str, line: int) -> list[tuple[int, int]]:
    """First and last line of each statement around that line, the smallest first; of a function's head all of it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            assert node.end_lineno is not None
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(each.lineno for each in decorators)])
            if first <= line <= node.end_lineno:
                found.append((first, node.end_lineno))
    return [*sorted(found, key=lambda block: block[1] - block[0]), (1, source.count("\n") + 1)]
