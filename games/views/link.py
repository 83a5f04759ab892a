"""Playing a turn from a mail: the holder of the link sees what its seat sees, and decides for it until the turn is
over. A link logs nobody in, and it does not matter who is logged in."""

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
from games.pages.table import HtmxHttpRequest, Visit, ask_for_patience, fresh, line, play_posted, see, show
from games.services import play
from games.services.mailing import links
from games.services.mailing.links import Closed, MoveLink

QUIET = {"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
"""The address can play, so it must not be stored, sent to other sites, or indexed."""


def _quietly(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Add headers that keep the address private."""

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


# Anybody who can forge a post here already has the link; and browsers that send no referrer send no origin either.
@csrf_exempt
@_quietly
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HtmxHttpRequest, token: str) -> HttpResponse:
    """The table with the action of the link staged; a post plays it. 404 if the site never made the link. After its
    turn, the page shows what was played in it. 410 if it is void for another reason."""
    try:
        link = links.read(token)
    except links.ForgedMoveLink as error:
        raise Http404 from error
    game = Game.objects.with_seats().filter(key=link.key).first()
    if game is None or game.started_at is None:
        if not links.is_lost(link):
            raise Http404
        return render(request, "games/link_over.html", {"why": Closed.LOST}, status=410)
    owner = game.seat_set.all()[link.seat].user
    assert owner is not None  # bots get no mails
    with as_wanted_by(owner):
        why = links.closed(link, game)
        if request.method == "POST" and why in (None, Closed.OVER, Closed.LEFT):
            response = _decide(request, game, link, owner)
        elif why:
            response = _over(request, game, link, why)
        elif link.action:
            response = _stage(game, link)
        else:
            response = see(request, game, _visit(link, owner))
        response["Content-Language"] = translation.get_language() or "en"
        return response


def _visit(link: MoveLink, owner: User) -> Visit:
    return Visit(owner, link.plain.path, link.turn)


def _stage(game: Game, link: MoveLink) -> HttpResponse:
    """Redirect to the table with the draft in its address, where it can be changed or undone; without the draft if
    another decision was made since."""
    draft = rendering.address(link.action) if link.number == game.number else ""
    return redirect(link.plain.path + draft)


def _decide(request: HtmxHttpRequest, game: Game, link: MoveLink, owner: User) -> HttpResponse:
    """Play the posted decisions and answer with the table, or if this ends the turn, with the page that says so."""
    visit = _visit(link, owner)
    if wait := patience(request, "decide", owner):
        is_closed = links.closed(link, game)
        return too_fast(request, wait) if is_closed else ask_for_patience(request, wait, game, visit)
    try:
        objection = play_posted(request, game, visit)
    except play.NotYours:
        objection = {"stale": True, "status": 409}
    game = fresh(game)
    if why := links.closed(link, game):
        return _over(request, game, link, why, late=True) if objection else _turn_to(request, f"{visit.address}?done")
    if objection or request.htmx:
        return show(request, game, visit, **objection)
    return redirect(visit.address)


def _over(request: HtmxHttpRequest, game: Game, link: MoveLink, why: Closed, *, late: bool = False) -> HttpResponse:
    """The page for a link that can no longer decide. The link may have been forwarded long ago, so the page shows only
    what everybody at the table saw of its turn."""
    if request.htmx:
        return _turn_to(request, link.plain.path + ("?late" if late else ""))
    context: dict[str, Any] = {"game": game, "owner": game.seat_set.all()[link.seat], "why": why}
    context["late"] = late or "late" in request.GET
    if why == Closed.OVER:
        names = [str(seat) for seat in game.seat_set.all()]
        context["lines"] = [line(game, entry, names) for entry in links.played(game, link)]
    status = 409 if late else 200 if why == Closed.OVER else 410
    return render(request, "games/link_over.html", context, status=status)


def _turn_to(request: HtmxHttpRequest, address: str) -> HttpResponse:
    """Redirect to a page that is not a table."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
