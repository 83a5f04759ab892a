"""The page of a running or finished game, now or as it was, at its own address or at a link from a mail."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template import loader
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django_htmx.http import HttpResponseClientRedirect, replace_url
from django_htmx.middleware import HtmxDetails
from markupsafe import Markup

from accounts.models import User
from games import rendering, wording
from games.boards.common import join
from games.catalogue import TITLES
from games.forms import MAX_POST_LENGTH, DecisionForm
from games.models import Game, Seat
from games.pages import incidents, keeping, later, own, prices, race, result, timing
from games.pages.access import too_fast
from games.rules.base import Refusal
from games.services import play
from games.services.clocks import running
from games.services.clocks.moment import now
from games.services.play import history
from games.services.play.history import Entry
from games.services.play.own_seat import see_end
from games.services.versions import polls, writing
from games.wording import choices, lessons, phrases
from games.wording.times import instant, patterns


class HtmxHttpRequest(HttpRequest):
    """A request with the attribute that the middleware of django-htmx adds."""

    htmx: HtmxDetails


MIN_LEDGER_ENTRIES = 10
"""The minimum number of decisions in the ledger beside a board; all that are new to the reader are there too."""
MINUTE = timedelta(minutes=1)
"""The least time used that the ledger mentions."""


@dataclass(frozen=True)
class Visit:
    """How a reader came to the table: as themselves, or by a link from a mail to the owner of a seat."""

    reader: User | AnonymousUser
    address: str
    """The address of the table for this visit."""
    turn: int | None = None
    """For a link: the only turn that it can play, by the number at which it began."""


def by_the_door(request: HtmxHttpRequest, game: Game) -> Visit:
    """The visit of a reader at the table's own address."""
    return Visit(request.user, reverse("table", args=[game.key]))


def see(request: HtmxHttpRequest, game: Game, visit: Visit) -> HttpResponse:
    """The page of the table, now or as it was."""
    return look_back(request, game, visit) if "at" in request.GET else show(request, game, visit)


def ask_for_patience(request: HtmxHttpRequest, wait: int, game: Game, visit: Visit | None = None) -> HttpResponse:
    """Answer 429, with the seconds to wait: the table with the posted draft, or a separate page if no region can be
    swapped."""
    if not request.htmx:
        return too_fast(request, wait)
    refusal = gettext("Too many requests. Please wait a minute and try again.")
    draft, visit = request.POST.get("moves", ""), visit or by_the_door(request, game)
    response = show(request, game, visit, draft=draft, refusal=refusal, status=429)
    response["Retry-After"] = str(wait)
    return response


def play_posted(request: HtmxHttpRequest, game: Game, visit: Visit) -> dict[str, Any]:
    """Play the posted decisions. Returns how to show the table if they were refused, otherwise nothing. Raises
    `play.NotYours`."""
    if not isinstance(visit.reader, User):
        raise play.NotYours
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return {"refusal": " ".join(str(error[0]) for error in form.errors.values()), "status": 422}
    notations = form.cleaned_data["moves"]
    if (form.cleaned_data["epoch"] or 0) != game.epoch:
        return {"stale": True, "is_restored": True, "draft": join(notations), "status": 409}
    try:
        play.submit(game, play.Actor(visit.reader, visit.turn), form.cleaned_data["number"], notations)
    except writing.Stale:
        return {"stale": True, "draft": join(notations), "status": 409}
    except Refusal as refusal:
        said = {"refusal": wording.refusal(game.title, refusal), "rule": wording.paragraph(game.title, refusal)}
        return {"draft": join(notations), **said, "status": 422}
    return {}


def fresh(game: Game) -> Game:
    """The game read anew after a post, with its seats."""
    return Game.objects.with_seats().get(pk=game.pk)


def show(
    request: HtmxHttpRequest,
    game: Game,
    visit: Visit,
    *,
    draft: str | None = None,
    seen_number: int | None = None,
    status: int = 200,
    **extra: Any,
) -> HttpResponse:
    """The table as the reader may see it now: the whole page, or only its region. After a post that swaps the region,
    the browser's address becomes the one shown, in place of the last one. A request for a draft may name the decision
    that it is for; if that has been made, the page says so. `seen_number` is that of the page that polls; what others
    have done since then is announced."""
    if game.status in (Game.Status.OPEN, Game.Status.CANCELLED):
        # The game was stopped after the reader had opened it. The table's page says so, without a board.
        return HttpResponseClientRedirect(visit.address) if request.htmx else redirect(visit.address)
    draft = request.GET.get("draft", "") if draft is None else draft
    look = play.look(game, visit.reader, draft[:MAX_POST_LENGTH])
    if "stale" in extra and look.prefix not in map(str, look.legal):
        # The draft is no longer of use.
        look = play.look(game, visit.reader)
    left = game.number if look.seat is None else game.seat_set.all()[look.seat].seen_number
    latest = max(MIN_LEDGER_ENTRIES, game.number - left)
    is_over = game.status == Game.Status.FINISHED
    everything = history.ledger(game, look.seat, None if is_over or "ledger" in request.GET else latest)
    entries = everything if "ledger" in request.GET else everything[-latest:]
    since = history.since(game.title, (entry.move for entry in entries), look.seat, left, game.number)
    events = [event for entry in since for event in entry.events]
    build, payer = TITLES[game.title].board, prices.asked(request.GET.get("prices", ""), game.seats, look.seat)
    board = build(look.seen, look.legal, look.staged, look.prefix, look.before, since=events)
    draft = board.draft
    if payer != "me":
        board = build(look.before, look.legal, (), "", since=events, payer=payer)
    context = {**_context(request, game, visit, board, entries, draft), "look": look, "since": since, **extra}
    context["prices"] = prices.build(look.seat, draft, payer, context["names"])
    context["here"] = context["prices"].here
    context |= _around(request, game, visit, context)
    if request.GET.get("number", str(board.number)) != str(board.number):
        context["has_moved_on"] = True
    if seen_number is not None:
        new = [entry for entry in entries if entry.move.number >= seen_number and entry.move.seat != board.seat]
        told = [line(game, entry, context["names"], board.seat, full=True)["text"] for entry in new]
        context["news"] = " ".join(told)
    if board.seat is not None and board.seat != game.to_act and game.is_active:
        context["my_move"] = _last_move(game, entries, context["names"], board.seat)
    if board.mine and payer == "me":
        context["choices"] = choices.embedded(game.title, board)
        if visit.turn is None and own.wants_hints(game, context["seats"], request.user):
            context["tip"] = lessons.hint(game.title, look.before)
    if visit.turn is not None:
        context["so_far"] = sum(entry.move.number >= visit.turn for entry in entries)
    if is_over:
        context["result"] = result.build(game, context["seats"], context["names"], look, everything)
    response = _answer(request, context, status)
    if request.method == "POST" and request.htmx:
        return replace_url(response, (visit.address + rendering.address(board.draft)).removesuffix("?"))
    return response


def _around(request: HtmxHttpRequest, game: Game, visit: Visit, context: dict[str, Any]) -> dict[str, Any]:
    """The clocks; and at the table's own address, the parts that only a reader with a seat gets."""
    times, user = timing.build(game, context["seats"]), request.user
    for person, time in zip(context["people"], times.seats if times else (), strict=False):
        person["remark"] = person["remark"] or time.remark
    terms = " ".join(running.agreed(game)) if game.is_active else ""
    shown = {"times": times, "agreed": terms, "patterns": patterns()}
    if not isinstance(user, User) or visit.turn is not None:
        return shown
    aside = game.key in later.keys(request)
    found = own.build(game, context["seats"], context["names"], user, later=aside)
    if found and game.status == Game.Status.FINISHED and not found.seat.seen_end and _is_seen(request):
        see_end(game, user)
    offered = found is not None and keeping.is_offered(request, game, found.seat)
    return shown | {"own": found, "keep": offered, "waiting": found.waiting if found else None}


def _is_seen(request: HttpRequest) -> bool:
    """Whether somebody will see the answer, as far as the browser says."""
    return request.method == "GET" and "Sec-Purpose" not in request.headers


def look_back(request: HtmxHttpRequest, game: Game, visit: Visit) -> HttpResponse:
    """The table after some of its decisions, as the reader's seat knew it at that time."""
    text, seat = request.GET["at"], game.index_of(visit.reader)
    seen = history.observation_at(game, seat, int(text)) if text.isdecimal() and len(text) < 6 else None
    if seen is None:
        raise Http404
    at, board, entries = int(text), TITLES[game.title].board(seen, [], [], ""), history.ledger(game, seat)
    first = max(at + 2 - MIN_LEDGER_ENTRIES, 0)
    shown = entries if "ledger" in request.GET else entries[first : first + MIN_LEDGER_ENTRIES]
    context = _context(request, game, visit, board, shown, request.GET.get("draft", "")[:MAX_POST_LENGTH])
    if at < len(entries):
        context["round"] = history.turns(entries[: at + 1])[-1].round
    if at:
        context["step"] = _step(game, entries[at - 1], context["names"], seat)
    later_moves = (entry.move.number + 1 for entry in entries[at:] if entry.move.seat == seat)
    scale = race.scale(game.title, game.seats, history.turns(entries))
    context |= {"at": at, "here": f"?at={at}{context['kept']}", "scale": scale, "my_next": next(later_moves, None)}
    return _answer(request, context, 200)


def _step(game: Game, entry: Entry, names: list[str], reader: int | None) -> dict[str, Any]:
    """The decision that the reader looks back on: the line of the ledger, who made it and when."""
    move = entry.move
    return line(game, entry, names, reader) | {
        "name": gettext("You") if move.seat == reader else names[move.seat],
        "iso": move.made_at.isoformat(),
        "instant": instant(move.made_at, now()),
    }


def _answer(request: HtmxHttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    """The region of the table with its companions, or the whole page around it."""
    region = loader.render_to_string("games/_table.jinja", context, request, using="jinja")
    context["region"] = mark_safe(region)
    page = "games/link.html" if context["by_link"] else "games/table.html"
    return render(request, "games/_swap.html" if request.htmx else page, context, status=status)


def _context(
    request: HtmxHttpRequest, game: Game, visit: Visit, board: Any, entries: list[Entry], draft: str
) -> dict[str, Any]:
    seats = list(game.seat_set.all())
    names = [str(seat) for seat in seats]
    people = [
        {"name": name, "thinking": bool(seat.acting_bot) and seat.index == game.to_act, "remark": _remark(seat)}
        for name, seat in zip(names, seats, strict=True)
    ]
    card, whole = request.GET.get("card", ""), "ledger" in request.GET
    return board_context(game.title, board, names, visit.address, card) | {
        "game": game,
        "seats": seats,
        "people": people,
        "actor": None if game.to_act is None else people[game.to_act],
        "round": game.round,
        "earlier": bool(entries) and entries[0].move.number > 0,
        "ledger": [line(game, entry, names, board.seat, full=whole) for entry in reversed(entries)],
        "asides": incidents.asides(
            game, seats, names, board.seat, entries[-1].move.number + 1 if entries else 0, every=whole
        ),
        "by_link": visit.turn is not None,
        "owner": visit.reader,
        "draft": draft,
        "kept": "&" + urlencode({"draft": draft}) if draft else "",
        "others": [seat for seat in seats if seat.user_id and request.user.pk not in (None, seat.user_id)],
        "seal": polls.seal(game, game.index_of(visit.reader)),
        "poll_seconds": polls.wait(game),
        "look": None,
        "at": None,
        "times": None,
        "own": None,
        "keep": False,
    }


def board_context(slug: str, board: Any, names: list[str], address: str, card: str) -> dict[str, Any]:
    """The context of every page with a board: at a table, in a lesson, before a first move. `card` is the card to show
    in detail, or empty."""
    title = TITLES[slug]
    return {
        "slug": slug,
        "title_name": title.ruleset.name,
        "styles": title.styles,
        "board": board,
        "board_template": f"{title.templates}/board.jinja",
        "names": names,
        "people": [{"name": name, "thinking": False, "remark": ""} for name in names],
        "sheet": board.card(card) if card else None,
        "table_url": address,
    }


def line(
    game: Game, entry: Entry, names: list[str], reader: int | None = None, *, full: bool = False
) -> dict[str, Any]:
    """A line of the ledger: a decision and its changes, told to the reader in that seat. `full` has every event in
    words; otherwise tokens are drawn, and events that the table shows are left out."""
    if full:
        text = " ".join(wording.event(game.title, event, names, reader=reader) for event in entry.events)
    else:
        events = (event for event in entry.events if event.code != "revealed")
        text = Markup(" ").join(rendering.event_line(game.title, event, names, reader) for event in events)
    move = entry.move
    used = (move.time_used or timedelta(0)) // MINUTE
    return {
        "number": move.number + 1,
        "seat": move.seat,
        "text": text,
        "changes": phrases.changes((move.points, move.tokens, used)),
    }


def _last_move(game: Game, entries: list[Entry], names: list[str], seat: int) -> Markup | None:
    """The reader's last decision among these, told to them: “You took ◇◇.”"""
    mine = next((entry for entry in reversed(entries) if entry.move.seat == seat and entry.events), None)
    return rendering.event_line(game.title, mine.events[0], names, seat) if mine else None


def _remark(seat: Seat) -> str:
    """The remark beside a player's name."""
    if seat.caretaker:
        return gettext("played by a bot") if seat.out else gettext("away; a bot is playing")
    return gettext("resigned") if seat.resigned else ""
