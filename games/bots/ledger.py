"""The log of a series on disk. Each game is written when it ends, so an interrupted series can continue."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec

from games.bots.arena import MatchResult

PLACES = 6
"""Decimal places of the seconds of a decision."""


class OtherSeries(Exception):
    """The file has the results of other games, which cannot be counted together with these."""


class Ledger:
    """A file whose first line of JSON says what is played; every other line is one game."""

    def __init__(self, path: Path, played: dict[str, Any]) -> None:
        """Raises `OtherSeries` if the file has results of anything else."""
        self.path, self.results = path, list[MatchResult]()
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if lines and json.loads(lines[0]) != json.loads(json.dumps(played)):
            raise OtherSeries(f"{path} is the log of other games: {lines[0]}")
        for line in lines[1:]:
            if line.endswith("}"):  # otherwise the process died while writing the line
                self.results.append(msgspec.json.decode(line, type=MatchResult))
        with path.open("w", encoding="utf-8") as file:
            file.write(json.dumps(played) + "\n" + "".join(_line(result) for result in self.results))

    def add(self, result: MatchResult) -> None:
        """Write one more result."""
        self.results.append(result)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(result))


def _line(result: MatchResult) -> str:
    data = {field.name: getattr(result, field.name) for field in fields(result)}
    data["seconds"] = [[round(second, PLACES) for second in seat] for seat in result.seconds]
    return json.dumps(data) + "\n"
