"""The tables that a reader has set aside, as the session remembers them."""

from django.http import HttpRequest

from games.models import Game

NAME = "later"
MOST = 50


def keys(request: HttpRequest) -> list[str]:
    """The keys of these tables, the newest last."""
    kept: list[str] = request.session.get(NAME, [])
    return kept


def set_aside(request: HttpRequest, game: Game) -> None:
    """Not now: other tables go before this one."""
    bring_back(request, game)
    request.session[NAME] = [*keys(request), game.key][-MOST:]


def bring_back(request: HttpRequest, game: Game) -> None:
    """The table is like the others again."""
    if game.key in keys(request):
        request.session[NAME] = [key for key in keys(request) if key != game.key]
