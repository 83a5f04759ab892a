"""The notations that `docs/notation.md` shows are those that the rules read and write."""

import re
from pathlib import Path

import pytest

from games.catalogue import TITLES
from games.rules.base import BadNotation

DOCUMENT = Path(__file__).parents[2] / "docs" / "notation.md"
ROWS = re.findall(r"^\|([^|]*)\|([^|]*)\|([^|]*)\|[^|]*\|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
COLUMNS = {"splendor": 1, "duel": 2}
"""The column of each title in the table."""
BAD = ["", " ", "take", "take x", "take wug;", "TAKE wug", "take a6", "take a1,a2", "return", "return 3", "jump"]
BAD += ["\x00", "buy", "buy 9-white-01", "buy 1-white-01 =", "buy 1-white-01 = §"]
BAD += ["reserve", "reserve L4", "reserve 1-white-01 f6"]


@pytest.mark.parametrize("slug", TITLES)
def test_the_document_shows_every_kind_of_action(slug: str) -> None:
    ruleset = TITLES[slug].ruleset
    shown = [text for row in ROWS for text in re.findall(r"`(.+?)`", row[COLUMNS[slug]])]
    assert [str(ruleset.parse(text)) for text in shown] == shown
    assert {text.split()[0] for text in shown} == {kind.word for kinds in ruleset.actions.values() for kind in kinds}


@pytest.mark.parametrize("slug", TITLES)
def test_spaces_and_order_of_input_do_not_matter(slug: str) -> None:
    ruleset = TITLES[slug].ruleset
    assert str(ruleset.parse("  buy   1-white-01=kwk ")) == "buy 1-white-01 = wkk"
    assert str(ruleset.parse("return *uw")) == "return wu*"


KINDS = [(slug, kind.word) for slug, title in TITLES.items() for of in title.ruleset.actions.values() for kind in of]


@pytest.mark.parametrize(("slug", "word"), dict.fromkeys([*KINDS, *((slug, "jump") for slug in TITLES)]))
def test_errors_repeat_only_the_beginning_of_a_bad_notation(slug: str, word: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        TITLES[slug].ruleset.parse(f"{word} {'w' * 50 if word == 'steal' else 'x' * 50}")
    assert len(str(refusal.value.facts["text"])) == 40


@pytest.mark.parametrize("slug", TITLES)
@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_bad_notation(slug: str, text: str) -> None:
    with pytest.raises(BadNotation):
        TITLES[slug].ruleset.parse(text)
