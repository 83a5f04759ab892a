"""The tables that a reader has set aside for later; the session stores them."""

from django.http import HttpRequest

from games.models import Game

SESSION_KEY = "later"
MAX_SET_ASIDE = 50


def keys(request: HttpRequest) -> list[str]:
    """The keys of the tables set aside, the newest last."""
    kept: list[str] = request.session.get(SESSION_KEY, [])
    return kept


def set_aside(request: HttpRequest, game: Game) -> None:
    """Set the table aside: others come before it."""
    bring_back(request, game)
    request.session[SESSION_KEY] = [*keys(request), game.key][-MAX_SET_ASIDE:]


def bring_back(request: HttpRequest, game: Game) -> None:
    """Put the table back into the queue."""
    if game.key in keys(request):
        request.session[SESSION_KEY] = [key for key in keys(request) if key != game.key]
