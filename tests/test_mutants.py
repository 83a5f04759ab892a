"""The changes that `make mutants` makes to the code, and how it draws them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cosmic_ray.mutating import mutate_code
from coverage import CoverageData

from bench.mutants import draw, reach
from bench.mutants.operators import OPERATORS
from tests.tree import ROOT

CODE = """
from typing import Any

LIMIT: int | None = 20


def claim(games: Any, *, at: int | None = None) -> dict[str, Any]:
    try:
        games.nudge()
    except games.Gone:
        return {**games.facts}
    return games.filter(pk=1, at=at + LIMIT) == 1
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree/accounts").mkdir(parents=True)
    (tmp_path / "tree/accounts/claims.py").write_text(CODE)
    return tmp_path / "tree"


@pytest.mark.parametrize(
    ("operator", "example"), [(name, each) for name, kind in OPERATORS.items() for each in kind.examples()]
)
def test_operators_leave_out_a_call_or_a_condition(operator, example):
    changed = mutate_code(example.pre_mutation_code, OPERATORS[operator](), example.occurrence)
    assert changed == example.post_mutation_code


def test_each_place_is_drawn_once_and_its_mutant_compiles(tree):
    mutants = draw.draw(tree, "a seed", 100)
    changes = [mutant.change(tree) for mutant in mutants]
    assert {before for before, _after in changes} == {
        "LIMIT: int | None = 20",
        "games.nudge()",
        "return games.filter(pk=1, at=at + LIMIT) == 1",
    }
    # Three numbers, a call, two conditions, a sum, a comparison.
    assert len(mutants) == 8
    assert all(draw.Mutant.parse(str(mutant)) == mutant for mutant in mutants)
    for mutant in mutants:
        compile(mutant.source(tree), "mutant", "exec")


def test_a_seed_repeats_its_draw_and_a_shorter_draw_is_its_beginning(tree):
    assert draw.draw(tree, "a seed", 3) == draw.draw(tree, "a seed", 8)[:3]
    assert draw.draw(tree, "a seed", 8) != draw.draw(tree, "another", 8)


def test_listed_mutants_are_identified_by_the_changed_line():
    before = "zip(a, b, strict=True), zip(c, d, strict=True)"
    assert draw.is_listed("games/services/play.py", before, "zip(a, b, strict=True), zip(c, d, strict=False)")
    assert not draw.is_listed("games/services/play.py", before, "zip(a, b, strict=True)")


def test_lines_within_functions_are_told_from_those_that_run_at_import():
    lines = CODE.splitlines()
    assert [lines[number - 1].strip() for number in sorted(reach.called(CODE))] == [
        "try:",
        "games.nudge()",
        "except games.Gone:",
        "return {**games.facts}",
        "return games.filter(pk=1, at=at + LIMIT) == 1",
    ]


def test_a_line_that_is_called_at_import_is_tried_with_all_tests_of_its_module(tree):
    nudge, ask = (number for number, line in enumerate(CODE.splitlines(), 1) if "nudge()" in line or "filter(" in line)
    known = CoverageData(no_disk=True)
    module = "accounts/claims.py"
    path = str(tree / module)
    for context, lines in {"": [1, nudge], "a.py::a|run": [nudge], "b.py::b|run": [ask]}.items():
        known.set_context(context)
        known.add_lines({path: lines})
    found = object.__new__(reach.Reach)
    found.tree, found.seconds, found._data = tree, {"a.py::a": 2.0, "b.py::b": 1.0, "c.py::c": 3.0}, known
    assert found.tests(module, nudge) == ["b.py::b", "a.py::a"]
    assert found.tests(module, ask) == ["b.py::b"]
    # Nothing calls this line; `c` reaches no line at all.
    assert found.tests(module, 1) == ["b.py::b", "a.py::a", "c.py::c"]


TRIALS = """
import sys
from pathlib import Path
from bench.mutants import draw, trial

tree, test = Path(sys.argv[1]), "tests/test_claims.py::test_claims"
for mutant in draw.draw(tree, "a seed", 100):
    print(mutant.change(tree)[0], *trial.run(mutant, [test], {test: 0.1}, tree))
"""
TEST = """
import os
from pathlib import Path
from accounts.claims import LIMIT

def test_claims():
    assert (LIMIT, Path(os.environ["TEST_RUN"], "empty.sqlite3").read_text()) == (20, "prepared")
"""


def test_trials_use_the_prepared_database_and_restore_the_code(tree):
    (tree / "tests").mkdir()
    (tree / "tests/conftest.py").write_text("def pytest_addoption(parser): parser.addoption('--fresh')")
    (tree / "tests/test_claims.py").write_text(TEST)
    (tree / "accounts/claims.py").write_text("LIMIT = 20\nOTHER = 30\n")
    tree.with_name("empty.sqlite3").write_text("prepared")
    words, environment = [sys.executable, "-c", TRIALS, str(tree)], {"PATH": os.environ["PATH"]}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert sorted(done.stdout.splitlines()) == [
        "LIMIT = 20 killed tests/test_claims.py::test_claims",
        "OTHER = 30 survived ",
    ]
    assert (tree / "accounts/claims.py").read_text() == "LIMIT = 20\nOTHER = 30\n"
