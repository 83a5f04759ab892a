"""First moves: the market of the first page, and the page of a board that nobody plays on yet."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template import loader
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django_htmx.http import replace_url

from games import rendering
from games.catalogue import TITLES
from games.forms import MAX_POST_LENGTH
from games.models.game import BOT_NAMES
from games.pages.table import HtmxHttpRequest, board_context
from games.services.work import first_moves
from games.wording import choices


def market() -> dict[str, Any]:
    """One of the deals as the first page offers it, with its board and the choices as data; empty if there is none."""
    found = first_moves.pick()
    if found is None:
        return {}
    offer, look = found
    board = TITLES[offer.title].board(look.seen, look.legal, look.staged, look.prefix, look.before)
    return {"deal": offer, "board": board, "choices": choices.embedded(offer.title, board)}


def show(request: HtmxHttpRequest, key: str, draft: str = "", refusal: str = "", status: int = 200) -> HttpResponse:
    """The board with the draft: the whole page, or only its region. Raises `first_moves.Gone`."""
    offer, look = first_moves.look(key, (draft or request.GET.get("draft", ""))[:MAX_POST_LENGTH])
    title, address = TITLES[offer.title], reverse("first_move", args=[key])
    board = title.board(look.seen, look.legal, look.staged, look.prefix, look.before)
    names = [gettext("You"), str(BOT_NAMES[title.first_bot])]
    context = board_context(offer.title, board, names, address, request.GET.get("card", "")) | {
        "offer": offer,
        "refusal": refusal,
        "instead": "instead" in request.GET,
        "choices": choices.embedded(offer.title, board),
    }
    context["region"] = mark_safe(loader.render_to_string("games/_first.jinja", context, request, using="jinja"))
    page = "games/_swap_first.html" if request.htmx else "games/first.html"
    response = render(request, page, context, status=status)
    if (request.method == "POST" or context["instead"]) and request.htmx:
        return replace_url(response, (address + rendering.address(board.draft)).removesuffix("?"))
    return response
