"""Celery tasks that concern the whole site."""

from celery import shared_task
from django.db import connection


@shared_task
def analyze() -> None:
    """Tell SQLite how many rows its tables have, so that it chooses indexes well. PostgreSQL does so by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # It looks at so many rows of each index, so this takes no longer on a large site.
            cursor.execute("PRAGMA analysis_limit = 400")
            cursor.execute("ANALYZE")
