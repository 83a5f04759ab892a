"""An account is deleted while its person plays, on a real database file and on PostgreSQL."""

import pytest

from tests.services.races import race

NOTHING = {"alice": 0, "lost": 0, "left alone": 0, "at open tables": 0}


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["move", "join"])
def test_what_happens_meanwhile_is_done_or_refused(database: str, mode: str) -> None:
    """A move that is confirmed counts, and no seat is left to nobody."""
    assert race(mode, database, "race_deletion") == {"answered": 7, "deleted": 1, **NOTHING}
