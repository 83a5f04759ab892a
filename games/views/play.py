"""The table while a game runs and after it: the board, decisions, the poll, looking back."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import push_url
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from games import wording
from games.catalogue import TITLES
from games.forms import LONGEST_POST, Decision
from games.models import Game, Seat
from games.rules.base import Refusal
from games.services import history, play, rows
from games.services.history import Entry
from games.views.access import of_table


class HtmxHttpRequest(HttpRequest):
    """A request as the middleware of django-htmx leaves it."""

    htmx: HtmxDetails


LATEST = 24
"""Decisions that the ledger beside a board shows unasked."""
POLL_SECONDS = 10
"""How long a page waits before it asks again."""


@require_http_methods(["GET", "HEAD", "POST"])
@of_table
def table(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    if request.method == "POST":
        return decide(request, game)
    if game.status in (Game.Status.OPEN, Game.Status.CANCELLED):
        seats = game.seat_set.select_related("user").order_by("pk")
        context = {"game": game, "seats": seats, "mine": seats.filter(user=request.user.pk).exists()}
        return render(request, "games/lobby.html", context)
    if "at" in request.GET:
        return look_back(request, game)
    return show(request, game)


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
    if request.htmx:
        return push_url(show(request, game), reverse("table", args=[game.key]))
    return redirect("table", game.key)


@require_safe
@of_table
def poll(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """The table if its version is not the one that the page shows, else nothing."""
    response = HttpResponse(status=204) if request.GET.get("version") == str(game.version) else show(request, game)
    response["X-Poll-After"] = str(POLL_SECONDS)
    return response


def show(
    request: HtmxHttpRequest, game: Game, *, draft: str | None = None, status: int = 200, **extra: Any
) -> HttpResponse:
    """The table as the reader may see it now, the whole page or only its region."""
    if game.status in (Game.Status.OPEN, Game.Status.CANCELLED):
        raise Http404
    draft = request.GET.get("draft", "") if draft is None else draft
    look = play.look(game, request.user, draft[:LONGEST_POST])
    entries = history.ledger(game, request.user)
    since = history.since(entries, look.seat)
    events = [event for entry in since for event in entry.events]
    build = TITLES[game.title].board
    board = build(look.seen, look.legal, look.staged, look.prefix, look.before, since=events)
    context = {**_context(request, game, board, entries), "look": look, "since": _lines(since), **extra}
    if game.status == Game.Status.FINISHED:
        context |= {"result": result(game, context["seats"]), "seed": history.seed(game)}
    template = "games/_table.html" if request.htmx else "games/table.html"
    return render(request, template, context, status=status)


def look_back(request: HtmxHttpRequest, game: Game) -> HttpResponse:
    """The table after some of its decisions, as the reader's seat knew it then."""
    text = request.GET["at"]
    seen = history.observation_at(game, request.user, int(text)) if text.isdecimal() and len(text) < 6 else None
    if seen is None:
        raise Http404
    board = TITLES[game.title].board(seen, [], [], "")
    entries = history.ledger(game, request.user)
    context = {**_context(request, game, board, entries), "at": int(text)}
    return render(request, "games/_table.html" if request.htmx else "games/table.html", context)


def _context(request: HtmxHttpRequest, game: Game, board: Any, entries: list[Entry]) -> dict[str, Any]:
    seats = list(game.seat_set.select_related("user").order_by("index"))
    names = [str(seat) for seat in seats]
    people = [
        {"name": name, "thinking": bool(seat.program) and seat.index == game.to_act, "note": ""}
        for name, seat in zip(names, seats, strict=True)
    ]
    card, url = request.GET.get("card", ""), reverse("table", args=[game.key])
    return {
        "game": game,
        "title_name": TITLES[game.title].ruleset.name,
        "board": board,
        "board_template": f"games/{game.title}/board.html",
        "styles_template": f"games/{game.title}/_styles.html",
        "seats": seats,
        "people": people,
        "actor": None if game.to_act is None else people[game.to_act],
        "slug": game.title,
        "names": names,
        "earlier": len(entries) > LATEST and "ledger" not in request.GET,
        "ledger": _ledger(request, game, entries, names),
        "sheet": board.card(card) if card else None,
        "post_url": url,
        "table_url": url,
        "poll_seconds": POLL_SECONDS,
        "at": None,
    }


def _lines(entries: list[Entry]) -> list[dict[str, Any]]:
    """The decisions as the templates draw them, with stones."""
    return [{"seat": entry.move.seat, "events": entry.events} for entry in entries]


def _ledger(request: HtmxHttpRequest, game: Game, entries: list[Entry], names: list[str]) -> list[dict[str, Any]]:
    """The latest decisions in words, or all if asked, newest first, each with a link to the position after it."""
    latest = entries if "ledger" in request.GET else entries[-LATEST:]
    return [
        {
            "number": entry.move.number + 1,
            "seat": entry.move.seat,
            "text": " ".join(wording.event(game.title, event, names) for event in entry.events),
            "url": f"?at={entry.move.number + 1}",
            "current": request.GET.get("at") == str(entry.move.number + 1),
        }
        for entry in reversed(latest)
    ]


def result(game: Game, seats: list[Seat]) -> str:
    """How the game ended, in a sentence."""
    names = [str(seat) for seat in seats]
    if game.ending == Game.Ending.PLAYED:
        return wording.outcome(game.title, play.outcome(game), names)
    winners = " & ".join(name for name, seat in zip(names, seats, strict=True) if seat.won)
    leavers = " & ".join(name for name, seat in zip(names, seats, strict=True) if seat.resigned)
    return gettext("%(winners)s wins: %(leavers)s resigned.") % {"winners": winners, "leavers": leavers}
