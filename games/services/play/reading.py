"""Reads the files of `written` back, and replays the games in them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.catalogue import TITLES
from games.models import Game
from games.rules import chance, codec
from games.rules.base import Outcome, Refusal, Ruleset
from games.rules.transcript import spell
from games.services.play.written import FORMAT, HEADERS, event_of

SEED = re.compile(rf"[0-9a-f]{{{2 * chance.SEED_BYTES}}}")
NUMBERS = ("ruleset_version", "seats", "seat")
"""The headers of a text that are numbers."""


class BadFile(ValueError):
    """The file is none of ours, is damaged, or does not replay; the message says why."""


@dataclass(frozen=True)
class Decision:
    """A decision in a file."""

    notation: str
    events: tuple[str, ...]
    """Its events as text, as the reader of the file may know them."""


@dataclass(frozen=True)
class End:
    """The result in a file."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    out: tuple[int, ...]

    def __str__(self) -> str:
        return spell(Outcome(self.winners, self.scores, self.reason))


@dataclass(frozen=True)
class GameFile:
    """A game as its file tells it."""

    title: str
    ruleset_version: int
    seats: int
    commitment: str
    moves: tuple[Decision, ...]
    seat: int | None = None
    """The seat of its reader; `None` for a spectator."""
    seed: str | None = None
    hidden: tuple[int, ...] = ()
    """The numbers of the decisions that brought about more than the reader may know."""
    end: End | None = None


def read(content: bytes) -> GameFile:
    """The game in a file, JSON or text. Raises `BadFile`."""
    try:
        text = content.decode()
        data = _of_json(text) if text.lstrip().startswith("{") else _of_text(text)
        if data.get("format") != FORMAT:
            raise BadFile(f"This is no file of a game: it does not begin with the format “{FORMAT}”.")
        return codec.load(data, GameFile)
    except UnicodeDecodeError as error:
        raise BadFile("This is no text.") from error
    except codec.BadShape as error:
        raise BadFile(f"The file is damaged: {error}") from error


def replay(file: GameFile) -> str:
    """Play the decisions again from the seed, and return the result as text. Raises `BadFile` if the file cannot be
    replayed, or if it tells other events or another result than the rules."""
    ruleset, seed = _ruleset(file), _seed(file)
    steps = ruleset.replay(file.seats, seed, [move.notation for move in file.moves])
    step, number = next(steps), 0
    try:
        for number, move in enumerate(file.moves):
            step = next(steps)
            shown = [str(event) for each in step.events if (event := ruleset.show(each, file.seat))]
            if shown != list(move.events):
                raise BadFile(f"Decision {number}, {move.notation}: by the rules it brings about {'; '.join(shown)}.")
    except Refusal as error:
        raise BadFile(f"Decision {number}, {file.moves[number].notation}: {error}.") from error
    return _checked(file, ruleset, step.state)


def _ruleset(file: GameFile) -> Ruleset[Any, Any]:
    if file.title not in TITLES:
        raise BadFile(f"The title {file.title} is unknown.")
    ruleset = TITLES[file.title].ruleset
    if file.seats not in ruleset.seats:
        raise BadFile(f"{ruleset.name} is not played with {file.seats} seats.")
    if not 1 <= file.ruleset_version <= ruleset.version:
        raise BadFile(f"Version {file.ruleset_version} of the rules of {ruleset.name} is unknown.")
    return ruleset.as_of(file.ruleset_version)


def _seed(file: GameFile) -> bytes:
    if file.seed is None:
        hidden = ", ".join(map(str, file.hidden)) or "none"
        raise BadFile(
            "The file has no seed, so it cannot be replayed; the table shows the seed when the game is over. "
            f"The file shows {len(file.moves)} decisions with their events. Decisions with a hidden part: {hidden}."
        )
    if not SEED.fullmatch(file.seed):
        raise BadFile("The seed is damaged: it has 64 hexadecimal digits.")
    seed = bytes.fromhex(file.seed)
    if chance.commitment(file.title, file.ruleset_version, seed) != file.commitment:
        raise BadFile("The seed does not match the commitment.")
    return seed


def _checked(file: GameFile, ruleset: Ruleset[Any, Any], state: Any) -> str:
    if file.end is None:
        raise BadFile("The file ends before the game is over.")
    scores = tuple(player.points for player in ruleset.observe(state, None).players)
    outcome = ruleset.outcome(state, out=file.end.out)
    if file.end.reason in (Game.Ending.RESIGNED, Game.Ending.ABSENCE):
        # The players who stayed decided it, not the position.
        found = End(file.end.winners, scores, file.end.reason, file.end.out)
    elif outcome is None:
        raise BadFile("The decisions stop before the game is over.")
    else:
        reason = file.end.reason if file.end.reason == Game.Ending.PLAYED else outcome.reason
        found = End(outcome.winners, scores, reason, file.end.out)
    if found != file.end:
        raise BadFile(f"The file ends with {file.end}, but the decisions lead to {found}.")
    return str(found)


def _of_json(text: str) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(text)
        moves = [
            {**move, "events": [str(event_of(event)) for event in move["events"]]} for move in data.get("moves", ())
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadFile(f"The file is damaged: {type(error).__name__}, {error}") from error
    return {**data, "moves": moves}


def _of_text(text: str) -> dict[str, Any]:
    """The data of a text, in the shape of the JSON."""
    header, _gap, body = text.replace("\r\n", "\n").partition("\n\n")
    data: dict[str, Any] = {}
    for line in header.splitlines():
        name, colon, value = line.partition(": ")
        if colon and name in HEADERS:
            data[name] = _number(value) if name in NUMBERS else _numbers(value, " ") if name == "hidden" else value
    return {**data, **_of_body(body.splitlines())}


def _of_body(lines: Sequence[str]) -> dict[str, Any]:
    moves: list[dict[str, Any]] = []
    data: dict[str, Any] = {"moves": moves}
    for line in lines:
        name, colon, value = line.strip().partition(": ")
        if name == "event" and colon and moves:
            moves[-1]["events"].append(value)
        elif name == "end" and colon:
            data["end"] = dict(_ends(value))
        elif line.strip():
            moves.append({"notation": line.strip(), "events": []})
    return data


def _ends(text: str) -> Iterator[tuple[str, Any]]:
    for part in text.split(" "):
        name, _equals, value = part.partition("=")
        yield name, value if name == "reason" else _numbers(value, ",")


def _numbers(text: str, between: str) -> list[int]:
    return [_number(each) for each in text.split(between) if each]


def _number(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise BadFile(f"The file is damaged: {text[:20]} is no number.")
    return int(text)
