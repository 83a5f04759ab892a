"""Writers of SQLite stand in line, even if some are killed, and workers empty its journal: real processes on a real
database file."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from splendor_site.sqlite.base import line
from tests.live.site import until
from tests.shared import PROJECT, empty_database

pytestmark = pytest.mark.slow

# Writes one row, in a transaction or without, or begins a transaction that never ends.
WRITER = """
import sys, time
from contextlib import nullcontext
import django
django.setup()
from django.db import connection, transaction
name, how = sys.argv[1:]
with nullcontext() if how == "alone" else transaction.atomic(), connection.cursor() as cursor:
    cursor.execute("INSERT INTO probe VALUES (%s)", [name])
    while how == "endless":
        print(name, flush=True)
        time.sleep(60)
"""
# Makes so many transactions, each with a row of that many bytes.
ROWS = """
import sys
import django
django.setup()
from django.db import connection, transaction
count, size = map(int, sys.argv[1:])
for _transaction in range(count):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO probe VALUES (zeroblob(%s))", [size])
"""
CHECKPOINT = "import django; django.setup(); from splendor_site.tasks import checkpoint; checkpoint()"
LARGE = str(50 * 4000)
PAGE = 4096
MAX_PAGES = 10_000
"""The maximum length of the journal, apart from the last transaction."""


class Database:
    def __init__(self, folder: Path) -> None:
        self.path = Path(shutil.copy(empty_database(), folder / "db.sqlite3"))
        self.journal = folder / "db.sqlite3-wal"
        # This connection stays open, because the last one to close empties the journal.
        self.connection = sqlite3.connect(self.path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("CREATE TABLE probe (name)")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "splendor_site.settings",
            "DATABASE_URL": f"sqlite:///{self.path}",
            "VAR_DIR": str(folder),
        }

    def start(self, program: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program, *words]
        return subprocess.Popen(command, cwd=PROJECT, env=self.environment, stdout=subprocess.PIPE, text=True)

    def run(self, program: str, *words: str) -> None:
        with self.start(program, *words) as process:
            assert process.wait() == 0

    @property
    def rows(self) -> int:
        [(count,)] = self.connection.execute("SELECT count(*) FROM probe")
        return int(count)

    @property
    def names(self) -> list[str]:
        return [name for (name,) in self.connection.execute("SELECT name FROM probe ORDER BY rowid")]

    @property
    def rows_without_journal(self) -> int:
        """The number of rows that are in the database file itself."""
        with closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro&immutable=1", uri=True)) as file:
            [(count,)] = file.execute("SELECT count(*) FROM probe")
        return int(count)

    def waiting(self) -> tuple[int | None, int]:
        """The process that is first in line, and how many wait behind it."""
        place = f":{Path(f'{self.path}-line').stat().st_ino} "
        locks = [line.split() for line in Path("/proc/locks").read_text().splitlines() if place in line]
        first = next((int(words[4]) for words in locks if words[1] != "->"), None)
        return first, sum(words[1] == "->" for words in locks)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path)
    with closing(database.connection):
        yield database


def test_writers_get_their_turn_in_the_order_in_which_they_came(database: Database) -> None:
    writers = []
    with line(str(database.path)):
        for number, how in enumerate(("alone", "together", "alone", "together"), start=1):
            writers.append(database.start(WRITER, str(number), how))
            until(lambda: database.waiting() == (os.getpid(), len(writers)))
    for writer in writers:
        writer.communicate()
    assert database.names == ["1", "2", "3", "4"]


def test_nobody_waits_for_a_writer_that_was_killed(database: Database) -> None:
    with database.start(WRITER, "writing", "endless") as writing:
        assert writing.stdout
        assert writing.stdout.readline() == "writing\n"
        with database.start(WRITER, "first", "together") as first:
            until(lambda: database.waiting() == (first.pid, 0))
            with database.start(WRITER, "second", "together") as second:
                until(lambda: database.waiting() == (first.pid, 1))
                first.kill()
                until(lambda: database.waiting() == (second.pid, 0))
                writing.kill()
                assert second.wait() == 0
    assert database.names == ["second"]


def test_while_another_program_writes_everybody_gives_up_in_turn(database: Database) -> None:
    database.environment |= {"DJANGO_SETTINGS_MODULE": "tests.live.strained", "CONNECTION_SECONDS": "0"}
    database.connection.execute("BEGIN IMMEDIATE")
    writers = [database.start(WRITER, str(number), "together") for number in range(3)]
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [1, 1, 1]
    database.connection.execute("ROLLBACK")
    database.run(WRITER, "later", "together")
    assert database.names == ["later"]


def test_reading_needs_no_place_in_line(database: Database) -> None:
    with line(str(database.path)):
        database.run("import django; django.setup(); from accounts.models import User; assert not User.objects.count()")


def test_workers_empty_the_journal_and_requests_do_not(database: Database) -> None:
    database.run(ROWS, "30", LARGE)
    assert database.journal.stat().st_size > 1000 * PAGE  # where SQLite by itself would copy it
    assert (database.rows, database.rows_without_journal) == (30, 0)
    database.run(CHECKPOINT)
    assert database.rows_without_journal == 30
    length = database.journal.stat().st_size
    database.run(ROWS, "20", LARGE)
    assert database.journal.stat().st_size == length  # it has begun anew


def test_the_journal_has_a_maximum_length_without_a_worker(database: Database) -> None:
    database.run(ROWS, "250", LARGE)
    assert database.journal.stat().st_size < (MAX_PAGES + 100) * (PAGE + 24)
    assert 0 < database.rows_without_journal < 250


def test_the_journal_begins_anew_while_others_never_stop_writing(database: Database) -> None:
    def beginning() -> bytes:
        """A number that rises whenever the journal begins anew."""
        return database.journal.read_bytes()[16:20]

    writers = [database.start(ROWS, "100000", "4000") for _writer in range(4)]
    until(lambda: database.journal.stat().st_size > 1100 * PAGE)
    before = beginning()
    database.run(CHECKPOINT)
    rows = database.rows
    until(lambda: database.rows > rows + 1)
    for writer in writers:
        writer.kill()
        writer.communicate()
    assert beginning() != before


def test_no_confirmed_move_is_lost_or_doubled_when_writers_are_killed(tmp_path: Path) -> None:
    words = ["--part", "killed", "--writers", "2", "--transactions", "20", "--kills", "4", "--folder", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.writes", *words],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["confirmed"] >= 20
    assert found["killed"] >= 6
    assert found["faults"] == []
