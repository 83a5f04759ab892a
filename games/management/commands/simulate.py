"""Bots play whole games on the command line."""

import json
from argparse import ArgumentParser
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.bots import arena
from games.catalogue import TITLES, Title
from games.rules import transcript


class Command(BaseCommand):
    help = "Bots play whole games, and every position is checked against the invariants of the rules."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("title", help=", ".join(TITLES))
        parser.add_argument("--seats", type=int, default=2, metavar="N")
        parser.add_argument("--games", type=int, default=100, metavar="N")
        parser.add_argument(
            "--bots", default="random", metavar="NAMES", help="one for each seat: a,b,…; or one for all"
        )
        parser.add_argument("--seed", default="0", help="any text; equal seeds play equal games")
        parser.add_argument("--json", action="store_true", help="one object on the last line")
        parser.add_argument("--transcript", type=Path, metavar="FILE", help="where to write the first game")

    def handle(self, *args: Any, **options: Any) -> None:
        title, names = _entrants(options["title"], options["seats"], options["bots"].split(","))
        if options["games"] < 1:
            raise CommandError("Play at least one game.")
        bots = [(name, title.bot(name)) for name in names]
        tally, start = arena.Tally(), perf_counter()
        for record in arena.series(title.ruleset, bots, options["games"], options["seed"]):
            if record.violation:
                self.stdout.write(f"Violation in game {len(tally.lengths)}:\n{record.reproduction}")
            if options["transcript"] and not tally.lengths:
                _write(options["transcript"], title, record)
            tally.add(record)
        seconds = perf_counter() - start
        self.stdout.write(_summary(tally, names, seconds))
        if options["json"]:
            result = {
                "title": options["title"],
                "seats": len(names),
                "games": options["games"],
                "finished": tally.finished,
                "unfinished": tally.unfinished,
                "violations": tally.violations,
                "plies": sum(tally.lengths),
                "seconds": round(seconds, 3),
                "wins": {name: float(tally.bots[name]) for name in names},
                "longest": max(tally.lengths),
            }
            self.stdout.write(json.dumps(result))
        if tally.violations:
            raise CommandError(f"The rules were violated in {tally.violations} of {options['games']} games.")


def _entrants(slug: str, seats: int, names: list[str]) -> tuple[Title, list[str]]:
    """The title, and the name of a bot for each seat."""
    if slug not in TITLES:
        raise CommandError(f"There is no title {slug!r}, only: {', '.join(TITLES)}.")
    title = TITLES[slug]
    if seats not in title.ruleset.seats:
        possible = ", ".join(map(str, title.ruleset.seats))
        raise CommandError(f"{title.ruleset.name} has no game of {seats} seats, only of: {possible}.")
    for name in names:
        if name not in title.bots:
            raise CommandError(f"{title.ruleset.name} has no bot {name!r}, only: {', '.join(title.bots)}.")
    if len(names) not in (1, seats):
        raise CommandError(f"There are {len(names)} bots for {seats} seats; name one for each seat, or one for all.")
    return title, names * seats if len(names) == 1 else names


def _write(path: Path, title: Title, record: arena.Record) -> None:
    text = record.reproduction
    if not record.violation:
        seats = len(record.bots)
        steps = title.ruleset.replay(seats, record.seed, record.notations, check=False)
        text = transcript.write(title.ruleset, seats, record.seed, steps)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"The transcript cannot be written: {error}") from error


def _summary(tally: arena.Tally, names: list[str], seconds: float) -> str:
    games, plies = len(tally.lengths), sum(tally.lengths)

    def won(credit: Fraction) -> str:
        return f"{float(credit):g} ({float(credit) / max(1, tally.finished):.1%})"

    return "\n".join(
        [
            f"{games} games, {plies} plies in {seconds:.1f} s: "
            f"{games / seconds:.1f} games and {plies / seconds:.0f} plies per second",
            f"finished {tally.finished}, cut at {arena.LONGEST} plies {tally.unfinished}, "
            f"violations {tally.violations}",
            f"plies per game: shortest {min(tally.lengths)}, median {median(tally.lengths):g}, "
            f"longest {max(tally.lengths)}",
            "wins per seat: " + ", ".join(f"{seat} {won(tally.seats[seat])}" for seat in range(len(names))),
            "wins per bot: " + ", ".join(f"{name} {won(tally.bots[name])}" for name in dict.fromkeys(names)),
        ]
    )
