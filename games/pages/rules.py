"""The pages of a title's rules, and its help."""

from typing import Any

from django.http import Http404, HttpRequest
from django.template import loader
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import mark_safe

from games import rendering
from games.catalogue import TITLES
from games.forms import MAX_POST_LENGTH


def build(request: HttpRequest, slug: str, template: str) -> dict[str, Any]:
    """The context of a page about the rules of that title; the title's own `template` draws the text. 404 without such
    a title, or if it has no pages of rules."""
    title = TITLES.get(slug)
    if not title or not title.pieces:
        raise Http404
    context = {
        "slug": slug,
        "pieces": title.pieces(request.GET),
        "refused": request.GET.get("refused", ""),
        "back": _back(request),
    }
    text = loader.render_to_string(f"{title.templates}/{template}", context, request, using="jinja")
    return {
        "slug": slug,
        "name": title.ruleset.name,
        "styles": title.styles,
        "text": mark_safe(text),
    }


def help_page(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The context of the help with the board of that title: its legend, its rules and the keys. 404 without such a
    title."""
    title = TITLES.get(slug)
    if not title:
        raise Http404
    context = {
        "slug": slug,
        "folder": title.templates,
        "pieces": title.pieces({}) if title.pieces else None,
        "back": _back(request),
    }
    text = loader.render_to_string("games/help/_help.jinja", context, request, using="jinja")
    return {"name": title.ruleset.name, "styles": title.styles, "text": mark_safe(text)}


def _back(request: HttpRequest) -> str:
    """The table from which a reader followed the link in a refusal, with their draft; empty for other readers."""
    try:
        table = reverse("table", args=[request.GET.get("table", "")])
    except NoReverseMatch:
        return ""
    return table + rendering.address(request.GET.get("draft", "")[:MAX_POST_LENGTH]).removesuffix("?")
