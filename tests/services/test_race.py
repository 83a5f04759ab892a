"""Eight processes decide at the same number, on a real database file and on PostgreSQL."""

import pytest

from tests.services.races import race


@pytest.mark.slow
def test_of_different_decisions_one_wins(database: str) -> None:
    assert race("different", database) == {"success": 1, "stale": 7, "moves": 1, "number": 1}


@pytest.mark.slow
def test_equal_decisions_are_one_move_and_eight_successes(database: str) -> None:
    assert race("equal", database) == {"success": 8, "stale": 0, "moves": 1, "number": 1}
