"""Celery tasks that concern the whole site."""

from celery import shared_task
from django.db import connection

from splendor_site import backups


@shared_task
def analyze() -> None:
    """Tell SQLite how many rows its tables have, so that it chooses indexes well. PostgreSQL does so by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # It looks at so many rows of each index, so this takes no longer on a large site.
            cursor.execute("PRAGMA analysis_limit = 400")
            cursor.execute("ANALYZE")


@shared_task(soft_time_limit=3500, time_limit=3600)
def back_up() -> None:
    """Make the daily backup, and delete those that are too old."""
    backups.make(backups.folder())
    backups.forget(backups.folder())
