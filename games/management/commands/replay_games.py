"""Checks for every game of the site, or for those in files, that the recorded decisions lead to the recorded end."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.numbers import numbered
from games.models import Game
from games.services.play import history, reading


class Command(BaseCommand):
    help = "Replays games from their seeds: every game of the site, or those in files that people have downloaded."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--file", nargs="+", type=Path, default=(), help="downloaded games, JSON or text")

    def handle(self, *args: Any, file: list[Path], **options: Any) -> None:
        if file:
            self._replay_files(file)
            return
        games = Game.objects.filter(replayable=True)
        broken = [game for game in games.iterator() if not history.replays(game)]
        for game in broken:
            self.stderr.write(f"{game}: the decisions do not lead to the position.")
        replayed = numbered(games.count(), "game", "games")
        self.stdout.write(f"{replayed} replayed, {numbered(len(broken), 'differs', 'differ')}.")
        if broken:
            raise CommandError("The ledger and the position of some games differ.")

    def _replay_files(self, files: list[Path]) -> None:
        faults = 0
        for path in files:
            try:
                game = reading.read(path.read_bytes())
                result = reading.replay(game)
                self.stdout.write(f"{path}: {game.title}, {game.seats} seats, {len(game.moves)} decisions: {result}")
            except (OSError, reading.BadFile) as error:
                self.stderr.write(f"{path}: {error}")
                faults += 1
        if faults:
            raise CommandError(f"{faults} of {len(files)} files do not replay.")
