"""The tables that a reader has set aside for later, until they move there; the session stores them."""

from django.http import HttpRequest

from games.models import Game, Seat

SESSION_KEY = "set_aside"
MAX_SET_ASIDE = 50


def keys(request: HttpRequest) -> list[str]:
    """The keys of the tables set aside."""
    kept = _kept(request)
    if not kept:
        return []
    mine = Seat.objects.filter(user=request.user.pk, game__key__in=kept).values_list("game__key", "seen_number")
    return [key for key, number in mine if kept[key] == number]


def set_aside(request: HttpRequest, game: Game, seat: Seat) -> None:
    """Set the table aside until the seat's next decision, wherever that is made: others come before it."""
    bring_back(request, game)
    kept = [*_kept(request).items(), (game.key, seat.seen_number)]
    request.session[SESSION_KEY] = dict(kept[-MAX_SET_ASIDE:])


def bring_back(request: HttpRequest, game: Game) -> None:
    """Put the table back into the queue."""
    if game.key in _kept(request):
        request.session[SESSION_KEY] = {key: number for key, number in _kept(request).items() if key != game.key}


def _kept(request: HttpRequest) -> dict[str, int]:
    """The number after the reader's last decision, by the key of each table that was set aside then."""
    kept: dict[str, int] = request.session.get(SESSION_KEY, {})
    return kept
