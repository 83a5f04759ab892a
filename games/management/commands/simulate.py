"""Lets bots play whole games on the command line."""

import json
import shlex
import shutil
import sys
from argparse import ArgumentParser
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.bots import arena
from games.bots.arena import INTERRUPTED, MatchResult, Record, Series, ending_cleanly
from games.bots.base import Bot, Limit, Limited
from games.bots.external import START_SECONDS, External
from games.bots.ledger import Ledger, OtherSeries, code, networks, results
from games.bots.tally import Score, Tally
from games.catalogue import TITLES, Title
from games.rules import transcript

EXTERNAL = "exec:"
"""The beginning of the name of an external bot; the rest is its command."""
SIMS = "@"
"""The separator between the name of a bot and its number of simulations."""
MAX_DECISION_SECONDS = 1e6
"""Times for a decision, in seconds, are below this, which is longer than anybody waits."""


class Command(BaseCommand):
    help = "Lets bots play whole games and checks every position against the invariants of the rules."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("title", help=", ".join(TITLES))
        parser.add_argument("--seats", type=int, default=2, metavar="N", help="default 2")
        parser.add_argument("--games", type=int, default=100, metavar="N", help="default 100")
        parser.add_argument(
            "--bots",
            default="random",
            metavar="NAMES",
            help="one per seat: a,b,…; or one for all. NAME@SIMS sets --sims for one bot, but never above its own "
            "maximum; exec:COMMAND is an external bot (docs/external-bots.md), whose command must not contain commas",
        )
        parser.add_argument("--time", type=float, metavar="SECONDS", help="time for one decision")
        parser.add_argument(
            "--cpu-time",
            action="store_true",
            help="measure --time as processor time, which does not depend on how busy the machine is",
        )
        parser.add_argument(
            "--start",
            type=float,
            default=START_SECONDS,
            metavar="SECONDS",
            help=f"extra time for the first answer of an external bot in each game (default {START_SECONDS:g})",
        )
        parser.add_argument("--sims", type=int, metavar="N", help="simulations for one decision")
        parser.add_argument(
            "--paired",
            action="store_true",
            help="play each deal once in every rotation of the seats; rounds --games up",
        )
        parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play in parallel")
        parser.add_argument("--seed", default="0", help="any text; equal seeds play equal games")
        parser.add_argument("--json", action="store_true", help="print one object on the last line")
        parser.add_argument(
            "--log",
            type=Path,
            metavar="FILE",
            help="file for the result of each game as it ends; games that are already in it are not played again",
        )
        parser.add_argument("--transcripts", type=Path, metavar="FOLDER", help="folder for transcripts of all games")

    @ending_cleanly()
    def handle(self, *args: Any, **options: Any) -> None:
        title, names = _entrants(options["title"], options["seats"], options["bots"].split(","))
        limit = _checked(**options)
        bots = [(name, _bot(title, name, options["start"])) for name in names]
        series = Series(title.ruleset, bots, options["seed"], options["paired"], limit)
        ledger = _ledger(names, options)
        tally, played, status, died = Tally(), list[MatchResult](), 0, ""

        def report(record: Record) -> None:
            self._report(title, record, options["transcripts"])

        start = perf_counter()
        try:
            for result, is_new in results(series, ledger, options["games"], options["jobs"], report):
                tally.add(result)
                if is_new:
                    played.append(result)
                    if options["verbosity"]:
                        self.stdout.write(str(result))
        except ChildProcessError as error:
            died = str(error)
        except KeyboardInterrupt:
            status = INTERRUPTED
        if not tally.lengths:
            if died:
                raise CommandError(died)
            self.stdout.write("No game has ended.")
            sys.exit(status)
        seconds = perf_counter() - start
        decisions = sum(result.plies for result in played)
        pace = f"{len(played) / seconds:.1f} games and {decisions / seconds:.0f} decisions per second"
        self.stdout.write(_summary(tally, names, f"{len(played)} games played now, in {seconds:.1f} s: {pace}"))
        if options["json"]:
            self.stdout.write(json.dumps(_object(tally, options["title"], names, seconds)))
        if died:
            raise CommandError(died)
        if tally.violations:
            raise CommandError(f"The rules were violated in {tally.violations} of {len(tally.lengths)} games.")
        if tally.forfeits.total() == len(tally.lengths):
            raise CommandError("Every game was forfeited.")
        if status:
            sys.exit(status)

    def _report(self, title: Title, record: Record, transcripts: Path | None) -> None:
        """Print the violation or forfeit of a game, and write its transcript."""
        if record.violation:
            self.stdout.write(f"Violation in game {record.number}:\n{record.reproduction}")
        if record.forfeiter is not None:
            name = record.bots[record.forfeiter]
            self.stdout.write(f"Forfeit in game {record.number}: {name} in seat {record.forfeiter} {record.forfeit}.")
        if transcripts:
            _write(transcripts / f"game-{record.number:04}.txt", title, record)


def _ledger(names: list[str], options: dict[str, Any]) -> Ledger | None:
    """The log, if there is one."""
    if not options["log"]:
        return None
    played = {name: options[name] for name in ("title", "seed", "paired", "time", "sims", "cpu_time", "start")}
    try:
        return Ledger(options["log"], {**played, "bots": names, "code": code(*networks())})
    except OtherSeries as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"The log cannot be written: {error}") from error


def _checked(
    games: int, jobs: int, time: float | None, sims: int | None, seed: str, cpu_time: bool, start: float, **_: Any
) -> Limit:
    """The limit of the bots; raises `CommandError` if an option makes no sense."""
    if games < 1:
        raise CommandError("Play at least one game.")
    if jobs < 1:
        raise CommandError("At least one process must play.")
    if time is not None and not 0 < time < MAX_DECISION_SECONDS:
        raise CommandError(f"--time must be above 0 and below {MAX_DECISION_SECONDS:,.0f}.")
    if cpu_time and time is None:
        raise CommandError("--cpu-time says how to measure --time; give both.")
    if not 0 <= start < MAX_DECISION_SECONDS:
        raise CommandError(f"--start must be 0 or more and below {MAX_DECISION_SECONDS:,.0f}.")
    if sims is not None and sims < 1:
        raise CommandError("--sims must be at least 1.")
    try:
        seed.encode()
    except UnicodeEncodeError as error:
        raise CommandError(f"The seed {seed!r} is not text.") from error
    return Limit(time, sims, cpu_time)


def _command(name: str) -> list[str]:
    """The words of the command in the name of an external bot."""
    try:
        command = shlex.split(name.removeprefix(EXTERNAL))
    except ValueError as error:
        raise CommandError(f"{name!r} cannot be read: {error}.") from error
    if not command or not shutil.which(command[0]):
        raise CommandError(f"{name!r} does not name a program that can be run.")
    return command


def _bot(title: Title, name: str, start: float) -> Bot[Any]:
    if name.startswith(EXTERNAL):
        return External(title.ruleset.slug, _command(name), start)
    known, at, sims = name.partition(SIMS)
    if known not in title.bots:
        bots = ", ".join(title.bots)
        raise CommandError(f"{title.ruleset.name} has no bot {known!r}, only: {bots}; or {EXTERNAL}COMMAND.")
    if not at:
        return title.bot(known)
    if not sims.isdecimal() or not int(sims):
        raise CommandError(f"{name!r} does not name a number of simulations.")
    return Limited(title.bot(known), int(sims))


def _entrants(slug: str, seats: int, names: list[str]) -> tuple[Title, list[str]]:
    """The title, and the name of a bot for each seat."""
    if slug not in TITLES:
        raise CommandError(f"There is no title {slug!r}, only: {', '.join(TITLES)}.")
    title = TITLES[slug]
    if seats not in title.ruleset.seats:
        possible = ", ".join(map(str, title.ruleset.seats))
        raise CommandError(f"{title.ruleset.name} has no game of {seats} seats, only of: {possible}.")
    if len(names) not in (1, seats):
        raise CommandError(
            f"--bots names {len(names)} bots, separated by commas, but --seats is {seats}; name one per seat, or one "
            "for all."
        )
    return title, names * seats if len(names) == 1 else names


def _write(path: Path, title: Title, record: Record) -> None:
    text = record.reproduction
    if not record.violation:
        seats = len(record.bots)
        steps = title.ruleset.replay(seats, record.seed, record.notations, check=False)
        players = "".join(f"# seat {seat}: {name!r}\n" for seat, name in enumerate(record.bots))
        text = players + transcript.write(title.ruleset, seats, record.seed, steps)
    if record.forfeiter is not None:
        text += f"# seat {record.forfeiter} forfeits: it {record.forfeit}\n"
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"The transcript cannot be written: {error}") from error


def _object(tally: Tally, slug: str, names: list[str], seconds: float) -> dict[str, Any]:
    """The summary as an object for other programs."""
    players = [
        {
            "name": name,
            **tally.score(number)._asdict(),
            "seats": [tally.scores[number, seat]._asdict() for seat in range(len(names))],
        }
        for number, name in enumerate(names)
    ]
    simulated = {name: tally.simulated(name) for name in names}
    return {
        "title": slug,
        "seats": len(names),
        "games": len(tally.lengths),
        "finished": tally.finished,
        "unfinished": tally.unfinished,
        "violations": tally.violations,
        "plies": sum(tally.lengths),
        "seconds": round(seconds, 6),
        "wins": {name: float(tally.bots[name]) for name in names},
        "longest": max(tally.lengths),
        "forfeits": {name: tally.forfeits[name] for name in names},
        "intervals": {name: [round(bound, 4) for bound in tally.interval(name)] for name in names},
        "players": players,
        "thinking": {name: tally.thinking(name)._asdict() for name in names},
        "simulations": {
            name: {"per decision": round(each, 1), "per second": round(rate)}
            for name, (each, rate) in ((name, found) for name, found in simulated.items() if found)
        },
    }


def _summary(tally: Tally, names: list[str], pace: str) -> str:
    def won(credit: Fraction, *more: str) -> str:
        rate = f"{float(credit) / max(1, tally.decided):.1%}"
        return f"{float(credit):g} ({', '.join([rate, *more])})"

    def interval(name: str) -> list[str]:
        low, high = tally.interval(name)
        return [f"95% interval {low:.1%} to {high:.1%}"] if len(bots) > 1 else []

    def thinking(name: str) -> str:
        mean, p95, longest = tally.thinking(name)
        return f"{name} mean {mean:.4f}, 95% within {p95:.4f}, longest {longest:.4f}"

    def simulated(name: str) -> str:
        found = tally.simulated(name)
        return f"{name} {found[0]:.0f}, {found[1]:.0f} a second" if found else f"{name} not counted"

    def record(number: int, name: str) -> str:
        seats = ", ".join(f"seat {seat} {spelt(tally.scores[number, seat])}" for seat in range(len(names)))
        return f"player {number} ({name}): {spelt(tally.score(number))} won/shared/lost; {seats}"

    def spelt(score: Score) -> str:
        return "/".join(map(str, score))

    bots = list(dict.fromkeys(names))
    return "\n".join(
        [
            f"{len(tally.lengths)} games, {sum(tally.lengths)} decisions; {pace}",
            f"finished {tally.finished}, cut at {arena.MAX_DECISIONS} decisions {tally.unfinished}, "
            f"forfeited {tally.forfeits.total()}, violations {tally.violations}",
            f"decisions per game: shortest {min(tally.lengths)}, median {median(tally.lengths):g}, "
            f"longest {max(tally.lengths)}",
            "wins per seat: " + ", ".join(f"{seat} {won(tally.seats[seat])}" for seat in range(len(names))),
            "wins per bot: " + ", ".join(f"{name} {won(tally.bots[name], *interval(name))}" for name in bots),
            *(record(number, name) for number, name in enumerate(names)),
            "seconds per decision: " + "; ".join(map(thinking, bots)),
            "simulations per decision: " + "; ".join(map(simulated, bots)),
        ]
    )
