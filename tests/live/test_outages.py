"""While the database refuses writes, nothing is lost, pages say so, and the site recovers by itself."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from tests.live.people import Person
from tests.live.site import Site, until
from tests.live.table import Table

pytestmark = pytest.mark.slow


@contextmanager
def locked(site: Site) -> Iterator[None]:
    """Another program writes for a long time."""
    with closing(sqlite3.connect(site.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def full(site: Site) -> Iterator[None]:
    """No process of the site, nor its broker, can write to a file."""
    processes = site.processes()
    _soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for process in processes:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1, hard))
    yield
    for process in processes:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (hard, hard))


# SQLite needs some space to open a database, but not to read over a connection that is already open.
@pytest.mark.parametrize(
    ("trouble", "seconds", "read"),
    [(locked, 60, {200}), (full, 0, {503}), pytest.param(full, 60, {200, 503}, marks=pytest.mark.long)],
)
def test_nothing_is_lost_while_nothing_can_be_written(
    tmp_path: Path, trouble: Callable[[Site], AbstractContextManager[None]], seconds: int, read: set[int]
) -> None:
    strained = {"DJANGO_SETTINGS_MODULE": "tests.live.strained", "CONNECTION_SECONDS": str(seconds)}
    site = Site(tmp_path / "var", **strained, MAIL_PROCESSES="0")
    table = Table(site, "random", "greedy", "random")
    with site.running():
        until(lambda: table.number == 3)
        alice = Person(site.address)
        assert alice.log_in("alice") == 302
        assert alice.get(table.path) == 200
        before = site.ask("SELECT * FROM games_seat")
        with trouble(site):
            assert [alice.post(table.path, number=3, moves="reserve L1") for _attempt in range(2)] == [503, 503]
            assert alice.get(table.path) in read
            assert site.ask("SELECT * FROM games_seat") == before
            assert table.number == 3
        assert alice.post(table.path, number=3, moves="reserve L1") == 302
        until(lambda: table.number == 7)
        if trouble is locked:
            # A log on a full disk cannot say so, and Celery's workers end when the broker can't keep their queues.
            log = site.log.read_text()
            assert 1 <= log.count("The database fails: ") <= len(site.processes())
            assert "Traceback" not in log
    table.check(7)
