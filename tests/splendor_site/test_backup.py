"""Backups of a database file that another process is writing to."""

import os
import re
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.live.site import Site

pytestmark = pytest.mark.slow

# Writes pairs of rows, each pair in a transaction, as fast as possible.
WRITER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
database.execute("CREATE TABLE probe (number INTEGER)")
number = 0
while True:
    database.execute("BEGIN IMMEDIATE")
    database.executemany("INSERT INTO probe VALUES (?)", [[number], [number]])
    database.execute("COMMIT")
    number += 1
    print(number, flush=True)
"""


# The name of a backup contains the second at which it was made.
THREE = """
import time
import django
django.setup()
from django.core.management import call_command
for _ in range(3):
    call_command("backup")
    time.sleep(1)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Site:
    """A site whose database has two users, started with an almost empty environment."""
    site = Site(tmp_path_factory.mktemp("site") / "var", DEBUG="")
    site.prepare()
    return site


def backups(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def ask(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def test_a_backup_during_writes_is_consistent(site):
    command = [sys.executable, "-c", WRITER, str(site.var / "db.sqlite3")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        try:
            assert writer.stdout.readline() == "1\n"
            done = site.python("-c", THREE)
            assert (done.returncode, done.stderr) == (0, "")
            assert re.fullmatch(r"(.*: 2 people, 0 games, 0 moves; [\d,]+ bytes, all sound\.\n){3}", done.stdout)
        finally:
            writer.kill()
    made = backups(site.var / "backups")
    assert len(made) == 3
    counts = []
    for path in made:
        assert re.fullmatch(r"cabochon-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite3", path.name)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert ask(path, "PRAGMA integrity_check") == [("ok",)]
        # The copy has only whole transactions, and every one of them up to some instant.
        rows = ask(path, "SELECT number, count(*) FROM probe GROUP BY number ORDER BY number")
        assert rows == [(number, 2) for number in range(len(rows))]
        counts.append(len(rows))
    assert 0 < counts[0] < counts[1] < counts[2]
    assert stat.S_IMODE((site.var / "backups").stat().st_mode) == 0o700


def test_a_site_can_be_restored_from_a_backup(site, tmp_path):
    done = site.manage("backup", str(tmp_path))
    assert done.returncode == 0, done.stderr
    [copy] = backups(tmp_path)
    again = Site(tmp_path / "var", DEBUG="")
    again.var.mkdir()
    copy.rename(again.var / "db.sqlite3")
    # There is nothing to migrate.
    look = "from django.core.management import call_command; from accounts.models import User; "
    look += "call_command('migrate', '--check'); print(*User.objects.order_by('pk').values_list('username', flat=True))"
    assert again.manage("shell", "--no-imports", "--command", look).stdout == "alice bob\n"


def test_a_damaged_database_gives_no_backup(site, tmp_path):
    hurt = Site(tmp_path / "var", DEBUG="")
    hurt.var.mkdir()
    path = hurt.var / "db.sqlite3"
    with closing(sqlite3.connect(site.var / "db.sqlite3")) as here, closing(sqlite3.connect(path)) as there:
        here.backup(there)
        there.execute("PRAGMA journal_mode = DELETE")
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(os.urandom(size // 4))
    done = hurt.manage("backup")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.match(r"CommandError: There is no new backup: .+\.\n$", done.stderr)
    assert backups(hurt.var / "backups") == []


def test_a_missing_or_other_database_is_refused(tmp_path):
    none = Site(tmp_path / "var", DEBUG="")
    assert none.manage("backup").stderr == f"CommandError: There is no database at {none.var}/db.sqlite3 yet.\n"
    none.environment["DATABASE_URL"] = "postgres://user:password@127.0.0.1:9/name"
    done = none.manage("backup")
    assert done.returncode == 1
    assert "pg_dump --format=custom" in done.stderr
    assert "password" not in done.stderr
    assert not (none.var / "backups").exists()
