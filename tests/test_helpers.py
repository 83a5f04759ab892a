"""Helpers that several tests use are in modules of their own."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
MODULE = r"(?:test_\w+|conftest)\b"
IMPORT = re.compile(
    rf"^\s*(?:(?:from|import) tests\.(?:[\w.]+\.)?{MODULE}|from tests[\w.]* import .*\b{MODULE})", re.MULTILINE
)


def test_nothing_is_imported_from_a_test_or_its_fixtures() -> None:
    assert {str(path.relative_to(TESTS)) for path in TESTS.rglob("*.py") if IMPORT.search(path.read_text())} == set()
