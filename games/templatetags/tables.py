"""What the pages around the board need beside plain values."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django import template
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Seat
from games.services.moment import now
from games.services.tables import EXPIRY
from games.wording import common

register = template.Library()

MARKS = {"duel": "i-crown"}
"""The drawing that stands for a title in lists; any other has the mark of the house."""


@register.filter
def title_name(slug: str) -> str:
    """“Splendor Duel”."""
    return TITLES[slug].ruleset.name


@register.filter
def title_mark(slug: str) -> str:
    return MARKS.get(slug, "mark")


@register.filter
def places(game: Game, seats: Sequence[Seat]) -> list[Seat | None]:
    """One for each seat, in order; nothing for those that are free."""
    return [*seats, *[None] * (game.seats - len(seats))]


@register.filter
def free(game: Game, seats: Sequence[Seat]) -> int:
    """How many seats nobody has taken."""
    return game.seats - len(seats)


@register.filter
def names(seats: Iterable[Seat | User]) -> str:
    """“alice, bob and Greedy bot”."""
    return common.join([str(seat) for seat in seats])


@register.filter
def closes_at(game: Game) -> datetime:
    """When an open table that nobody fills is closed."""
    return game.changed_at + EXPIRY


@register.filter
def ago(then: datetime) -> str:
    """“3 hours ago”, in one unit."""
    if (now() - then).total_seconds() < 60:
        return _("just now")
    return _("%(time)s ago") % {"time": timesince(then, now(), depth=1)}


@register.filter
def time_left(deadline: datetime) -> str:
    """“2 h 40 min”, in the two greatest units."""
    minutes = int((deadline - now()).total_seconds()) // 60
    if minutes < 0:
        return _("time is up")
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    facts = {"days": days, "hours": hours, "minutes": minutes}
    if days:
        # Translators: days and hours, as short as possible.
        return _("%(days)d d %(hours)d h") % facts
    if hours:
        # Translators: hours and minutes, as short as possible.
        return _("%(hours)d h %(minutes)d min") % facts
    return _("%(minutes)d min") % facts
