"""Reads the codes of refusals and events from the source of the rules."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import games.rules
from games.rules.base import Ruleset
from games.rules.duel.ruleset import Duel
from games.rules.splendor.ruleset import Splendor

RULESETS: dict[str, Ruleset[Any, Any]] = {"splendor": Splendor(), "duel": Duel()}

_RULES = Path(games.rules.__file__).parent
_TABLES = {"IllegalAction": "REFUSALS", "BadNotation": "REFUSALS", "Event": "EVENTS"}
"""The classes with codes, and the tables with their sentences."""


@dataclass(frozen=True)
class Said:
    """A code and its facts, as written at one place of the rules."""

    table: str
    code: str
    facts: frozenset[str]


def said(slug: str, table: str) -> list[Said]:
    """All codes of that table that a game of the title can use, including those that all titles share."""
    return [said for tree in _trees(slug) for said in _calls(tree) if said.table == table]


def codes(keys: Iterable[str]) -> set[str]:
    """The first words of sentences' keys, which are codes or words of notations."""
    return {key.split()[0] for key in keys}


def reasons(slug: str) -> set[str]:
    """The reasons for outcomes in the title's functions."""
    return {
        constant.value
        for tree in _trees(slug)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name in ("outcome", "victory")
        for statement in function.body[bool(ast.get_docstring(function)) :]
        for constant in ast.walk(statement)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    }


@cache
def _trees(slug: str) -> list[ast.Module]:
    paths = [*_RULES.glob("*.py"), *_RULES.glob(f"{slug}/**/*.py")]
    return [ast.parse(path.read_text(encoding="utf-8"), str(path)) for path in paths]


def _calls(tree: ast.Module) -> Iterator[Said]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in _TABLES:
                (code,) = node.args
                assert isinstance(code, ast.Constant), f"the code is not written out: {ast.unparse(node)}"
                assert isinstance(code.value, str)
                facts = [keyword.arg for keyword in node.keywords]
                assert None not in facts, f"the facts are not written out: {ast.unparse(node)}"
                yield Said(_TABLES[name], code.value, frozenset(map(str, facts)))
