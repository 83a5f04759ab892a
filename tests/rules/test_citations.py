"""Every rule is tested: a test cites each R and D number of `docs/rules`."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"\b[RD]\d+a?\b")
BEYOND = {"D76", "D78"}
"""Points without a test: an agreement outside the rulebook, and an expansion."""


def stated(name: str) -> set[str]:
    text = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\* \*\*([RD]\d+a?)\*\*", text, re.MULTILINE)) - BEYOND


def cited() -> set[str]:
    files = [path for path in Path(__file__).parent.rglob("*") if path.suffix in (".py", ".txt")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files if path != Path(__file__))
    return set(NUMBER.findall(re.sub(r"\b[RD]\d+a?\s*(?:-|–|to)\s*[RD]?\d+a?\b", "", text)))


@pytest.mark.parametrize(("name", "count"), [("splendor", 64), ("duel", 76)])
def test_every_rule_is_cited_by_a_test(name: str, count: int) -> None:
    """A range such as "R1 to R3" cites none of its numbers."""
    rules = stated(name)
    assert len(rules) == count
    assert sorted(rules - cited()) == []
