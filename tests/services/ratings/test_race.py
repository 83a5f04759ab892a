"""Games of the same people that end at once, on a real database file and on PostgreSQL."""

import pytest

from tests.services.races import race


@pytest.mark.slow
def test_every_game_counts_once_and_in_order(database: str) -> None:
    """Two of the players delete their accounts at the same time."""
    assert race("2", database, "race_ratings") == {"ended": 4, "deleted": 2, "rows": 8, "same": True}
