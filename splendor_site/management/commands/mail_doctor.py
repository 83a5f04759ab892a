"""Checks whether mails go out."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from splendor_site import mail_checks


class Command(BaseCommand):
    help = "Checks the mail settings and the connection to the mail server; with an address, also sends a test mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", nargs="?", help="the recipient of a test mail")

    def handle(self, *args: Any, address: str | None, **options: Any) -> None:
        problems = 0
        for name, check in mail_checks.checks(address):
            try:
                self.stdout.write(f"{name}: OK, {check()}")
            except mail_checks.Problem as problem:
                problems += 1
                self.stdout.write(f"{name}: PROBLEM. {problem}")
                if check is mail_checks.connection:
                    break
        if problems:
            raise CommandError(f"{problems} problems found." if problems > 1 else "One problem found.")
