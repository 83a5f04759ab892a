"""Helpers that several tests use are in modules of their own."""

import re

from tests.tree import imported, tracked

TEST = re.compile(r"tests\.(?:.+\.)?(?:test_\w+|conftest)(?:\.|$)")


def test_nothing_is_imported_from_a_test_or_its_fixtures() -> None:
    assert {path: name for path in tracked("*.py") for name in imported(path) if TEST.match(name)} == {}
