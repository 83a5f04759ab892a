"""The rows that invitations leave, in short form."""

from datetime import UTC, datetime
from typing import Any

from accounts.models import User
from games.models import Game, Incident, Invitation, Notice, Seat
from games.models.position import Position

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANN, BEA = "ann@example.net", "bea@example.net"


def owed(*kinds: str) -> list[tuple[str, str]]:
    """The recipients and keys of notices; the keys of invitations without their row number."""
    notices = Notice.objects.select_related("recipient").order_by("pk")
    found = notices.filter(kind__in=kinds) if kinds else notices
    return [(one.recipient.username if one.recipient else one.address, one.key.rsplit(":", 1)[0]) for one in found]


def answers(game: Game) -> dict[str, str]:
    """The answer of each invited address; empty if there is none yet."""
    return {one.address: str(one.answer) for one in game.invitation_set.all()}


def invitation(game: Game, address: str = ANN) -> Invitation:
    return Invitation.objects.select_related("game").get(game=game, address=address)


def seated(game: Game) -> list[str]:
    return [str(seat) for seat in Game.objects.with_seats().get(pk=game.pk).seat_set.all()]


def everything() -> list[Any]:
    models = (Game, Seat, Position, Invitation, Notice, Incident, User)
    return [list(model.objects.order_by("pk").values()) for model in models]
