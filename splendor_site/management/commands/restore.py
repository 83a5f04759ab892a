"""Reads a backup into an empty place."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.services.work import restoration
from splendor_site import backups


class Command(BaseCommand):
    help = "Reads a backup into an empty database and puts its secret key in place. The site must not be running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            made_at, said = backups.restore(file)
        except backups.BackupError as error:
            raise CommandError(f"Nothing was restored: {error}.") from None
        call_command("migrate", verbosity=0)
        restoration.went_back(made_at)
        self.stdout.write(f"Restored {file}: {said}. Now start the site.")
