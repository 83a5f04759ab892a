"""Makes a copy of the database and checks it; only the user who runs this can read the copy."""

import os
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from accounts.models import User
from games.models import Game, Move

COUNTED = {"people": User, "games": Game, "moves": Move}


class Command(BaseCommand):
    help = "Writes a dated copy of the database and checks it. The site can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, help="the folder for the copy (default: var/backups)")

    def handle(self, *args: Any, folder: Path | None, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError(
                "This site keeps its data in PostgreSQL, which makes its own copies: "
                "pg_dump --format=custom --file=cabochon.dump, with the address in DATABASE_URL."
            )
        source = Path(settings.DATABASES["default"]["NAME"]).resolve()
        if not source.is_file():
            raise CommandError(f"There is no database at {source} yet.")
        folder = (folder or settings.VAR_DIR / "backups").resolve()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        copy = folder / f"cabochon-{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}.sqlite3"
        number, name = tempfile.mkstemp(prefix=".unfinished-", dir=folder)
        os.close(number)
        draft = Path(name)
        try:
            _copy(source, draft)
            counts = _read(draft)
            draft.rename(copy)
        except (OSError, sqlite3.Error) as error:
            raise CommandError(f"There is no new backup: {error}.") from None
        finally:
            draft.unlink(missing_ok=True)
        _sync(folder)
        read = ", ".join(f"{count} {what}" for what, count in counts.items())
        self.stdout.write(f"{copy}: {read}; {copy.stat().st_size:,} bytes, all sound.")


def _copy(source: Path, draft: Path) -> None:
    """Copy the database as of one instant, with SQLite's backup API."""
    address = f"{source.as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=20)) as here, closing(sqlite3.connect(draft)) as there:
        here.backup(there)
        # Without this the copy would need a write-ahead log beside it.
        there.execute("PRAGMA journal_mode = DELETE")


def _read(draft: Path) -> dict[str, int]:
    """Open the copy again, check every page, and return the counts."""
    with closing(sqlite3.connect(f"{draft.as_uri()}?mode=ro", uri=True)) as there:
        said = [line for (line,) in there.execute("PRAGMA integrity_check")]
        if said != ["ok"]:
            raise sqlite3.DatabaseError(f"the copy is damaged ({said[0]})")
        return {
            what: there.execute(f"SELECT count(*) FROM {model._meta.db_table}").fetchone()[0]
            for what, model in COUNTED.items()
        }


def _sync(folder: Path) -> None:
    """Write the folder to the disk, so that a power cut does not undo the new name."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
