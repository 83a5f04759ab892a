"""The table while a game runs and after it: the board, decisions, the poll, looking back."""

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template import loader
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import push_url, replace_url
from django_htmx.middleware import HtmxDetails
from markupsafe import Markup

from accounts.models import User
from games import rendering, wording
from games.catalogue import TITLES
from games.forms import LONGEST_POST, Decision
from games.middleware import POLL_SECONDS, nothing_new
from games.models import Game, Seat
from games.rules.base import Refusal
from games.services import history, play, polls, rows
from games.services.history import Entry
from games.views import incidents, result
from games.views.access import limited, of_table, too_fast
from games.wording import common


class HtmxHttpRequest(HttpRequest):
    """A request as the middleware of django-htmx leaves it."""

    htmx: HtmxDetails


LATEST = 10
"""Decisions that the ledger beside a board shows unasked, and those that are new to the reader."""
MINUTE = timedelta(minutes=1)
"""Time used that is worth telling."""


@require_http_methods(["GET", "HEAD", "POST"])
@of_table
def table(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    if request.method == "POST":
        return decide(request, game)
    if game.status in (Game.Status.OPEN, Game.Status.CANCELLED):
        seats = game.seat_set.all()
        context = {"game": game, "seats": seats, "mine": any(seat.user == request.user for seat in seats)}
        return render(request, "games/lobby.html", context)
    if "at" in request.GET:
        return look_back(request, game)
    return show(request, game)


def ask_for_patience(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """The table with the draft as it was posted; the page that says it where no region can be swapped."""
    if not request.htmx:
        return too_fast(request)
    refusal = gettext("That was too often in a short while. Please wait a minute, then try again.")
    return show(request, game, draft=request.POST.get("moves", ""), refusal=refusal, status=429)


@limited("decide", ask_for_patience)
def decide(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """Play what was posted. 409 with the table as it is now if it comes too late, 422 with the reason if the rules
    refuse it, 404 for whoever is not to act."""
    if not isinstance(request.user, User):
        raise Http404
    form = Decision(request.POST)
    if not form.is_valid():
        return show(request, game, refusal=" ".join(str(error[0]) for error in form.errors.values()), status=422)
    notations = form.cleaned_data["moves"]
    try:
        play.submit(game, play.Actor(request.user), form.cleaned_data["number"], notations)
    except rows.Stale:
        return show(request, game, stale=True, status=409)
    except play.NotYours as error:
        raise Http404 from error
    except Refusal as refusal:
        reason = wording.refusal(game.title, refusal)
        return show(request, game, draft=";".join(notations), refusal=reason, status=422)
    return show(request, game) if request.htmx else redirect("table", game.key)


@require_safe
@of_table
def poll(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """The table if its version is not the one that the page shows, else nothing."""
    polls.read(game)
    if request.GET.get("version") == str(game.version):
        return nothing_new()
    polls.looks(game, play.seat_of(game, request.user))
    response = show(request, game)
    response["X-Poll-After"] = str(POLL_SECONDS)
    return response


def show(
    request: HtmxHttpRequest, game: Game, *, draft: str | None = None, status: int = 200, **extra: Any
) -> HttpResponse:
    """The table as the reader may see it now, the whole page or only its region. After a post without a new page the
    address is that of what is shown: one more step back if it was played, else in place of the one before."""
    if game.status in (Game.Status.OPEN, Game.Status.CANCELLED):
        raise Http404
    if request.method == "POST":
        game = Game.objects.with_seats().get(pk=game.pk)
    draft = request.GET.get("draft", "") if draft is None else draft
    look = play.look(game, request.user, draft[:LONGEST_POST])
    left = game.number if look.seat is None else game.seat_set.all()[look.seat].seen_number
    entries = history.ledger(game, look.seat, None if "ledger" in request.GET else max(LATEST, game.number - left))
    since = history.since(game.title, (entry.move for entry in entries), look.seat, left, game.number)
    events = [event for entry in since for event in entry.events]
    build = TITLES[game.title].board
    board = build(look.seen, look.legal, look.staged, look.prefix, look.before, since=events)
    context = {**_context(request, game, board, entries), "look": look, "since": since, **extra}
    if game.status == Game.Status.FINISHED:
        context["result"] = result.build(game, context["seats"], context["names"], look)
    response = _answer(request, context, status)
    if request.method == "POST" and request.htmx:
        address = (context["table_url"] + rendering.address(board.draft)).removesuffix("?")
        return push_url(response, address) if status == 200 else replace_url(response, address)
    return response


def look_back(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """The table after some of its decisions, as the reader's seat knew it then."""
    text, seat = request.GET["at"], play.seat_of(game, request.user)
    seen = history.observation_at(game, seat, int(text)) if text.isdecimal() and len(text) < 6 else None
    if seen is None:
        raise Http404
    board = TITLES[game.title].board(seen, [], [], "")
    entries = history.ledger(game, seat)
    if "ledger" not in request.GET:
        first = max(int(text) + 2 - LATEST, 0)
        entries = entries[first : first + LATEST]
    return _answer(request, {**_context(request, game, board, entries), "at": int(text)}, 200)


def _answer(request: HtmxHttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    """The region of the table, alone with what goes with it, or within the page."""
    region = loader.render_to_string("games/_table.jinja", {**context, **rendering.sentences()}, request, using="jinja")
    context["region"] = mark_safe(region)
    return render(request, "games/_swap.html" if request.htmx else "games/table.html", context, status=status)


def _context(request: HtmxHttpRequest, game: Game, board: Any, entries: list[Entry]) -> dict[str, Any]:
    seats = list(game.seat_set.all())
    names = [str(seat) for seat in seats]
    people = [
        {"name": name, "thinking": bool(seat.program) and seat.index == game.to_act, "note": _note(seat)}
        for name, seat in zip(names, seats, strict=True)
    ]
    card = request.GET.get("card", "")
    return {
        "game": game,
        "title_name": TITLES[game.title].ruleset.name,
        "board": board,
        "board_template": f"games/{game.title}/board.jinja",
        "styles_template": f"games/{game.title}/_styles.html",
        "seats": seats,
        "people": people,
        "actor": None if game.to_act is None else people[game.to_act],
        "slug": game.title,
        "names": names,
        "earlier": bool(entries) and entries[0].move.number > 0,
        "ledger": [_line(game, entry, names, full="ledger" in request.GET) for entry in reversed(entries)],
        "asides": incidents.asides(game, seats, names),
        "sheet": board.card(card) if card else None,
        "table_url": reverse("table", args=[game.key]),
        "seal": polls.seal(game, play.seat_of(game, request.user)),
        "poll_seconds": POLL_SECONDS,
        "look": None,
        "at": None,
    }


def _line(game: Game, entry: Entry, names: list[str], *, full: bool) -> dict[str, Any]:
    """A decision and what it changed: `full` in words, all of it, or with stones and without what the table shows."""
    if full:
        text = " ".join(wording.event(game.title, event, names) for event in entry.events)
    else:
        events = (event for event in entry.events if event.code != "revealed")
        text = Markup(" ").join(rendering.event_line(game.title, event, names) for event in events)
    move = entry.move
    used = (move.time_used or timedelta(0)) // MINUTE
    return {
        "number": move.number + 1,
        "seat": move.seat,
        "text": text,
        "note": common.changes((move.points, move.tokens, used)),
    }


def _note(seat: Seat) -> str:
    """What is to be told beside a name."""
    return gettext("played by a bot") if seat.caretaker else gettext("resigned") if seat.resigned else ""
