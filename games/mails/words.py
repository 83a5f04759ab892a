"""Sentences and lines that several mails share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.catalogue import TITLES
from games.mails.parts import Line, Run, beside, filled, line, marked, parted, tokens
from games.rules.base import Event
from games.wording import phrases

DRAWN: Mapping[str, Callable[[str], Run]] = {"tokens": tokens, "payment": tokens, "token": tokens}
"""The facts of an event that are drawn instead of written, in all titles."""


def title(slug: str) -> Any:
    """The module that describes positions of that title in mails."""
    return import_module(TITLES[slug].mails)


def told(slug: str, event: Event, names: Sequence[str], reader: int | None = None) -> Line:
    """The sentence of `games.wording` about an event, with pills for the tokens in it."""
    drawn = {**DRAWN, **title(slug).DRAWN}
    runs = {name: draw(str(event.facts[name])) for name, draw in drawn.items() if name in event.facts}
    if "seat" in event.facts:
        runs["player"] = Run(names[int(event.facts["seat"])], strong=True)
    return parted(wording.event(slug, event, names, {name: marked(name) for name in runs}, reader=reader), runs)


def of_target(mine: int, target: int, others: Iterable[tuple[str, int]], colour: str = "") -> Line:
    """“9 of 15 · Ana 12 · Ben 7”; with a colour, “5 of 10 in red”."""
    sentence = _("%(number)s of %(target)s in %(colour)s") if colour else _("%(number)s of %(target)s")
    gaps = {"number": Run(str(mine), strong=True), "target": Run(str(target)), "colour": Run(colour)}
    score = parted(sentence % {name: marked(name) for name in gaps}, gaps)
    # Translators: a player and what they have: “Ana 12”.
    return beside(score, *(line(_("%(name)s %(number)d") % {"name": name, "number": had}) for name, had in others))


def of_limit(spelled: str, limit: int) -> Line:
    """“2 diamonds and 1 ruby · 3 of 10”."""
    facts = {"number": len(spelled), "limit": limit}
    return beside(line(tokens(spelled or "-")), line(_("%(number)d of %(limit)d") % facts))


def holding(number: int, limit: int, excess: int) -> str:
    """“You’ll hold 11 tokens and return 1”; without an excess, “You’ll hold 9 of 10 tokens”."""
    facts = {"number": number, "limit": limit, "excess": excess}
    if not excess:
        return _("You’ll hold %(number)d of %(limit)d tokens") % facts
    return (
        ngettext(
            "You’ll hold %(number)d tokens and return %(excess)d",
            "You’ll hold %(number)d tokens and return %(excess)d",
            excess,
        )
        % facts
    )


def price(payment: str) -> Line:
    """The price of a card: “your price 2 emeralds”, “free for you”."""
    if payment in ("", "-"):
        return line(_("free for you"))
    return filled(_("your price %(tokens)s"), tokens=tokens(payment))


def levelled(level: int, name: str) -> str:
    """The level and colour of a card: “level 2 green”."""
    # Translators: what kind of card it is: “level 2 green”.
    return _("level %(level)d %(name)s") % {"level": level, "name": name}


def reserved(card: Line, due: str, means: str) -> Line:
    """A reserved card, its price, and how near the reader is to buying it."""
    return beside(card, price(due), line(means))


def standing(points: Sequence[int], reader: int, names: Sequence[str]) -> str:
    """“Ana leads 12–9”: the best player compared with the reader, or the reader with the next best."""
    best = max(points)
    first = [place for place, number in enumerate(points) if number == best]
    others = [names[place] for place in first if place != reader]
    facts = {"names": phrases.join(others), "best": best, "mine": points[reader]}
    if len(first) == len(points):
        return _("Tied at %(best)d") % facts
    if first == [reader]:
        second = max(number for place, number in enumerate(points) if place != reader)
        # Translators: you have 12 points, the next best 9.
        return _("You lead %(best)d–%(second)d") % {**facts, "second": second}
    if reader in first:
        return _("You and %(names)s are tied for the lead at %(best)d") % facts
    # Translators: Ana has 12 points, and you 9.
    return ngettext("%(names)s leads %(best)d–%(mine)d", "%(names)s lead %(best)d–%(mine)d", len(others)) % facts
