"""Tables around their game: the lists, create, leave, cancel, resign."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.names import MAX_NAME_LENGTH
from games.catalogue import TITLES
from games.forms import NameForm, NewTableForm, OpenTablesForm
from games.models import Game
from games.pages import keeping, keyset, later, lobby
from games.pages.access import limited, of_person, of_table, user_of
from games.pages.dashboard import Dashboard, TableRow
from games.pages.keyset import Place
from games.pages.refusals import TABLE_REFUSALS, done, wait
from games.rules.base import IllegalAction
from games.services import play
from games.services.tables import tables

TABLES_FULL = ("too_many_tables", "too_many_bot_tables", "too_many_guest_tables", "guest")
"""The refusals that concern the user and no field of the form."""
TABLES_PER_PAGE = 20
"""Open tables per page."""


@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    return render(request, "games/mine.html", {"tables": Dashboard(user_of(request), later.keys(request))})


@require_safe
@login_required
def open_tables(request: HttpRequest) -> HttpResponse:
    """The tables that anybody may join and that fit the search, newest first."""
    user, form = user_of(request), OpenTablesForm(request.GET)
    sought = form.cleaned_data if form.is_valid() else {}
    games = tables.joinable(user).without(user)
    games = games.filter(**{name: value for name, value in sought.items() if value})
    page = keyset.page(games.with_seats(), "created_at", "pk", TABLES_PER_PAGE, Place.of(request.GET))
    context = {"form": form, "page": page, "rows": [TableRow(game, user) for game in page.rows]}
    return render(request, "games/open.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("new")
def new(request: HttpRequest) -> HttpResponse:
    """The form for a new table, empty, with the settings of a game that the reader played, or with the name of somebody
    to invite. Errors appear at their fields."""
    user, like = user_of(request), request.GET.get("like", "").replace("\0", "")
    form = NewTableForm(
        request.POST if request.method == "POST" else None,
        host=user,
        like=Game.objects.of(user).filter(key=like).with_seats().first() if like else None,
        guest=request.GET.get("invite", "")[:MAX_NAME_LENGTH],
        initial={"title": request.GET["title"]} if request.GET.get("title") in TITLES else {},
    )
    status, refused = 200, None
    if form.is_valid():
        try:
            return redirect("table", tables.create(user, form.spec()).key)
        except tables.TableRefusal as refusal:
            refused = refusal if isinstance(refusal, tables.TooMany) else None
            field = None if refusal.code in TABLES_FULL else "invited"
            form.add_error(field, str(TABLE_REFUSALS[refusal.code]))
    if form.errors:
        status = 429 if refused else 422
    context = {"form": form, "may_keep": user.is_guest and keeping.may_keep(user)}
    response = render(request, "games/new.html", context, status=status)
    return wait(response, refused) if refused else response


@of_person
def leave(request: HttpRequest, game: Game) -> HttpResponse:
    response = done(request, game, tables.leave)
    return response if game.is_visible_to(request.user) else redirect("mine")


@of_person
def rename(request: HttpRequest, game: Game) -> HttpResponse:
    """Give the table another name, as the host."""
    form = NameForm(request.POST)
    if not form.is_valid() and game.host_id == request.user.pk and game.status == Game.Status.OPEN:
        return lobby.show(request, game, status=422, name_form=form)
    return done(request, game, lambda game, user: tables.rename(game, user, form.cleaned_data.get("name", "")))


@of_person
def cancel(request: HttpRequest, game: Game) -> HttpResponse:
    return done(request, game, tables.cancel)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("seat")
@of_table
def resign(request: HttpRequest, game: Game) -> HttpResponse:
    """Resign, after a page that asks and says what will happen."""
    refusal = _("You don’t have a seat in a running game here.")
    if request.method == "POST":
        try:
            play.resign(game, user_of(request))
        except (play.NotYours, IllegalAction):
            messages.error(request, refusal)
        return redirect("table", game.key)
    mine = game.seat_of(request.user)
    if mine is None or mine.resigned or not game.is_active:
        messages.error(request, refusal)
        return redirect("table", game.key)
    others = [seat for seat in game.seat_set.all() if seat is not mine]
    people = [seat for seat in others if seat.user_id and not seat.out]
    return render(request, "games/resign.html", {"game": game, "others": others, "people": people})
