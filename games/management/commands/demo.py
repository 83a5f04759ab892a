"""Adds the demo to a development site."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management import demo


class Command(BaseCommand):
    help = "Adds people and their tables to a development site, once; a second run adds nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("Everybody knows the password of the demo people, so a site in production has none.")
        done = demo.fill()
        self.stdout.write("People and tables are there." if done else "The demo people are here already.")
        self.stdout.write(demo.logins())
