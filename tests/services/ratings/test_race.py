"""Ratings and statistics of people whose games end at once, on a real database file and on PostgreSQL."""

import pytest

from tests.services.races import race


@pytest.mark.slow
def test_every_game_counts_once_and_in_order(database: str) -> None:
    """Two of the players delete their accounts at the same time."""
    raced = race("2", database, "race_ratings")
    ratings = {"rows": 8, "same": True}
    # Each of the four games counts for Chloé; her opponents have gone.
    statistics = {"met": 4, "same_sums": True}
    assert raced == {"ended": 4, "deleted": 2, **ratings, **statistics}
