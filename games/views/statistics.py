"""The user's statistics."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.access import user_of
from games.pages.keyset import Place
from games.pages.statistics import Statistics
from games.services.ratings import model


@require_safe
@login_required
def statistics(request: HttpRequest) -> HttpResponse:
    """The statistics of the games that the address names."""
    found = Statistics(user_of(request), request.GET)
    return render(request, "games/statistics.html", {"statistics": found, "board": found.board, "small": model.SMALL})


@require_safe
@login_required
def opponents(request: HttpRequest) -> HttpResponse:
    """All opponents in the games that the address names, with the results against each."""
    found = Statistics(user_of(request), request.GET, Place.of(request.GET))
    return render(request, "games/opponents.html", {"statistics": found})
