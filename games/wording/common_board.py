"""The words that the boards of all titles share: decisions on buttons, prices, and means to buy."""

from collections.abc import Iterable
from functools import reduce

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from games.boards.gems import GEMS, Means, numeral
from games.wording import phrases
from games.wording.title import Sentences

DECISIONS: Sentences = {
    "take": gettext_lazy("Take %(tokens)s"),
    "return": gettext_lazy("Return %(tokens)s"),
    "reserve": gettext_lazy("Reserve %(card)s"),
    "reserve blind": gettext_lazy("Reserve from level %(level)d"),
    "buy": gettext_lazy("Buy %(card)s for %(tokens)s"),
    "buy free": gettext_lazy("Buy %(card)s for free"),
}
"""The decisions of every title as imperatives, by their word and what sets them apart."""

SIGNS: Sentences = {
    **{f"gem-{GEMS[kind]}": name for kind, name in phrases.GEM_NAMES.items()},
    "i-check": pgettext_lazy("a sign", "chosen, or enough"),
    "i-clock": pgettext_lazy("a sign", "time left"),
    "i-lock": gettext_lazy("hidden from others"),
    "back": pgettext_lazy("a sign", "deck"),
}
"""The names of the symbols on the boards of every title; a number at their end does not count."""


def place(slot: str) -> str:
    """A card as decisions name it: “T2-1”, “your reserved card”."""
    return slot or _("your reserved card")


def in_order(decisions: Iterable[str]) -> str:
    """“Take 1 pearl → Return 1 ruby”, or the only decision."""
    first, *others = decisions
    if not others:
        return first
    # Translators: decisions in order, each a line of its own: “Take 1 pearl → Return 1 ruby”.
    pattern = pgettext("decisions", "%(items)s → %(item)s")
    return reduce(lambda before, item: pattern % {"items": before, "item": item}, others, first)


@phrases.told_once
def price_words(told: tuple[str, bool]) -> str:
    """The price, given as tokens and whether it is the reader's: “your price 2 rubies”, “price 3 rubies”."""
    spelled, yours = told
    if spelled == "-":
        return _("free for you") if yours else pgettext("price", "free")
    return (_("your price %(tokens)s") if yours else _("price %(tokens)s")) % {"tokens": phrases.tokens(spelled)}


@phrases.told_once
def means_words(means: Means) -> str:
    """Whether the player could buy the card."""
    if means.state == "buy":
        return _("buyable now")
    if means.state == "gold":
        return ngettext("buyable with %(number)d gold", "buyable with %(number)d gold", means.gold) % {
            "number": means.gold
        }
    if means.state == "joker":
        return _("needs a card with a bonus to join")
    if means.kind:
        return _("%(tokens)s short") % {"tokens": phrases.tokens(means.kind * means.short)}
    return ngettext("%(number)d token short", "%(number)d tokens short", means.short) % {"number": means.short}


def trait_words(trait: tuple[str, str]) -> str:
    """A filter of the cards on the page of the rules: “level II”, “green”, “2 points”."""
    name, value = trait
    if name == "level":
        return _("level %(numeral)s") % {"numeral": numeral(int(value))}
    if name == "gives":
        return phrases.colour(value)
    return _("3 points or more") if value == "3" else phrases.points(int(value))
