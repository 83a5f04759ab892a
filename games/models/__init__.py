"""The database rows of games. Only `games.services` writes them. `Position`, the secret half of a game, is not among
these names: see `games.models.position`."""

from games.models import position  # noqa: F401 - Django must know the model
from games.models.absence import Vacation
from games.models.acts import Act, Announcement
from games.models.archive import Archive
from games.models.block import Block
from games.models.game import BOT_NAMES, Game, GameQuerySet, Seat, new_key
from games.models.history import Incident, Move
from games.models.lease import SweepLease
from games.models.mail import Delivery, Invitation, NeverAgain, Notice, Outage, Preferences
from games.models.moderation import Report
from games.models.note import PersonNote
from games.models.preview import Preview
from games.models.rating import Pool, Rating, RatingChange
from games.models.restoration import Restoration
from games.models.statistics import ALL, CountedUser, HeadToHead, Tally

__all__ = [
    "ALL",
    "BOT_NAMES",
    "Act",
    "Announcement",
    "Archive",
    "Block",
    "CountedUser",
    "Delivery",
    "Game",
    "GameQuerySet",
    "HeadToHead",
    "Incident",
    "Invitation",
    "Move",
    "NeverAgain",
    "Notice",
    "Outage",
    "PersonNote",
    "Pool",
    "Preferences",
    "Preview",
    "Rating",
    "RatingChange",
    "Report",
    "Restoration",
    "Seat",
    "SweepLease",
    "Tally",
    "Vacation",
    "new_key",
]
