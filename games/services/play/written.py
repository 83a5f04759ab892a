"""One game as files: JSON for programs, and a text in our notation. Both hold what one reader may know;
`docs/notation.md` defines them, and `reading` reads them back."""

import json
from contextlib import suppress
from typing import Any

from games.models import Game, Seat
from games.rules import codec
from games.rules.base import DamagedState, Event, Outcome
from games.rules.transcript import spell
from games.services.play import history
from games.services.play.look import position

FORMAT = "cabochon game 1"
HEADERS = ("format", "title", "ruleset_version", "seats", "key", "name", "status", "ending", "started_at", "ended_at",
           "seat", "commitment", "seed", "needs", "hidden")  # fmt: skip
"""The fields of the JSON that the text also has, in its order."""


def as_json(game: Game, seat: int | None) -> dict[str, Any]:
    """The game as the reader in that seat may know it; it must have been read with its seats. Instants are ISO 8601,
    durations are seconds. The seed follows after the end, and the commitment is there from the start."""
    started, over = game.started_at is not None, game.status == Game.Status.FINISHED
    entries = history.ledger(game, seat) if started else []
    ruleset, state = _position(game)
    seed = state.seed.hex() if over and state else ""
    return {
        "format": FORMAT,
        "key": game.key,
        "title": game.title,
        "ruleset_version": game.ruleset_version,
        "seats": game.seats,
        "name": game.name,
        "status": game.status,
        "ending": game.ending,
        "created_at": _instant(game.created_at),
        "started_at": _instant(game.started_at),
        "ended_at": _instant(game.ended_at),
        "pace": game.pace,
        "days": game.days,
        "commitment": game.commitment,
        **({"seed": seed} if seed else {}),
        "needs": "rules" if over and not game.replayable else "" if seed else "seed",
        "hidden": [entry.move.number for entry in entries if entry.hides],
        "seat": seat,
        "players": [_player(each) for each in game.seat_set.all()],
        "moves": list(map(_entry, entries)),
        **({"end": _end(game)} if over else {}),
        "seen": codec.dump(ruleset.observe(state, seat)) if state else None,
    }


def as_text(game: Game, data: dict[str, Any]) -> str:
    """The notation of the game with headers, given the game's JSON."""
    told = {name: data[name] for name in HEADERS if data.get(name) not in (None, "", [])}
    lines = [f"{name}: {' '.join(map(str, value)) if name == 'hidden' else value}" for name, value in told.items()]
    lines += [f"player {each.index}: {each}" for each in game.seat_set.all() if each.index is not None]
    lines.append("")
    for move in data["moves"]:
        lines += [move["notation"], *(f"  event: {event_of(event)}" for event in move["events"])]
    if end := data.get("end"):
        outcome = Outcome(tuple(end["winners"]), tuple(end["scores"]), end["reason"])
        lines.append(f"end: {spell(outcome)} out={','.join(map(str, end['out']))}")
    return "\n".join(lines) + "\n"


def spelled(data: object) -> str:
    """The text of a JSON file."""
    return json.dumps(data, default=_plain, indent=1, ensure_ascii=False) + "\n"


def event_of(data: dict[str, Any]) -> Event:
    """The event of its JSON."""
    return Event(data["event"], **{name: fact for name, fact in data.items() if name != "event"})


def _end(game: Game) -> dict[str, Any]:
    """The result. `out` are the seats that could not win; `reason` is how the game ended, unless a condition of its
    title decided it."""
    seats = list(game.seat_set.all())
    return {
        "winners": [seat.index for seat in seats if seat.won],
        "scores": [seat.score for seat in seats],
        "reason": game.reason or game.ending,
        "out": [seat.index for seat in seats if seat.out or seat.caretaker],
    }


def _player(seat: Seat) -> dict[str, Any]:
    facts = {"seat": seat.index, "name": seat.user.username if seat.user else "", "bot": seat.bot}
    return facts | {"score": seat.score, "won": seat.won, "resigned": seat.resigned, "absent": seat.absent}


def _entry(entry: history.Entry) -> dict[str, Any]:
    move = entry.move
    return {
        "number": move.number,
        "seat": move.seat,
        "by": move.actor,
        "notation": move.notation,
        "made_at": _instant(move.made_at),
        "time_used": move.time_used.total_seconds() if move.time_used is not None else None,
        "events": [_event(event) for event in entry.events],
    }


def _event(event: Event) -> dict[str, Any]:
    return {"event": event.code, **event.facts}


def _position(game: Game) -> tuple[Any, Any]:
    """The ruleset and the state of the game; `None` for both before the start, or if its position is damaged."""
    with suppress(DamagedState):
        if game.started_at is not None:
            return position(game)
    return None, None


def _instant(at: Any) -> str | None:
    return at.isoformat() if at else None


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
