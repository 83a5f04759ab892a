"""One game as files: JSON for programs, and a text in our notation. Both hold what one reader may know."""

from typing import Any

from games.models import Game, Seat
from games.rules import codec
from games.rules.base import DamagedState, Event
from games.services.play import history
from games.services.play.look import position


def as_json(game: Game, seat: int | None) -> dict[str, Any]:
    """The game as the reader in that seat may know it; it must have been read with its seats. Instants are ISO 8601,
    durations are seconds. The seed follows after the end, and the commitment is there from the start."""
    started = game.started_at is not None
    return {
        "key": game.key,
        "title": game.title,
        "ruleset_version": game.ruleset_version,
        "name": game.name,
        "status": game.status,
        "ending": game.ending,
        "created_at": _instant(game.created_at),
        "started_at": _instant(game.started_at),
        "ended_at": _instant(game.ended_at),
        "pace": game.pace,
        "days": game.days,
        "commitment": game.commitment,
        **({"seed": history.seed(game)} if game.status == Game.Status.FINISHED else {}),
        "seat": seat,
        "players": [_player(each) for each in game.seat_set.all()],
        "moves": [_entry(entry) for entry in history.ledger(game, seat)] if started else [],
        "seen": _seen(game, seat) if started else None,
    }


def as_text(game: Game, seat: int | None) -> str:
    """The transcript of the game (`docs/notation.md`) as the reader in that seat may know it; it must have been read
    with its seats. The seed is there after the end."""
    lines = [f"title: {game.title}", f"seats: {game.seats}"]
    if game.status == Game.Status.FINISHED:
        lines.append(f"seed: {history.seed(game)}")
    lines += [f"seat {each.index}: {each}" for each in game.seat_set.all() if each.index is not None]
    lines.append("")
    for entry in history.ledger(game, seat):
        lines += [entry.move.notation, *(f"  event: {event}" for event in entry.events)]
    return "\n".join(lines) + "\n"


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


def _seen(game: Game, seat: int | None) -> dict[str, Any] | None:
    """The observation of the seat; `None` if the position cannot be read."""
    try:
        ruleset, state = position(game)
    except DamagedState:
        return None
    return codec.dump(ruleset.observe(state, seat))


def _instant(at: Any) -> str | None:
    return at.isoformat() if at else None
