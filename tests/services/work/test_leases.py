"""Several machines ask for sweeps, and one at a time sweeps, on a real database file and on PostgreSQL."""

from datetime import timedelta

import pytest
from django.core.cache import cache

from games import tasks
from games.services.work import leases, sweep
from tests.factories import START, at
from tests.services.races import race

SECOND = timedelta(seconds=1)


def swept() -> bool:
    """Ask for a sweep; return whether it took place."""
    cache.delete(sweep.LAST)
    tasks.sweep()
    return cache.get(sweep.LAST) is not None


@pytest.mark.django_db
def test_two_machines_that_ask_every_ten_seconds_share_one_sweep() -> None:
    for number in range(1, 4):
        for lag, is_first in ((0, True), (3, False), (7, False)):
            with at(START + (10 * number + lag) * SECOND):
                assert swept() == is_first


@pytest.mark.django_db
def test_the_lease_of_a_dead_holder_ends() -> None:
    with at(START):
        assert leases.take()
    with at(START + 29 * SECOND):
        assert not swept()
    with at(START + 30 * SECOND):
        assert swept()


@pytest.mark.django_db
def test_a_machine_whose_clock_is_ahead_stops_no_sweep_when_it_dies() -> None:
    with at(START + 90 * SECOND):
        assert leases.take()
    with at(START):
        assert swept()


@pytest.mark.django_db
def test_a_late_holder_leaves_the_lease_of_the_next_alone() -> None:
    with at(START):
        first = leases.take()
    assert first
    with at(START + 31 * SECOND):
        assert leases.take()
        leases.give_back(first)
    with at(START + 60 * SECOND):
        assert leases.take() is None


@pytest.mark.slow
def test_one_of_several_simultaneous_sweeps_begins(database: str) -> None:
    assert race("first", database, "race_sweep") == {"begun": 1}


@pytest.mark.slow
def test_another_goes_on_when_the_holder_is_killed(database: str) -> None:
    assert race("killed", database, "race_sweep") == {"killed": 1, "at_once": 0, "begun": 1}
