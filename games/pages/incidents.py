"""The incidents of a game as lines of its ledger."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games import wording
from games.models import Game, Incident, Seat

MAX_ASIDES = 20
"""The maximum number of incidents beside a board, unless the reader asks for the whole ledger."""


class Aside(NamedTuple):
    seat: int
    text: str


def asides(
    game: Game, seats: Sequence[Seat], names: Sequence[str], reader: int | None, upto: int, *, every: bool
) -> Mapping[int, list[Aside]]:
    """The latest incidents after `upto` decisions at most, or every one, by the number of decisions before them, newest
    first, told to the reader in that seat; repeated ones appear once per number."""
    found = Incident.objects.filter(game=game, seat__lt=game.seats, after_number__lte=upto).order_by("-pk")
    told: dict[int, dict[Aside, None]] = {}
    for one in found if every else found[:MAX_ASIDES]:
        seat = one.seat or 0
        other, kinds = one.facts.get("to"), _kinds(game, seats[seat], one)
        text = " ".join(wording.incident(kind, names, seat, other, reader=reader) for kind in kinds)
        told.setdefault(one.after_number, {}).setdefault(Aside(seat, text))
    return {number: list(lines) for number, lines in told.items()}


def _kinds(game: Game, seat: Seat, incident: Incident) -> Iterator[str]:
    """The kind of the incident, and that of its consequence at this table if the game continues."""
    yield incident.kind
    if incident.kind in ("resigned", "deleted") and seat.caretaker:
        yield "took_over"
    if incident.kind == "timed_out" and (game.is_active or incident.after_number < game.number):
        yield "forfeited" if game.at_zero == Game.AtZero.FORFEIT else "minded"
