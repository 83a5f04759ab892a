"""The words of the Splendor board: names of what can be touched."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.splendor.parts import Card, Means
from games.wording import common, splendor


def noble_name(noble: str) -> str:
    """“Mary Stuart”."""
    return str(splendor.NAMES[noble])


def card_name(card: Card) -> str:
    """All that the card shows: “T2-3, level 2: blue, 2 points; your price 2 rubies; buyable”."""
    facts = {
        "slot": card.slot,
        "level": card.level,
        "colour": common.colour(card.kind),
        "points": common.points(card.points),
        "price": _price(card),
    }
    if card.slot:
        name = _("%(slot)s, level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
    else:
        name = _("level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
    return f"{name}; {means_words(card.means)}" if card.means else name


def _price(card: Card) -> str:
    if not card.means:
        return _("price %(tokens)s") % {"tokens": common.tokens(card.printed)}
    return _("free for you") if card.free else _("your price %(tokens)s") % {"tokens": common.tokens(card.due)}


def means_words(means: Means) -> str:
    """Whether that player could buy the card."""
    if means.state == "buy":
        return _("buyable")
    if means.state == "gold":
        return ngettext("buyable with %(number)d gold", "buyable with %(number)d gold", means.gold) % {
            "number": means.gold
        }
    if means.lacks and means.short == 1:
        return _("%(tokens)s short") % {"tokens": common.tokens(means.lacks)}
    return ngettext("%(number)d token short", "%(number)d tokens short", means.short) % {"number": means.short}


WORDS = [noble_name, card_name]
"""What the templates of this board may ask for."""
