"""Adds the demo to a development site."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management import demo


class Command(BaseCommand):
    help = "Adds people and their tables to a development site, once; a second run adds nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("Everybody knows the demo people's password, so a production site cannot have them.")
        done = demo.fill()
        self.stdout.write("Added people and tables." if done else "The demo people already exist.")
        self.stdout.write(demo.logins())
