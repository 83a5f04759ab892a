"""Shows a line on every page."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.services.clocks.moment import now
from games.services.moderation import announcements


def _instant(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is not an instant such as 2026-05-01T18:00") from error
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = "Shows a line on every page until an instant, in place of an earlier line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", nargs="?", default="", help="the line, in English or for everybody")
        parser.add_argument("--until", type=_instant, help="such as 2026-05-01T18:00, in UTC unless it says otherwise")
        for code, name in settings.LANGUAGES:
            if code != settings.LANGUAGE_CODE:
                parser.add_argument(f"--{code}", metavar="TEXT", default="", help=f"the line for readers of {name}")
        parser.add_argument("--clear", action="store_true", help="show no line any more")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["clear"]:
            announcements.clear()
            self.stdout.write("No line is shown.")
            return
        text, until = options["text"].strip(), options["until"]
        if not text or until is None:
            raise CommandError("Give the text and --until, or --clear.")
        if until <= now():
            raise CommandError(f"{until:%Y-%m-%d %H:%M %Z} is over.")
        others = {code: options[code] for code, _name in settings.LANGUAGES if options.get(code)}
        announcements.announce({settings.LANGUAGE_CODE: text, **others}, until)
        self.stdout.write(f"Every page shows the line until {until:%Y-%m-%d %H:%M %Z}.")
