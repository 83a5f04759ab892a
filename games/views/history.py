"""The match history, and games as files."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from games.forms import HistoryForm
from games.models import Game
from games.pages.access import of_table, user_of
from games.pages.history import History
from games.pages.keyset import Place
from games.pages.statistics import total
from games.services.play import written


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """The user's finished games that fit the filters of the address, newest first."""
    form = HistoryForm(request.GET)
    form.is_valid()
    found = History(user_of(request), form.cleaned_data, Place.of(request.GET))
    return render(request, "games/history.html", {"form": form, "history": found, "total": total(found.reader)})


@require_safe
@of_table
def game_file(request: HttpRequest, game: Game, kind: str) -> HttpResponse:
    """The game as a file, `json` or `txt`, with what the visitor may know of it."""
    if game.started_at is None:
        raise Http404
    data = written.as_json(game, game.index_of(request.user))
    if kind == "json":
        text, content_type = written.spelled(data), "application/json"
    else:
        text, content_type = written.as_text(game, data), "text/plain; charset=utf-8"
    name = f"{settings.SITE_NAME.lower()}-{game.key}.{kind}"
    headers = {"Content-Disposition": str(content_disposition_header(True, name))}
    return HttpResponse(text, content_type=content_type, headers=headers)
