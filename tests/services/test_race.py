"""Eight processes decide at the same number, on a real database file and on PostgreSQL."""

import pytest

from tests.services.races import race


@pytest.mark.slow
def test_one_of_several_simultaneous_decisions_is_played(database: str) -> None:
    assert race("different", database) == {"success": 1, "stale": 7, "moves": 1, "number": 1}


@pytest.mark.slow
def test_eight_equal_decisions_succeed_as_one_move(database: str) -> None:
    assert race("equal", database) == {"success": 8, "stale": 0, "moves": 1, "number": 1}


@pytest.mark.slow
def test_eight_clicks_on_a_button_count_once(database: str) -> None:
    rows = {"Vacation": 1, "Report": 1, "Archive": 1}
    assert race("click", database, "race_tables") == {"success": 8, "refused": 0, **rows}
