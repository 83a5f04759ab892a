"""Counts all finished games again."""

from typing import Any

from django.core.management.base import BaseCommand

from games.services.statistics import counting


class Command(BaseCommand):
    help = "Counts the finished games of everybody again. Nothing changes unless the statistics were wrong."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"The games of {counting.count_all()} people counted.")
