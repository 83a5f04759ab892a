"""Play without an account: one post makes a guest and seats them."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts import sessions
from accounts.models import User
from games import wording
from games.boards.common import join as join_notations
from games.catalogue import TITLES
from games.forms import MAX_POST_LENGTH, DecisionForm
from games.models import Game
from games.pages import first
from games.pages.access import limited, of_person, of_table, patience, too_fast
from games.pages.refusals import TABLE_REFUSALS, done
from games.pages.table import HtmxHttpRequest
from games.rules.base import Refusal
from games.services.tables import guests, tables
from games.services.tables.tables import TableRefusal
from games.services.work import first_moves


@require_POST
@limited("new")
def play_bot(request: HtmxHttpRequest, title: str) -> HttpResponse:
    """Open a table against the weakest bot at once, for a user or a new guest."""
    if title not in TITLES:
        raise Http404
    user = request.user if isinstance(request.user, User) else None
    if refusal := _closed(request, user, reverse("new")):
        return refusal
    try:
        game, player = guests.play_bot(title, user)
    except TableRefusal as error:
        return _refused(request, error)
    response = redirect("table", game.key)
    if user is None:
        _log_in(request, response, player)
    return response


def _refused(request: HtmxHttpRequest, error: TableRefusal) -> HttpResponse:
    """Say why there is no game, for example because the player has too many."""
    messages.error(request, str(TABLE_REFUSALS[error.code]))
    return _turn_to(request, reverse("mine"))


def _turn_to(request: HtmxHttpRequest, address: str) -> HttpResponse:
    """Redirect to a whole page."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def _log_in(request: HttpRequest, response: HttpResponse, guest: User) -> None:
    """Log a new guest in, whom the browser knows from now on."""
    login(request, guest)
    sessions.remember(request, response, guest)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("new")
def first_move(request: HtmxHttpRequest, key: str) -> HttpResponse:
    """A board with the deal of the first page. A post opens a table with that deal and plays the move."""
    try:
        return _play_first(request, key) if request.method == "POST" else first.show(request, key)
    except first_moves.Gone:
        return _instead(request)


def _instead(request: HttpRequest) -> HttpResponse:
    """Redirect to another deal, with the same move if it is possible there; a page with status 410 if none is left."""
    found = first_moves.pick()
    if found is None:
        return render(request, "games/first_gone.html", status=410)
    query = {"instead": "1", "draft": request.POST.get("moves", request.GET.get("draft", ""))[:MAX_POST_LENGTH]}
    return redirect(f"{reverse('first_move', args=[found[0].key])}?{urlencode(query)}")


def _play_first(request: HtmxHttpRequest, key: str) -> HttpResponse:
    user, form = request.user if isinstance(request.user, User) else None, DecisionForm(request.POST)
    if refusal := _closed(request, user, reverse("new")):
        return refusal
    if not form.is_valid():
        return first.show(request, key, refusal=" ".join(str(error[0]) for error in form.errors.values()), status=422)
    notations = form.cleaned_data["moves"]
    try:
        game, player = first_moves.play_first(key, notations, user)
    except Refusal as error:
        said = wording.refusal(first_moves.look(key, "")[0].title, error)
        return first.show(request, key, join_notations(notations), said, status=422)
    except TableRefusal as error:
        return _refused(request, error)
    response = _turn_to(request, reverse("table", args=[game.key]))
    if user is None:
        _log_in(request, response, player)
    return response


def join(request: HttpRequest, key: str) -> HttpResponse:
    """Take a seat, as a new guest if the reader is a visitor."""
    return _join_as_user(request, key) if isinstance(request.user, User) else _join_as_guest(request, key)


@of_person
def _join_as_user(request: HttpRequest, game: Game) -> HttpResponse:
    return done(request, game, tables.join)


@require_POST
@of_table
def _join_as_guest(request: HttpRequest, game: Game) -> HttpResponse:
    table = reverse("table", args=[game.key])
    if game.status == Game.Status.OPEN and not tables.takes_guests(game):
        return redirect_to_login(table)
    if refusal := _closed(request, None, table):
        return refusal
    response = redirect(table)
    try:
        _log_in(request, response, guests.sit_down(game, sessions.accounts_here(request)))
    except TableRefusal as error:
        messages.error(request, str(TABLE_REFUSALS[error.code]))
    return response


def _closed(request: HttpRequest, user: User | None, wanted: str) -> HttpResponse | None:
    """The answer to a visitor who cannot become a guest: a page that asks for a log-in, or for patience."""
    if user is not None:
        return None
    if not settings.GUESTS:
        return redirect_to_login(wanted)
    if wait := patience(request, "guest"):
        return too_fast(request, wait)
    return None
