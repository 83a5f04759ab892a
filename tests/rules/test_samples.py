"""Positions stored by earlier versions still load.

`samples/<title>-<shape>.json` holds a dumped state of each shape that was ever stored. If you change a state, keep the
old files, upgrade them in `Ruleset.load`, and add a file of the new shape.
"""

import json
from pathlib import Path

import pytest

from games.catalogue import TITLES

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.json"))


def test_every_title_has_a_sample() -> None:
    assert {path.stem.split("-")[0] for path in SAMPLES} == set(TITLES)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_stored_position_loads_and_plays_on(path: Path) -> None:
    ruleset = TITLES[path.stem.split("-")[0]].ruleset
    state = ruleset.load(json.loads(path.read_text(encoding="utf-8")))
    assert ruleset.faults(state) == []
    assert any(held.blind for player in state.players for held in player.reserved)
    for action in ruleset.all_actions(state):
        assert ruleset.faults(ruleset.apply(state, action).state) == []


@pytest.mark.parametrize("title", TITLES)
def test_states_are_dumped_in_the_newest_shape(title: str) -> None:
    shapes = [path for path in SAMPLES if path.stem.startswith(f"{title}-")]
    newest = max(shapes, key=lambda path: int(path.stem.split("-")[1]))
    data = json.loads(newest.read_text(encoding="utf-8"))
    ruleset = TITLES[title].ruleset
    assert json.loads(json.dumps(ruleset.dump(ruleset.load(data)))) == data
