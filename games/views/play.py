"""The table: its page, its decisions, its poll."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from games.middleware import no_news
from games.models import Game
from games.pages import lobby
from games.pages import table as table_page
from games.pages.access import is_logged_out, limited, of_table
from games.pages.table import HtmxHttpRequest
from games.services import play
from games.services.versions import polls


@require_http_methods(["GET", "HEAD", "POST"])
@of_table
def table(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    if is_logged_out(request) and (request.method == "POST" or "number" in request.GET):
        return HttpResponse(status=401)
    if request.method == "POST":
        return _decide(request, game)
    if game.status in (Game.Status.OPEN, Game.Status.CANCELLED):
        return lobby.show(request, game)
    return table_page.see(request, game, table_page.by_the_door(request, game))


@limited("decide", table_page.ask_for_patience)
def _decide(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """Play the posted decisions. 409 with the current table if the post is stale, 422 with the reason if the rules
    refuse it, 404 if the user may not decide."""
    visit = table_page.by_the_door(request, game)
    try:
        objection = table_page.play_posted(request, game, visit)
    except play.NotYours as error:
        raise Http404 from error
    if not objection and not request.htmx:
        return redirect(visit.address)
    return table_page.show(request, table_page.fresh(game), visit, **objection)


@require_safe
@of_table
def poll(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """The table if its version differs from the one that the page shows, otherwise 204; 401 for a page that was drawn
    for a player who has been logged out since."""
    if is_logged_out(request) and polls.is_of_player(request.GET.get("seal", "")):
        return HttpResponse(status=401)
    polls.remember_read(game)
    if request.GET.get("version") == str(game.version):
        return no_news(polls.wait(game))
    polls.remember_looking(game, game.index_of(request.user))
    seen = request.GET.get("seen", "")
    seen_number = int(seen) if seen.isdecimal() and len(seen) < 6 else game.number
    return table_page.show(request, game, table_page.by_the_door(request, game), seen_number=seen_number)
