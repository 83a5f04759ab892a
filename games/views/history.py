"""The match history."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.forms import HistoryForm
from games.pages.access import user_of
from games.pages.history import History
from games.pages.keyset import Place


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """The user's finished games that fit the filters of the address, newest first."""
    form = HistoryForm(request.GET)
    form.is_valid()
    found = History(user_of(request), form.cleaned_data, Place.of(request.GET))
    return render(request, "games/history.html", {"form": form, "history": found})
