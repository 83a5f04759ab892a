"""Checks for every game of the site that its recorded decisions lead to its stored position."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Game
from games.services.play import history


class Command(BaseCommand):
    help = "Replays every game from its seed and compares the result with the stored position."

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.filter(replayable=True)
        broken = [game for game in games.iterator() if not history.replays(game)]
        for game in broken:
            self.stderr.write(f"{game}: the decisions do not lead to the position.")
        self.stdout.write(f"{games.count()} games replayed, {len(broken)} differ.")
        if broken:
            raise CommandError("The ledger and the position of some games differ.")
