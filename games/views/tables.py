"""A table before and around the game: made, joined, left, cancelled, resigned, listed."""

import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games.boards import opening
from games.catalogue import TITLES
from games.forms import NewTable
from games.models import Game
from games.rules.base import IllegalAction
from games.services import play, tables
from games.views.access import limited, of_table
from games.views.dashboard import Dashboard

REFUSALS = {
    "not_open": gettext_lazy("This table is not open any more."),
    "not_invited": gettext_lazy("Only the players whom its maker named may sit down at this table."),
    "not_yours": gettext_lazy("Only who made the table can do that."),
    "cancel_instead": gettext_lazy("You made this table: cancel it instead of leaving it."),
}
"""Why a table refuses, by code."""
LONGEST_SEARCH = 40


def user_of(request: HttpRequest) -> User:
    """The person behind a view that asks for a log-in."""
    assert isinstance(request.user, User)
    return request.user


@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    search = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    title = request.GET.get("title", "")
    title = title if title in TITLES else ""
    board = Dashboard(user_of(request), search, title, request.GET.get("page"))
    titles = {slug: entry.ruleset.name for slug, entry in TITLES.items()}
    return render(request, "games/mine.html", {"tables": board, "titles": titles})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("new")
def new(request: HttpRequest) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = NewTable(data, maker=user_of(request), initial={"title": request.GET.get("title", "splendor")})
    if form.is_valid():
        return redirect("table", tables.create(user_of(request), form.plan()).key)
    context = {"form": form, "opening": opening.deal(secrets.token_bytes(32))}
    return render(request, "games/new.html", context, status=422 if form.errors else 200)


@require_POST
@limited("seat")
@of_table
def join(request: HttpRequest, game: Game) -> HttpResponse:
    return _done(request, game, tables.join)


@require_POST
@limited("seat")
@of_table
def leave(request: HttpRequest, game: Game) -> HttpResponse:
    return _done(request, game, tables.leave)


@require_POST
@limited("seat")
@of_table
def cancel(request: HttpRequest, game: Game) -> HttpResponse:
    return _done(request, game, tables.cancel)


def _done(request: HttpRequest, game: Game, service: tables.Service) -> HttpResponse:
    if not request.user.is_authenticated:
        # After the log-in the table itself asks again: these addresses only take posts.
        return redirect_to_login(reverse("table", args=[game.key]))
    try:
        service(game, user_of(request))
    except tables.NotPossible as refusal:
        messages.error(request, str(REFUSALS[refusal.code]))
    return redirect("table", game.key)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("seat")
@of_table
def resign(request: HttpRequest, game: Game) -> HttpResponse:
    """Asked first, in words that say what comes of it."""
    refusal = _("You have no seat in a running game here.")
    if request.method == "POST":
        try:
            play.resign(game, user_of(request))
        except (play.NotYours, IllegalAction):
            messages.error(request, refusal)
        return redirect("table", game.key)
    seats = list(game.seat_set.all())
    mine = next((seat for seat in seats if seat.user_id == request.user.pk and not seat.resigned), None)
    if mine is None or not game.is_active:
        messages.error(request, refusal)
        return redirect("table", game.key)
    others = [seat for seat in seats if seat is not mine]
    people = [seat for seat in others if seat.user_id and not seat.resigned]
    return render(request, "games/resign.html", {"game": game, "others": others, "people": people})
