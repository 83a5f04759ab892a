"""Alice's tables, and helpers to answer invitations to them."""

import re
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from games.models import Game, Incident, Invitation, Notice, Seat
from games.models.position import Position
from games.services.tables import invitations, tables
from games.services.tables.tables import TableSpec

ANN = "ann@example.net"


def asked(alice: User, guest: str = ANN, **spec: Any) -> Invitation:
    """Alice's table, with an invitation to that address."""
    fields: dict[str, Any] = {
        "title": "splendor",
        "seats": 3,
        "addresses": [guest],
        "admission": "named",
        "audience": "seats",
    }
    game = tables.create(alice, TableSpec(**fields | spec))
    return Invitation.objects.select_related("game").get(game=game)


def link(invitation: Invitation) -> str:
    return urlsplit(invitations.accept_url(invitation)).path


def everything() -> list[Any]:
    models: list[Any] = [Game, Seat, Position, Invitation, Notice, Incident, EmailAddress]
    people = User.objects.order_by("pk").values_list("username", "email", "password", "time_zone")
    return [*people, *(list(model.objects.order_by("pk").values()) for model in models)]


def answer(invitation: Invitation) -> str:
    return str(Invitation.objects.get(pk=invitation.pk).answer)


def seated(invitation: Invitation) -> list[str]:
    return [str(seat) for seat in Game.objects.with_seats().get(pk=invitation.game_id).seat_set.all()]


def user_of(client: Client) -> str | None:
    found = re.search(r"<bdi>(.*?)</bdi>", client.get("/").content.decode())
    return found[1] if found else None


def buttons(page: bytes) -> list[str]:
    main = page.decode().split("<main", 1)[1].split("</main>", 1)[0]
    found = re.findall(r"<button[^>]*>(.*?)</button>", main, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", words).split()) for words in found]


def post(client: Client, invitation: Invitation, **data: str) -> Any:
    return client.post(link(invitation), data)
