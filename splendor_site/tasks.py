"""Celery tasks that concern the whole site."""

import sqlite3
from contextlib import closing

from celery import shared_task
from django.db import connection, connections

from splendor_site import backups
from splendor_site.sqlite.base import DatabaseWrapper, line

LONG_JOURNAL = 1000
"""In pages."""
READERS_SECONDS = 0.5
"""How long a checkpoint in which writers have to wait may itself wait for readers."""


@shared_task
def analyze() -> None:
    """Tell SQLite how many rows its tables have, so that it chooses indexes well. PostgreSQL does so by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # It looks at so many rows of each index, so this takes no longer on a large site.
            cursor.execute("PRAGMA analysis_limit = 400")
            cursor.execute("ANALYZE")


@shared_task
def checkpoint() -> None:
    """Copy SQLite's journal into the database file, so that no request has to, and the next commit begins it anew.
    While people never stop writing, that needs a moment without them."""
    site = connections["default"]
    if not isinstance(site, DatabaseWrapper) or site.is_in_memory_db():
        return
    path = site.settings_dict["NAME"]
    with closing(sqlite3.connect(path, timeout=READERS_SECONDS)) as database:
        _failed, pages, _copied = database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if pages > LONG_JOURNAL:
            with line(path):
                database.execute("PRAGMA wal_checkpoint(RESTART)")


# The broker hands out again what no worker has acknowledged in `visibility_timeout`, and a backup may take longer.
@shared_task(acks_late=False, soft_time_limit=3500, time_limit=3600)
def back_up() -> None:
    """Make the daily backup, and delete those that are too old."""
    try:
        backups.make(backups.folder())
    finally:
        # A full disk gets room again.
        backups.forget(backups.folder())
