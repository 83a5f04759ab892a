"""A turn played from a mail: whoever holds its link sees what its seat sees, and decides for it until the turn is over.
Nobody is logged in by it, and who is logged in makes no difference."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts.middleware import as_wanted_by
from accounts.models import User
from games import rendering
from games.models import Game
from games.pages.access import patience, too_fast
from games.pages.table import HtmxHttpRequest, Visit, ask_for_patience, fresh, line, see, show, submit
from games.services import play
from games.services.mailing import links
from games.services.mailing.links import Closed, Link

QUIET = {"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
"""The address plays: it is not to be kept, told to other sites, or found."""


def _quietly(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """With headers that keep the address to its holder."""

    @wraps(view)
    def wrapped(request: HttpRequest, token: str) -> HttpResponse:
        try:
            response = view(request, token)
        except Http404:
            response = render(request, "404.html", status=404)
        for name, value in QUIET.items():
            response[name] = value
        return response

    return wrapped


# Whoever can forge a post here has the link already; and a browser that tells no referrer tells no origin either.
@csrf_exempt
@_quietly
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HtmxHttpRequest, token: str) -> HttpResponse:
    """The table with the action of the link staged; a post plays. 404 if nobody here made the link; once its turn is
    over, what was played in it; 410 if it is of no use for another reason."""
    try:
        link = links.read(token)
        game = Game.objects.with_seats().get(key=link.key)
    except (links.Forged, Game.DoesNotExist) as error:
        raise Http404 from error
    owner = game.seat_set.all()[link.seat].user
    assert owner is not None  # a bot gets no mails
    with as_wanted_by(owner):
        why = links.closed(link, game)
        if request.method == "POST" and why not in (Closed.OFF, Closed.AGED):
            response = _decide(request, game, link, owner)
        elif why:
            response = _over(request, game, link, why)
        elif link.action:
            response = _stage(game, link)
        else:
            response = see(request, game, _visit(link, owner))
        response["Content-Language"] = translation.get_language() or "en"
        return response


def _visit(link: Link, owner: User) -> Visit:
    return Visit(owner, link.plain.path, link.turn)


def _stage(game: Game, link: Link) -> HttpResponse:
    """To the table with the draft in its address, where it can be changed and taken back; without it if something has
    been decided since."""
    draft = rendering.address(link.action) if link.number == game.number else ""
    return redirect(link.plain.path + draft)


def _decide(request: HtmxHttpRequest, game: Game, link: Link, owner: User) -> HttpResponse:
    """Play what was posted and answer as the table does; if the turn is over then, with the page that says so."""
    visit = _visit(link, owner)
    if wait := patience(request, "decide", owner):
        response = too_fast(request) if links.closed(link, game) else ask_for_patience(request, game, visit)
        response["Retry-After"] = str(wait)
        return response
    try:
        objection = submit(request, game, visit)
    except play.NotYours:
        objection = {"stale": True, "status": 409}
    game = fresh(game)
    if why := links.closed(link, game):
        return _over(request, game, link, why, late=True) if objection else _turn_to(request, f"{visit.address}?done")
    if objection or request.htmx:
        return show(request, game, visit, **objection)
    return redirect(visit.address)


def _over(request: HtmxHttpRequest, game: Game, link: Link, why: Closed, *, late: bool = False) -> HttpResponse:
    """The page about a link that does not decide any more. It may have been passed on long ago, so it shows of its turn
    what anybody at the table was shown."""
    if request.htmx:
        return _turn_to(request, link.plain.path)
    context: dict[str, Any] = {"game": game, "owner": game.seat_set.all()[link.seat], "why": why, "late": late}
    if why == Closed.OVER:
        names = [str(seat) for seat in game.seat_set.all()]
        context["lines"] = [line(game, entry, names) for entry in links.played(game, link)]
    status = 409 if late else 200 if why == Closed.OVER else 410
    return render(request, "games/link_over.html", context, status=status)


def _turn_to(request: HtmxHttpRequest, address: str) -> HttpResponse:
    """To another page, which is no table."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
