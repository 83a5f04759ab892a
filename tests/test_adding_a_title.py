"""`docs/adding-a-title.md` lists what a title consists of: each title of the catalogue has it, and nothing more."""

import re
from pathlib import Path

import pytest

from games.catalogue import TITLES

ROOT = Path(__file__).parents[1]
ROWS = re.findall(r"^\| (`.+?) \|", (ROOT / "docs" / "adding-a-title.md").read_text(encoding="utf-8"), re.MULTILINE)
PATTERNS = [pattern for row in ROWS for pattern in re.findall(r"`(.+?)`", row)]


@pytest.mark.parametrize("slug", TITLES)
def test_a_title_has_every_file_of_the_list_and_no_other(slug: str) -> None:
    listed = {path for pattern in PATTERNS for path in ROOT.glob(pattern.replace("<slug>", slug))}
    for pattern in PATTERNS:
        needed = pattern != "games/static/games/<slug>.css"
        assert list(ROOT.glob(pattern.replace("<slug>", slug))) or not needed, pattern
    there = {
        path
        for folder in ("games", "tests", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and slug in path.relative_to(ROOT).as_posix() and "__pycache__" not in path.parts
    }
    data = {path for path in there if path.suffix in (".csv", ".png")}
    assert sorted(there - data - listed) == []
