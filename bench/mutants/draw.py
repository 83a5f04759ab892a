"""Finds the possible mutants, and draws some of them by a seed."""

import ast
import csv
import difflib
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

from bench.mutants.operators import OPERATORS

SOURCES = ("games/services", "games/rules", "accounts")
IDENTITY = ("_Eq_Is", "_NotEq_IsNot")
"""The endings of the operators that replace `==` by `is`, which is the same for small values."""
UNCHANGED = Path(__file__).with_name("unchanged.csv")


@dataclass(frozen=True)
class Mutant:
    """One change to one module."""

    path: str
    operator: str
    occurrence: int
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.operator}:{self.occurrence}"

    @classmethod
    def parse(cls, text: str) -> "Mutant":
        path, line, operator, occurrence = text.split(":")
        return cls(path, operator, int(occurrence), int(line))

    def source(self, tree: Path) -> str:
        """The source of the changed module."""
        changed = mutate_code((tree / self.path).read_text(), _operators()[self.operator], self.occurrence)
        assert changed is not None
        return str(changed)

    def change(self, tree: Path) -> tuple[str, str]:
        """The lines before and after the change, each joined to one line."""
        lines = difflib.unified_diff(
            (tree / self.path).read_text().splitlines(), self.source(tree).splitlines(), n=0, lineterm=""
        )
        found = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        before, after = (" ".join(line[1:].strip() for line in found if line[0] == sign) for sign in "-+")
        return before, after


def modules(tree: Path) -> list[str]:
    """The paths of the modules to mutate: all below `SOURCES` but migrations."""
    found = (path.relative_to(tree) for source in SOURCES for path in (tree / source).rglob("*.py"))
    return sorted(str(path) for path in found if "migrations" not in path.parts)


def draw(tree: Path, seed: str, count: int) -> list[Mutant]:
    """Draw `count` places of the code, and for each one of the possible changes. A shorter draw is the beginning of a
    longer one with the same seed."""
    rng = Random(seed)
    places: dict[tuple[str, object], list[Mutant]] = defaultdict(list)
    for path in modules(tree):
        for place, mutant in _mutants(path, (tree / path).read_text()):
            places[path, place].append(mutant)
    order = sorted(places, key=str)
    rng.shuffle(order)
    chosen = (rng.sample(places[place], len(places[place])) for place in order)
    readable = (next((mutant for mutant in mutants if _compiles(mutant.source(tree))), None) for mutants in chosen)
    return list(islice(filter(None, readable), count))


def is_listed(path: str, before: str, after: str) -> bool:
    """Whether `unchanged.csv` lists this mutant as equivalent to the code. A row names a module, or `*` for any, and
    the part of the line before and after the change."""
    with UNCHANGED.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["module"] in (path, "*")]
    return any(_swapped(before, after, row["before"], row["after"]) for row in rows)


def _swapped(before: str, after: str, old: str, new: str) -> bool:
    parts = before.split(old)
    return any(old.join(parts[:at]) + new + old.join(parts[at:]) == after for at in range(1, len(parts)))


def _operators() -> dict[str, Operator]:
    classes = {name: get_operator(name) for name in operator_names()} | OPERATORS
    return {name: kind() for name, kind in classes.items() if not (kind.arguments() or name.endswith(IDENTITY))}


def _mutants(path: str, source: str) -> Iterator[tuple[object, Mutant]]:
    """All mutants of a module, each with its place."""
    nodes, types = list(ast_nodes(get_ast(source))), list(_types(source))
    for name, operator in _operators().items():
        positions = ((node, position) for node in nodes for position in operator.mutation_positions(node))
        for occurrence, (node, (start, end)) in enumerate(positions):
            if not (_is_none(node) or any(first <= start <= last for first, last in types)):
                yield (start, end), Mutant(path, name, occurrence, start[0])


def _is_none(node: Any) -> bool:
    """Whether cosmic-ray wrongly sees a mutation here: a `*` that is no operator, or an error with a dotted name."""
    if node.type == "except_clause":
        return "." in node.get_code()
    return node.type == "operator" and node.parent.type in ("parameters", "dictorsetmaker", "lambdef")


def _compiles(source: str) -> bool:
    with warnings.catch_warnings(action="ignore"):
        try:
            compile(source, "mutant", "exec", dont_inherit=True)
        except SyntaxError:
            return False
    return True


def _types(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The first and last positions of type annotations, which do not run."""
    for node in ast.walk(ast.parse(source)):
        for name in ("annotation", "returns"):
            if isinstance(told := getattr(node, name, None), ast.expr):
                assert told.end_lineno is not None
                assert told.end_col_offset is not None
                yield (told.lineno, told.col_offset), (told.end_lineno, told.end_col_offset)
