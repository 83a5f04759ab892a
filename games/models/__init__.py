"""The database rows of games. Only `games.services` writes them, and only it reads `Position`."""

from games.models.game import BOT_NAMES, Game, GameQuerySet, Position, Seat, new_key
from games.models.history import Incident, Move
from games.models.mail import Delivery, Invitation, NeverAgain, Notice, Outage, Preferences

__all__ = [
    "BOT_NAMES",
    "Delivery",
    "Game",
    "GameQuerySet",
    "Incident",
    "Invitation",
    "Move",
    "NeverAgain",
    "Notice",
    "Outage",
    "Position",
    "Preferences",
    "Seat",
    "new_key",
]
