"""One process at a time can write to SQLite. The others try again and again, with pauses up to a tenth of a second, so
some of them always come too late. Here they stand in line, and only the first one tries, every millisecond."""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from django.db.backends.sqlite3 import base

READING = ("SELECT", "PRAGMA", "EXPLAIN")
"""The beginnings of statements that only read."""
TRY_MS = 1
"""How often the first in line tries, in milliseconds."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite whose writing statements stand in line, unless the database is in memory."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.execute_wrappers.append(_in_turn)


@contextmanager
def line(database: str) -> Iterator[None]:
    """Wait for the first place in the line of the database file, and leave it at the end of the block. The kernel
    serves those who wait in order, and takes out a process that dies."""
    file = os.open(f"{database}-line", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _in_turn(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Execute a statement that begins to write, which is mostly BEGIN IMMEDIATE, when it is its turn. From then on the
    next one in line tries, and SQLite makes it wait for the commit."""
    connection: DatabaseWrapper = context["connection"]
    database: sqlite3.Connection = connection.connection
    if database.in_transaction or sql.startswith(READING) or connection.is_in_memory_db():
        return execute(sql, params, many, context)
    patience: float = connection.settings_dict["OPTIONS"]["timeout"]
    until = monotonic() + patience
    with line(connection.settings_dict["NAME"]):
        database.execute(f"PRAGMA busy_timeout = {TRY_MS}")
        try:
            with connection.wrap_database_errors:
                _wait_until_nobody_writes(database, until)
        finally:
            database.execute(f"PRAGMA busy_timeout = {round(1000 * patience)}")
        return execute(sql, params, many, context)


def _wait_until_nobody_writes(database: sqlite3.Connection, until: float) -> None:
    """Raises SQLite's error at that instant, and at once if something else is in the way."""
    while True:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
        else:
            database.execute("ROLLBACK")
            return
