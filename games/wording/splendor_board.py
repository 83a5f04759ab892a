"""The words of the Splendor board: names of what can be touched."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.splendor.market import Card, Means
from games.wording import common, splendor


def noble_name(noble: str) -> str:
    """“Mary Stuart”."""
    return str(splendor.NAMES[noble])


def card_name(card: Card) -> str:
    """All that the card shows: “T2-1, level 2: blue, 2 points; your price 2 rubies; buyable”."""
    price = card.due if card.means else card.printed
    return _card_name(_Shown(card.slot, card.level, card.kind, card.points, price, card.means))


class _Shown(NamedTuple):
    slot: str
    level: int
    kind: str
    points: int
    price: str
    means: Means | None


@common.told_once
def _card_name(shown: _Shown) -> str:
    facts = {
        "slot": shown.slot,
        "level": shown.level,
        "colour": common.colour(shown.kind),
        "points": common.points(shown.points),
        "price": _price(shown),
    }
    if shown.slot:
        name = _("%(slot)s, level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
    else:
        name = _("level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
    return f"{name}; {means_words(shown.means)}" if shown.means else name


def _price(shown: _Shown) -> str:
    if not shown.means:
        return _("price %(tokens)s") % {"tokens": common.tokens(shown.price)}
    return (
        _("free for you") if shown.price == "-" else _("your price %(tokens)s") % {"tokens": common.tokens(shown.price)}
    )


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
