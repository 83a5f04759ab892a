"""The log of a series on disk. Each game is written when it ends, so an interrupted series can continue."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from datetime import date
from hashlib import sha256
from pathlib import Path
from subprocess import run
from typing import Any

import msgspec

from games.bots.arena import MatchResult, Record, Series

ROOT = Path(__file__).parents[2]
NOTED = ("commit", "date")
"""Facts on the first line that may differ when a series continues."""
PLACES = 6
"""Decimal places of the seconds of a decision."""


class OtherSeries(Exception):
    """The file has the results of other games, which cannot be counted together with these."""


def digest(*files: Path) -> str:
    """A digest of the names and contents of these files."""
    found = sha256()
    for file in sorted(files):
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:12]


def code(*more: Path) -> str:
    """A digest of the code that plays: the rules, the bots without their training and ratings, and these files.
    Networks are not included."""
    bots = [file for file in (ROOT / "games/bots").rglob("*.py") if "train" not in file.parts]
    bots = [file for file in bots if file.name != "ratings.py"]
    rules = [file for file in (ROOT / "games/rules").rglob("*") if file.suffix in (".py", ".csv")]
    return digest(*bots, *rules, *more)


def networks() -> Iterable[Path]:
    """The files with all networks."""
    return (ROOT / "games/bots").glob("*/weights/*.npz")


def commit() -> str:
    """The project's commit, marked if files other than logs have changed."""

    def git(*words: str) -> str:
        return run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!*.jsonl")
        return git("rev-parse", "--short", "HEAD") + "-dirty" * bool(changed) or "unknown"
    except OSError:
        return "unknown"


class Ledger:
    """A file whose first line of JSON says what is played, and the commit and date of the beginning; every other line
    is one game."""

    def __init__(self, path: Path, played: dict[str, Any]) -> None:
        """Raises `OtherSeries` if the file has results of anything else, and `OSError` if it cannot be written."""
        self.path, results = path, dict[int, MatchResult]()
        wanted = json.loads(json.dumps(played))
        begun = {**wanted, "commit": commit(), "date": str(date.today())}
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            first, *lines = text.splitlines() or [json.dumps(begun)]
            begun = dict(json.loads(first))
        except (TypeError, ValueError) as error:
            raise OtherSeries(f"{path} is not a log of games.") from error
        found = {name: value for name, value in begun.items() if name not in NOTED}
        if found != wanted:
            other = [name for name in {**wanted, **found} if wanted.get(name, ...) != found.get(name, ...)]
            raise OtherSeries(f"{path} is the log of other games; it has another value for: {', '.join(other)}.")
        for line in lines:
            with suppress(msgspec.DecodeError):  # a process died while writing the line
                result = msgspec.json.decode(line, type=MatchResult)
                results.setdefault(result.number, result)  # two runs with the same log play the same games
        self.results = list(results.values())
        if not text.endswith("\n"):
            whole = path.with_name(f"{path.name}.new")
            whole.write_text(json.dumps(begun) + "\n" + "".join(map(_line, self.results)), encoding="utf-8")
            whole.replace(path)

    def add(self, result: MatchResult) -> None:
        """Write one more result."""
        self.results.append(result)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(result))


def results(
    series: Series, ledger: Ledger | None, games: int, jobs: int, check: Callable[[Record], object]
) -> Iterator[tuple[MatchResult, bool]]:
    """The results of the first `games` games of the series, each with whether it is new: those in the log, then the
    others, which are played now and logged. A paired series is rounded up, so that every deal is played in every
    rotation. `check` is called with each new game, and may refuse it with an error. A game that violated a rule is not
    logged. Raises `ChildProcessError` if a process dies."""
    if series.paired:
        games += -games % len(series.bots)
    known = [result for result in ledger.results if result.number < games] if ledger else []
    yield from ((result, False) for result in known)
    left = sorted(set(range(games)) - {result.number for result in known})
    for record in series.records(left, min(len(left), jobs)) if left else ():
        check(record)
        if ledger and not record.violation:
            ledger.add(record.result)
        yield record.result, True


def _line(result: MatchResult) -> str:
    data = {field.name: getattr(result, field.name) for field in fields(result)}
    data["seconds"] = [[round(second, PLACES) for second in seat] for seat in result.seconds]
    return json.dumps(data) + "\n"
