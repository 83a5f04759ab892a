"""The script with which players check a shuffle does not use the site's code, and agrees with it."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from random import Random
from typing import Any

import pytest

from games.catalogue import TITLES
from games.rules import chance
from games.rules.base import Ruleset
from games.rules.duel.cards import CARDS as DUEL_CARDS
from games.rules.duel.cards import SPIRAL
from games.rules.splendor.cards import CARDS as SPLENDOR_CARDS
from games.rules.splendor.cards import NOBLES
from tests.check_shuffle import ROOT, SCRIPT, run

TABLES = [(slug, seats) for slug, title in TITLES.items() for seats in title.ruleset.seats]


def load() -> Any:
    spec = spec_from_file_location("check_shuffle", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def spell(cost: tuple[int, ...]) -> str:
    return "".join(f"{number}{kind}" for number, kind in zip(cost, "wugrkp", strict=False) if number)


def cards(slug: str, names: tuple[str, ...]) -> list[str]:
    """`white 2r1k` for each of these cards."""
    found: Any = {"splendor": SPLENDOR_CARDS, "duel": DUEL_CARDS}[slug]
    return [f"{name.split('-')[1]} {spell(found[name].cost)}" for name in names]


def dealt(slug: str, state: Any) -> dict[str, list[str]]:
    """The deal according to the rules, in the script's words."""
    rows = state.rows if slug == "splendor" else state.pyramid
    expected: dict[str, list[str]] = {}
    for level, (row, deck) in enumerate(zip(rows, state.decks, strict=True), start=1):
        expected |= {f"Level {level}, face up": cards(slug, row), f"Level {level}, deck": cards(slug, deck)}
    if slug == "splendor":
        expected["Nobles, by the bonuses they need"] = [spell(NOBLES[noble].needs) for noble in state.nobles]
    else:
        expected["Tokens, along the spiral from the centre"] = [state.board[space] for space in SPIRAL]
    return expected


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_the_script_deals_as_the_rules_do(slug: str, seats: int) -> None:
    script, rng = load(), Random(f"{slug} {seats}")
    ruleset: Ruleset[Any, Any] = TITLES[slug].ruleset
    for _ in range(20):
        seed = rng.randbytes(chance.SEED_BYTES)
        order = chance.shuffle(seed, "seats", 0, [str(place) for place in range(1, seats + 1)])
        told = script.deal(slug, seats, seed)
        assert told.pop("Turn order, numbered in the order of joining") == list(order)
        assert told == dealt(slug, ruleset.initial(seats, seed))
        versions = range(ruleset.version, 0, -1)
        assert script.seals(slug, seed) == [chance.commitment(slug, version, seed) for version in versions]


@pytest.mark.parametrize("version", [1, 2])
def test_the_script_runs_without_the_project(version: int) -> None:
    seed = bytes(range(32))
    commitment = chance.commitment("splendor", version, seed)
    code, said = run("splendor", "4", commitment, seed.hex())
    assert code == 0
    assert said.startswith("The seal fits the seed.\nTurn order")
    assert len(re.findall(r"^Level \d, (?:face up|deck): ", said, re.MULTILINE)) == 6


def test_a_wrong_seed_is_reported() -> None:
    seed = bytes(range(32))
    code, said = run("duel", "2", chance.commitment("duel", 1, seed), seed[::-1].hex())
    assert code == 1
    assert said.startswith("THE SEAL DOES NOT FIT THE SEED.")


@pytest.mark.parametrize("arguments", [(), ("chess", "2", "a", "b"), ("duel",)])
def test_without_arguments_it_prints_its_usage(arguments: tuple[str, ...]) -> None:
    code, said = run(*arguments)
    assert code == 1
    assert "python3 check_shuffle.py splendor 4 SEAL SEED" in said


def test_the_document_names_the_script() -> None:
    document = ROOT / "docs" / "chance.md"
    [link] = re.findall(r"\]\((\S+check_shuffle\.py)\)", document.read_text(encoding="utf-8"))
    assert (document.parent / link).resolve() == SCRIPT
