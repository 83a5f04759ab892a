"""How ratings work, the reader's own ratings, and the leaderboards."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from games.pages import ratings as pages
from games.pages.access import user_of
from games.services.ratings import model


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """How ratings work, with links to the leaderboards and to the reader's own ratings."""
    mine = pages.of(request.user) if isinstance(request.user, User) else []
    context = {"kinds": pages.kinds(), "mine": mine, "small": model.SMALL, "start": model.START, "full": model.FULL}
    return render(request, "games/ratings/ratings.html", context)


@require_safe
@login_required
def leaderboard(request: HttpRequest, title: str, seats: int) -> HttpResponse:
    """A leaderboard, with the reader's own rating over time. `?bots` names the ratings from games with bots."""
    if (title, seats) not in pages.kinds():
        raise Http404
    board = pages.Board(title, seats, "bots" in request.GET, user_of(request))
    return render(request, "games/ratings/leaderboard.html", {"board": board, "small": model.SMALL})
