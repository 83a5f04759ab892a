"""The pages of a title's rules."""

from typing import Any

from django.http import Http404, HttpRequest
from django.template import loader
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import mark_safe

from games import rendering
from games.catalogue import TITLES
from games.forms import MAX_POST_LENGTH


def build(request: HttpRequest, slug: str, template: str) -> dict[str, Any]:
    """The context of a page about the rules of that title, its text drawn with that template of the title. 404 without
    such a title, or if it has no pages of its rules."""
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


def _back(request: HttpRequest) -> str:
    """The table from which a reader followed the link in a refusal, with their draft; empty for other readers."""
    try:
        table = reverse("table", args=[request.GET.get("table", "")])
    except NoReverseMatch:
        return ""
    return table + rendering.address(request.GET.get("draft", "")[:MAX_POST_LENGTH]).removesuffix("?")
