"""What happened at a table beside the decisions, for the ledger."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games import wording
from games.models import Game, Seat

MOST = 20
"""Incidents beside a board."""


class Aside(NamedTuple):
    seat: int
    text: str


def asides(game: Game, seats: Sequence[Seat], names: Sequence[str]) -> Mapping[int, list[Aside]]:
    """By the number of decisions before it, newest first: one for each incident, however often it happened there."""
    found = game.incident_set.filter(kind__in=wording.INCIDENTS, seat__lt=game.seats).order_by("-pk")[:MOST]
    told: dict[int, list[Aside]] = {}
    for number, seat, kind in dict.fromkeys((one.after_number, one.seat or 0, one.kind) for one in found):
        kinds = [kind, "took_over"] if kind == "resigned" and seats[seat].caretaker else [kind]
        text = " ".join(wording.incident(kind, names[seat]) for kind in kinds)
        told.setdefault(number, []).append(Aside(seat, text))
    return told
