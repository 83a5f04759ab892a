"""The tables that a reader has set aside for later; the session stores them."""

from django.http import HttpRequest

from games.models import Game

NAME = "later"
MOST = 50


def keys(request: HttpRequest) -> list[str]:
    """The keys of the tables set aside, the newest last."""
    kept: list[str] = request.session.get(NAME, [])
    return kept


def set_aside(request: HttpRequest, game: Game) -> None:
    """Set the table aside: others come before it."""
    bring_back(request, game)
    request.session[NAME] = [*keys(request), game.key][-MOST:]


def bring_back(request: HttpRequest, game: Game) -> None:
    """Put the table back into the queue."""
    if game.key in keys(request):
        request.session[NAME] = [key for key in keys(request) if key != game.key]
