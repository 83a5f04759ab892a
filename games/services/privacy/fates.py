"""The registry of fates: what becomes of every column that can hold something about a person when that person deletes
their account. `tests/services/privacy/test_fates.py` finds columns that are missing here; `deletion` applies the
fates."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.apps import apps
from django.db import models

from accounts import services as accounts
from accounts.models import User


class Fate(Enum):
    """What happens to a column, or to all columns of a table."""

    DELETED = "the row is deleted with the account"
    ANONYMISED = "a reference leads to an anonymous user from then on; a picture is drawn again"


@dataclass(frozen=True)
class Emptied:
    """A text that becomes empty in the rows of a person."""

    references: tuple[str, ...]
    """The columns of the same table that refer to that person."""


@dataclass(frozen=True)
class Kept:
    """A column that stays as it is. A reference to a person that is kept becomes null."""

    why: str


DELETED, ANONYMISED = Fate.DELETED, Fate.ANONYMISED
TEXTS = (models.CharField, models.TextField, models.JSONField, models.GenericIPAddressField, models.BinaryField)
NOBODY = Kept("It says nothing about a person.")
PLAY = Kept("It says what happened in a game, by seats.")

FATES: dict[str, Fate | Emptied | Kept] = {
    # Tables, with all their columns.
    "accounts.User": DELETED,
    "accounts.User_groups": DELETED,
    "accounts.User_user_permissions": DELETED,
    "account.EmailAddress": DELETED,
    "account.EmailConfirmation": DELETED,
    "mfa.Authenticator": DELETED,
    "usersessions.UserSession": DELETED,
    "sessions.Session": DELETED,
    "games.Game_invited": DELETED,
    "games.Preferences": DELETED,
    "games.Vacation": DELETED,
    "games.Invitation": DELETED,
    "games.NeverAgain": DELETED,
    "games.Delivery": DELETED,
    "games.Block": DELETED,
    "games.PersonNote": DELETED,
    "games.Archive": DELETED,
    "accounts.RecoveryCode": DELETED,
    "accounts.Counter": Kept("It has keyed hashes of networks and accounts, for a day at most."),
    "games.Position": NOBODY,
    "games.Deal": NOBODY,
    "games.Outage": NOBODY,
    "games.SweepLease": NOBODY,
    "games.Pool": NOBODY,
    "games.CountedUser": DELETED,
    "games.Tally": DELETED,
    "games.Move": PLAY,
    "games.Announcement": NOBODY,
    "auth.Group": NOBODY,
    "auth.Permission": NOBODY,
    "auth.Group_permissions": NOBODY,
    "contenttypes.ContentType": NOBODY,
    # Single columns.
    "games.Game.host": ANONYMISED,
    "games.Game.name": Emptied(("host",)),
    "games.Game.quiet": Kept("It has the quiet hours of the player to act in a running game, who isn’t deleted."),
    "games.Game.key": NOBODY,
    "games.Game.bot_to_act": NOBODY,
    "games.Game.title": NOBODY,
    "games.Game.commitment": NOBODY,
    "games.Game.reason": PLAY,
    "games.Seat.user": ANONYMISED,
    "games.Seat.note": Emptied(("user",)),
    "games.Seat.bot": NOBODY,
    "games.Seat.caretaker": NOBODY,
    # The ratings of others follow from all games, so those of an anonymous user stay.
    "games.Rating.user": ANONYMISED,
    "games.HeadToHead.user": DELETED,
    "games.HeadToHead.opponent": ANONYMISED,
    "games.HeadToHead.title": NOBODY,
    "games.HeadToHead.bot": NOBODY,
    "games.Incident.kind": PLAY,
    "games.Incident.facts": Kept("Before a game, it has the number of a person's former row, which leads nowhere."),
    "games.Notice.recipient": DELETED,
    "games.Notice.address": DELETED,
    "games.Notice.key": Kept("Notices to others name games, turns and invitations by number."),
    "games.Notice.facts": Kept("Notices to others name a host by the number of the former row, which leads nowhere."),
    "games.Preview.picture": ANONYMISED,
    "games.Report.reporter": ANONYMISED,
    "games.Report.author": ANONYMISED,
    "games.Report.text": Emptied(("author",)),
    "games.Report.author_name": Emptied(("author",)),
    "games.Report.sentence": Emptied(("reporter", "author")),
    "games.Report.table": NOBODY,
    # The record of what staff did stays complete, under anonymous numbers.
    "games.Act.staff": ANONYMISED,
    "games.Act.user": ANONYMISED,
    "games.Act.reason": Emptied(("user",)),
    "games.Act.facts": Emptied(("user",)),
}
"""The fates by the label of a table, or by label and column."""


def of(column: "models.Field[Any, Any]") -> Fate | Emptied | Kept | None:
    """The fate of a column; `None` if it is not declared."""
    table = column.model._meta.label
    return FATES.get(table) or FATES.get(f"{table}.{column.name}")


def references(table: type[models.Model]) -> "list[models.Field[Any, Any]]":
    """The columns of a table that refer to a person."""
    return [column for column in table._meta.concrete_fields if column.related_model is User]


def texts(table: type[models.Model]) -> "list[models.Field[Any, Any]]":
    """The columns of a table that can hold a name, an address or a network, or a picture of them."""
    return [column for column in table._meta.concrete_fields if isinstance(column, TEXTS) and not column.choices]


def anonymise(user: User) -> None:
    """Put a new anonymous user in the places of the user, and empty the texts of those rows."""
    successor = None
    for table in apps.get_models(include_auto_created=True):
        for reference in references(table):
            rows = table._base_manager.filter(**{reference.name: user})
            if of(reference) is ANONYMISED and rows.exists():
                successor = successor or accounts.create_anonymous()
                emptied = {text.name: text.get_default() for text in texts(table) if _goes_with(text, reference)}
                rows.update(**{reference.name: successor}, **emptied)


def _goes_with(text: "models.Field[Any, Any]", reference: "models.Field[Any, Any]") -> bool:
    fate = of(text)
    return isinstance(fate, Emptied) and reference.name in fate.references
