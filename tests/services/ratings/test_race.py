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


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_an_account_is_deleted_while_its_ratings_are_counted(database: str) -> None:
    """Both lock the pool first, so neither waits for what the other holds."""
    assert race(None, database, "race_pools") == {"deleted": 1}
