"""Links of a turn, and helpers to read their pages."""

import html
import re
from typing import Any
from urllib.parse import urlsplit

from django.apps import apps

from games.models import Game, Seat
from games.services import play
from games.services.mailing import links
from tests.factories import actor

QUIET = {"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
FORM = re.compile(r'name="number" value="(\d+)">\s*<input type="hidden" name="moves" value="([^"]+)"')


def to_act(game: Game) -> Seat:
    game.refresh_from_db()
    return Seat.objects.select_related("user").get(game=game, index=game.to_act)


def link(game: Game, action: str = "") -> str:
    """The path of a link for the seat to act."""
    return urlsplit(links.issue(game, to_act(game), action)).path


def legal(game: Game) -> list[str]:
    return [str(action) for action in play.look(game, actor(game)).legal]


def form(page: bytes) -> dict[str, str]:
    """The moves that the page's only Confirm button posts; empty if there is none."""
    found = FORM.findall(page.decode())
    assert len(found) <= 2  # one for each size of window
    return {"number": found[0][0], "moves": html.unescape(found[0][1])} if found else {}


def rows() -> dict[str, list[Any]]:
    """All rows, including sessions."""
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


def board(page: bytes) -> str:
    """The board without the addresses of its page."""
    region = page.decode().split('<div id="board"', 1)[1].split("</main>", 1)[0].split('<nav class="replay', 1)[0]
    return re.sub(r'action="[^"]*"|name="csrfmiddlewaretoken" value="\w+"', "", region)
