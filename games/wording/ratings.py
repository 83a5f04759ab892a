"""Ratings in words."""

from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class Change(Protocol):
    """What a game did to a rating, in whole points."""

    @property
    def points(self) -> int: ...
    @property
    def uncertainty(self) -> int: ...
    @property
    def gained(self) -> int: ...
    @property
    def provisional(self) -> bool: ...


def rating_change(change: Change) -> str:
    """The new rating and the change: “Rating 1040 ± 96 (+12), provisional”."""
    told = {"points": change.points, "uncertainty": change.uncertainty, "gained": signed(change.gained)}
    if change.provisional:
        return _("Rating %(points)d ± %(uncertainty)d (%(gained)s), provisional") % told
    return _("Rating %(points)d ± %(uncertainty)d (%(gained)s)") % told


def signed(number: int) -> str:
    """“+12”, “±0”, or with a minus sign."""
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "±0"


def pool(title: str, seats: int, bots: bool) -> str:
    """“Splendor · 3 players”, or “Splendor · 3 players, with bots”."""
    told = {"title": title, "seats": seats}
    if bots:
        text = ngettext("%(title)s · %(seats)d player, with bots", "%(title)s · %(seats)d players, with bots", seats)
    else:
        text = ngettext("%(title)s · %(seats)d player", "%(title)s · %(seats)d players", seats)
    return text % told
