"""What templates of boards need beside plain values: words of `games.wording`, look-ups by seat, and events drawn with
stones."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from games import wording
from games.boards.common import GEMS
from games.rules.base import Event
from games.rules.splendor.cards import CARDS, COLOURS
from games.wording import common, splendor

register = template.Library()

register.filter("points", common.points)
register.filter("tokens", common.tokens)

GEM_NAMES = {
    "w": _("diamond"),
    "u": _("sapphire"),
    "g": _("emerald"),
    "r": _("ruby"),
    "k": _("onyx"),
    "p": _("pearl"),
    "*": _("gold"),
}


@register.filter
def at(items: Sequence[Any], index: int | None) -> Any:
    """The item for a seat; nothing without one, or if the page gives none."""
    return items[index] if items and index is not None and index < len(items) else ""


@register.filter
def colour(kind: str) -> str:
    """“blue”, of a card."""
    return str(common.COLOURS[kind])


@register.filter
def gem_name(kind: str) -> str:
    """“ruby”, where no number stands before it."""
    return str(GEM_NAMES[kind])


@register.filter
def noble_name(noble: str) -> str:
    return str(splendor.NAMES[noble])


def _stones(spelled: str) -> str:
    if spelled == "-":
        return escape(common.tokens(spelled))
    gems = [GEMS[kind] for kind in spelled]
    return render_to_string("games/_stones.html", {"text": common.tokens(spelled), "gems": gems}).strip()


def _splendor_tile(name: str) -> str:
    card = CARDS[name]
    context = {"text": splendor.card(name), "gem": GEMS[COLOURS[card.bonus]], "points": card.prestige}
    return render_to_string("games/splendor/_tile.html", context).strip()


Drawn = Mapping[str, Callable[[str], str]]
STONES: Drawn = {"tokens": _stones, "payment": _stones}
DRAWN: Mapping[str, Drawn] = {"splendor": {**STONES, "card": _splendor_tile}}
"""By title and placeholder of its sentences: what is drawn instead of words."""


@register.simple_tag
def event_line(slug: str, event: Event, names: Sequence[str]) -> SafeString:
    """The sentence of `games.wording` about an event, with stones for the tokens in it; their words are there for
    who does not see them."""
    facts = event.facts
    drawn = {name: draw(str(facts[name])) for name, draw in DRAWN.get(slug, STONES).items() if name in facts}
    if "seat" in facts:
        drawn["player"] = f"<b>{escape(names[int(facts['seat'])])}</b>"
    # The words are escaped with the sentence; the drawings take their places after that.
    line: str = escape(wording.event(slug, event, names, {name: f"\0{name}\0" for name in drawn}))
    for name, drawing in drawn.items():
        line = line.replace(f"\0{name}\0", drawing)
    return mark_safe(line)
