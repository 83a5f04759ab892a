"""Counts all rated games again, or proposes ratings of the bots."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.services.ratings import anchors, counting


class Command(BaseCommand):
    help = "Counts all rated games again, in the order in which they ended. Nothing changes unless a rating was wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--bots",
            action="store_true",
            help="change nothing; propose ratings of the bots, for games/bots/TITLE/ratings.py, from games with people",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["bots"]:
            self.stdout.write(f"{counting.count_all()} games counted.")
            return
        proposals = list(anchors.propose())
        for title, seats, bot, rating, duels in proposals:
            text = (
                f'{title}: "{bot}": {{{seats}: Rating({rating.points}, {rating.interval})}}, from {duels} comparisons'
            )
            self.stdout.write(text)
        if not proposals:
            self.stdout.write("There are too few games with people whose ratings are not provisional.")
