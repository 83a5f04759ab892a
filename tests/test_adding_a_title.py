"""`docs/adding-a-title.md` lists the files of a title: each title of the catalogue has them and no others."""

import re
from pathlib import Path

import pytest

from games.catalogue import TITLES

ROOT = Path(__file__).parents[1]
ROWS = re.findall(r"^\| (`.+?) \|", (ROOT / "docs" / "adding-a-title.md").read_text(encoding="utf-8"), re.MULTILINE)
LISTED = [re.findall(r"`(.+?)`", each) for row in ROWS for each in row.split(", ")]
"""The listed patterns; one of several alternatives is enough."""
CORE = [
    f"games/bots/<slug>/{name}"
    for name in (
        "players.py",
        "ratings.py",
        "layout.py",
        "core.py",
        "options.py",
        "observed.py",
        "features.py",
        "weights/*",
    )
]
NOT_NEEDED = [
    "games/static/games/<slug>.css",
    "templates/games/<slug>/_front.html",
    "tests/boards/test_<slug>_*.py",
    "tests/boards/<slug>.py",
    "games/bots/train/<slug>.py",
    "games/bots/train/state/<slug>-*/*",
    *CORE,
]


@pytest.mark.parametrize("slug", TITLES)
def test_every_title_has_exactly_the_listed_files(slug: str) -> None:
    found = {pattern: set(ROOT.glob(pattern.replace("<slug>", slug))) for patterns in LISTED for pattern in patterns}
    for patterns in LISTED:
        assert any(found[pattern] for pattern in patterns) or patterns[0] in NOT_NEEDED, patterns
    there = {
        path
        for folder in ("games", "templates", "tests", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and slug in path.relative_to(ROOT).as_posix().replace("splendor_site", "site")
        and "__pycache__" not in path.parts
    }
    data = {path for path in there if path.suffix == ".csv"}
    assert sorted(there - data - set().union(*found.values())) == []
