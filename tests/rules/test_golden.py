"""Golden counts: the numbers of options and variants at every decision of ten random games per title and seat count.

Any change to the legal actions shows here. If you intend it, write the files again with `python -m
tests.rules.test_golden`, and say in the commit why the counts changed.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.catalogue import TITLES

GAMES = 10
FOLDER = Path(__file__).parent / "golden"
CASES = [(slug, seats) for slug, title in TITLES.items() for seats in title.ruleset.seats]


def counts(slug: str, seats: int) -> list[dict[str, Any]]:
    """The games: their seeds, the counts at each decision, and their outcomes."""
    ruleset = TITLES[slug].ruleset
    games = []
    for game in range(GAMES):
        seed = f"golden {game}".encode().ljust(32, b".")
        rng = Random(f"{slug} {seats} {game}")
        state = ruleset.initial(seats, seed)
        options, variants = [], []
        while state.to_act is not None:
            legal = ruleset.legal_actions(state)
            ways = ruleset.all_actions(state)
            options.append(len(legal))
            variants.append(len(ways) - len(legal))
            state = ruleset.apply(state, ways[rng.randrange(len(ways))]).state
        outcome = ruleset.outcome(state)
        assert outcome is not None
        games.append({"options": options, "variants": variants, "scores": list(outcome.scores)})
    return games


def path(slug: str, seats: int) -> Path:
    return FOLDER / f"{slug}-{seats}.json"


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_counts_are_as_recorded(slug: str, seats: int) -> None:
    assert counts(slug, seats) == json.loads(path(slug, seats).read_text(encoding="utf-8"))


if __name__ == "__main__":
    for slug, seats in CASES:
        lines = ",\n".join(json.dumps(game, separators=(",", ":")) for game in counts(slug, seats))
        path(slug, seats).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
