"""Backups of the site: the database and the secret key in one archive, which only its owner can read."""

import hashlib
import io
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time

from django.conf import settings
from django.db import connection

from accounts.models import User
from games.models import Game, Move

COUNTED = {"people": User, "games": Game, "moves": Move}
MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""The name of the database in an archive, by Django's name of its kind."""
KEY = "secret_key"
UNFINISHED = ".unfinished-"
LONGEST = timedelta(days=1)
"""More than a backup takes."""
PATTERN = "cabochon-????-??-??T??-??-??Z.tar"


class BackupError(Exception):
    """There is no new backup, or nothing was restored; the text says why."""


def folder() -> Path:
    """The folder of the daily backups."""
    place: Path = settings.VAR_DIR / "backups"
    return place


def finished(place: Path) -> list[Path]:
    """The backups in that folder, oldest first."""
    return sorted(place.glob(PATTERN))


def make(place: Path) -> tuple[Path, str]:
    """Write a backup into that folder while the site may go on; return its path and what it contains.

    The copy is made aside, read again from end to end, and only then gets its name.
    """
    size = _size()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    free = shutil.disk_usage(place).free
    if free < 2 * size:
        raise BackupError(
            f"{place} has {free:,} bytes free; a backup needs {2 * size:,}, twice the size of the database"
        )
    at = datetime.now(UTC)
    made = place / f"cabochon-{at:%Y-%m-%dT%H-%M-%SZ}.tar"
    with _draft(place) as copy, _draft(place) as archive:
        _copy(copy)
        said = _check(copy)
        # The instant of the backup, which `restore` reads.
        os.utime(copy, (at.timestamp(), at.timestamp()))
        _pack(copy, archive)
        archive.rename(made)
    _sync(place)
    return made, said


def forget(place: Path) -> None:
    """Delete the backups older than `BACKUP_DAYS`, but never the newest, and what a process left when it was killed."""
    oldest = f"{datetime.now(UTC) - timedelta(days=settings.BACKUP_DAYS):cabochon-%Y-%m-%dT%H-%M-%SZ.tar}"
    for path in finished(place)[:-1]:
        if path.name < oldest:
            path.unlink()
    for path in place.glob(f"{UNFINISHED}*"):
        if path.stat().st_mtime < time() - LONGEST.total_seconds():
            path.unlink()


def restore(path: Path) -> tuple[datetime, str]:
    """Read the backup into the empty database of the settings, and put its key in place; return when it was made and
    what it contains."""
    _refuse_data()
    member = MEMBERS[connection.vendor]
    try:
        with tarfile.open(path) as archive, _draft(settings.VAR_DIR) as copy:
            names = archive.getnames()
            if member not in names:
                raise BackupError(f"this backup holds {', '.join(names)}, but DATABASE_URL names {connection.vendor}")
            with copy.open("wb") as file:
                shutil.copyfileobj(_member(archive, member), file)
            said = _check(copy)
            made_at = datetime.fromtimestamp(archive.getmember(member).mtime, UTC)
            _put(copy)
            if KEY in names:
                _put_key(_member(archive, KEY).read().decode())
    except (OSError, tarfile.TarError, sqlite3.Error) as error:
        raise BackupError(str(error)) from None
    return made_at, said


def _size() -> int:
    """The size of the database in bytes."""
    if connection.vendor == "sqlite":
        if not _file().is_file():
            raise BackupError(f"there is no database at {_file()} yet")
        return _file().stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size: int = cursor.fetchone()[0]
    return size


def _file() -> Path:
    return Path(settings.DATABASES["default"]["NAME"]).resolve()


@contextmanager
def _draft(place: Path) -> Iterator[Path]:
    """A new file that only its owner can read; it is deleted at the end, unless it has another name by then."""
    number, name = tempfile.mkstemp(prefix=UNFINISHED, dir=place)
    os.close(number)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _copy(copy: Path) -> None:
    """Copy the database as of one instant."""
    if connection.vendor == "postgresql":
        _postgresql("pg_dump", "--format=custom", "--no-owner", f"--file={copy}")
        return
    address = f"{_file().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=20)) as here, closing(sqlite3.connect(copy)) as there:
            here.backup(there)
            # Without this the copy would need a write-ahead log beside it.
            there.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise BackupError(str(error)) from None


def _check(copy: Path) -> str:
    """Read the copy from end to end; return what it contains."""
    if connection.vendor == "postgresql":
        _postgresql("pg_restore", "--file=/dev/null", str(copy))
        tables = _postgresql("pg_restore", "--list", str(copy)).count(" TABLE DATA ")
        return f"{tables} tables"
    try:
        with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as there:
            told = [line for (line,) in there.execute("PRAGMA integrity_check")]
            if told != ["ok"]:
                raise BackupError(f"the copy is damaged ({told[0]})")
            counts = {
                what: there.execute(f"SELECT count(*) FROM {model._meta.db_table}").fetchone()[0]
                for what, model in COUNTED.items()
            }
    except sqlite3.Error as error:
        raise BackupError(str(error)) from None
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def _pack(copy: Path, archive: Path) -> None:
    member = MEMBERS[connection.vendor]
    with tarfile.open(archive, "w") as tar:
        tar.add(copy, member)
        # The key for development is no secret.
        if not settings.DEBUG:
            key = settings.SECRET_KEY.encode()
            told = tarfile.TarInfo(KEY)
            told.size, told.mode = len(key), 0o600
            tar.addfile(told, io.BytesIO(key))
    with tarfile.open(archive) as tar, copy.open("rb") as file:
        if hashlib.file_digest(file, "sha256").digest() != hashlib.file_digest(_member(tar, member), "sha256").digest():
            raise BackupError("the archive differs from the copy of the database")
    with archive.open("rb") as file:
        os.fsync(file.fileno())


def _member(archive: tarfile.TarFile, name: str) -> io.BufferedReader:
    found = archive.extractfile(name)
    if not isinstance(found, io.BufferedReader):
        raise BackupError(f"{name} is no file in this backup")
    return found


def _refuse_data() -> None:
    if connection.vendor == "sqlite":
        if _file().exists():
            raise BackupError(f"there is a database at {_file()}; stop the site and move it away first")
    elif connection.introspection.table_names():
        raise BackupError(f"the database {connection.settings_dict['NAME']} has tables; create an empty one first")


def _put(copy: Path) -> None:
    if connection.vendor == "postgresql":
        words = ["--no-owner", "--exit-on-error", "--single-transaction"]
        _postgresql("pg_restore", *words, f"--dbname={connection.settings_dict['NAME']}", str(copy))
        return
    # Django may have opened the file that did not exist, which creates it.
    connection.close()
    for rest in ("-wal", "-shm"):
        _file().with_name(_file().name + rest).unlink(missing_ok=True)
    # Unlike a rename, a link never replaces a database that a site has just created.
    _file().hardlink_to(copy)
    _sync(_file().parent)


def _put_key(key: str) -> None:
    """Write the key that the site will use, unless its environment names one."""
    if os.environ.get("SECRET_KEY"):
        return
    with _draft(settings.VAR_DIR) as draft:
        draft.write_text(key)
        draft.rename(settings.VAR_DIR / KEY)


def _postgresql(program: str, *words: str) -> str:
    """Run one of PostgreSQL's programs against the database; return what it prints. The password is not among its
    arguments, which everybody on the machine can read."""
    told = connection.get_connection_params()
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}
    names |= {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY"}
    place = {name: str(told[word]) for word, name in names.items() if told.get(word)}
    try:
        done = subprocess.run([program, *words], env=os.environ | place, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise BackupError(f"{program} is missing; install PostgreSQL’s client programs (postgresql-client)") from None
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program} failed: {error.stderr.strip()}") from None
    return done.stdout


def _sync(place: Path) -> None:
    """Write the folder to the disk, so that a power cut does not undo the new name."""
    number = os.open(place, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
