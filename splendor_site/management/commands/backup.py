"""Makes a backup of the site and checks it."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from splendor_site import backups


class Command(BaseCommand):
    help = (
        "Writes a dated archive of the database and the secret key, and checks it. The site can keep running. In the "
        "usual folder, backups older than BACKUP_DAYS are deleted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, help="the folder for the backup (default: var/backups)")

    def handle(self, *args: Any, folder: Path | None, **options: Any) -> None:
        try:
            made, said = backups.make((folder or backups.folder()).resolve())
        except (OSError, backups.BackupError) as error:
            raise CommandError(f"There is no new backup: {error}.") from None
        finally:
            if folder is None:
                backups.forget(backups.folder())
        self.stdout.write(f"{made}: {said}; {made.stat().st_size:,} bytes, all sound.")
