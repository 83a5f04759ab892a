"""Every code has a sentence, every sentence has a code, and the facts fill all its placeholders."""

import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from games.rules.splendor.cards import COLOURS, NOBLES
from games.wording import common, splendor
from games.wording.title import TitleWords, read
from tests.wording.collect import RULESETS, codes, reasons, said

ROOT = Path(__file__).parents[2]
TITLES = {slug: import_module(f"games.wording.{slug}") for slug in RULESETS}
BY_TITLE = pytest.mark.parametrize("slug", RULESETS)
BY_TABLE = pytest.mark.parametrize("table", ["REFUSALS", "EVENTS"])


class Recorder(dict[str, Any]):
    """Stands in for the facts and records those that a sentence uses."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: set[str] = set()

    def __missing__(self, name: str) -> int:
        self.asked.add(name)
        return self.number


def placeholders(sentence: Any) -> set[str]:
    """The placeholders of all plural forms."""
    asked = set()
    for number in (0, 1, 2):
        recorder = Recorder(number)
        assert "%(" not in str(sentence % recorder)
        asked |= recorder.asked
    return asked


def derivable(title: TitleWords, facts: Iterable[str]) -> set[str]:
    """The placeholders that these facts can fill."""
    facts = set(facts)
    people = {"player", "others"} if "seat" in facts else set()
    return facts | people | {name for name, (needed, _) in title.PHRASES.items() if set(needed) <= facts}


@BY_TITLE
@BY_TABLE
def test_the_rules_and_the_sentences_have_the_same_codes(slug: str, table: str) -> None:
    assert codes(getattr(TITLES[slug], table)) == {each.code for each in said(slug, table)}


@BY_TITLE
def test_every_refusal_has_its_rule(slug: str) -> None:
    title = TITLES[slug]
    assert codes(title.PARAGRAPHS) == codes(title.REFUSALS)
    without = {key for key in title.REFUSALS if not {key, key.split()[0]} & set(title.PARAGRAPHS)}
    assert without == set()
    facts = (ROOT / "docs" / "rules" / f"{slug}.md").read_text(encoding="utf-8")
    assert {number for number in title.PARAGRAPHS.values() if f"* **{number}**" not in facts} == set()


@BY_TITLE
@BY_TABLE
def test_a_code_without_a_general_sentence_has_one_for_every_value(slug: str, table: str) -> None:
    sentences = getattr(TITLES[slug], table)
    values = {"phase": RULESETS[slug].actions, "colour": COLOURS}
    for code in codes(sentences) - set(sentences):
        special = {key for key in sentences if key.split()[0] == code}
        ((fact,),) = {tuple(key.split()[1].split("=")[:1]) for key in special}
        assert special == {f"{code} {fact}={value}" for value in values[fact]}


@BY_TITLE
@BY_TABLE
def test_sentences_use_only_their_own_facts(slug: str, table: str) -> None:
    title = TITLES[slug]
    for key, sentence in getattr(title, table).items():
        code, *special = key.split()
        facts = [each.facts for each in said(slug, table) if each.code == code]
        assert {part.split("=")[0] for part in special} <= frozenset.intersection(*facts), key
        for known in facts:
            assert placeholders(sentence) <= derivable(title, known), key


@BY_TITLE
def test_every_kind_of_action_has_its_sentence(slug: str) -> None:
    title = TITLES[slug]
    kinds = {kind for kinds in RULESETS[slug].actions.values() for kind in kinds}
    assert codes(title.ACTIONS) == {kind.word for kind in kinds}
    for pattern, sentence in title.ACTIONS.items():
        assert placeholders(sentence) <= derivable(title, re.findall(r"\{(\w+)\}", pattern)), pattern


@BY_TITLE
def test_every_reason_of_an_outcome_has_its_sentence(slug: str) -> None:
    title = TITLES[slug]
    assert set(title.OUTCOMES) == reasons(slug)
    for sentence in title.OUTCOMES.values():
        assert placeholders(sentence) <= derivable(title, ["winners", "points", "tied"])


@BY_TABLE
def test_the_common_sentences_are_those_of_all_titles(table: str) -> None:
    shared = set.intersection(*({each.code for each in said(slug, table)} for slug in RULESETS))
    assert codes(getattr(common, table)) <= shared


@BY_TITLE
def test_a_missing_sentence_is_an_error(slug: str) -> None:
    with pytest.raises(KeyError):
        read(TITLES[slug].ACTIONS, "gamble everything")


@BY_TITLE
def test_no_two_cards_have_the_same_name(slug: str) -> None:
    cards = import_module(f"games.rules.{slug}.cards").CARDS
    names = [TITLES[slug].card(card) for card in cards]
    assert len(set(names)) == len(cards)


def test_the_nobles_have_the_names_of_the_data() -> None:
    names = {noble.id: noble.name.replace("'", "’") for noble in NOBLES.values()}
    assert {noble: str(name) for noble, name in splendor.NAMES.items()} == names
