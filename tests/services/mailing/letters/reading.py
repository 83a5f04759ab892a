"""Writes the mail to the player to act."""

from datetime import UTC, datetime
from email.message import EmailMessage

from accounts.models import User
from games.models import Game
from tests.factories import actor
from tests.mails.reading import write

MONDAY = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def turn(game: Game) -> EmailMessage:
    return write("turn", actor(game), game)


def others(game: Game, reader: User) -> str:
    names = [str(seat) for seat in game.seat_set.order_by("index") if seat.user != reader]
    return f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
