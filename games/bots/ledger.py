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
        """Raises `OtherSeries` if the file has results of anything else, and `OSError` if it cannot be written."""
        self.path, results = path, dict[int, MatchResult]()
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = text.splitlines()
        if lines and json.loads(lines[0]) != json.loads(json.dumps(played)):
            raise OtherSeries(f"{path} is the log of other games: {lines[0]}")
        for line in lines[1:]:
            if line.endswith("}"):  # otherwise the process died while writing the line
                result = msgspec.json.decode(line, type=MatchResult)
                results.setdefault(result.number, result)  # two runs with the same log play the same games
        self.results = list(results.values())
        if not text.endswith("\n"):
            whole = path.with_name(f"{path.name}.new")
            whole.write_text(json.dumps(played) + "\n" + "".join(map(_line, self.results)), encoding="utf-8")
            whole.replace(path)

    def add(self, result: MatchResult) -> None:
        """Write one more result."""
        self.results.append(result)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(result))


def _line(result: MatchResult) -> str:
    data = {field.name: getattr(result, field.name) for field in fields(result)}
    data["seconds"] = [[round(second, PLACES) for second in seat] for seat in result.seconds]
    return json.dumps(data) + "\n"
