"""Every scenario of `tests/rules/scenarios`: the corner cases of the rules, each citing its R or D numbers."""

from pathlib import Path

import pytest

from tests.rules.transcripts import replay

SCENARIOS = sorted(Path(__file__).parent.glob("scenarios/*/*.txt"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path: Path) -> None:
    replay(path)
