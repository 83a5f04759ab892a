"""The names of bots without the word “bot”."""

from django.utils.translation import gettext_lazy as _

from games.models import BOT_NAMES, Seat

STRENGTHS = {
    "beginner": _("Beginner"),
    "easy": _("Easy"),
    "medium": _("Medium"),
    "hard": _("Hard"),
    "strongest": _("Strongest"),
}
"""The strengths that people can choose."""


def brief(seat: Seat) -> str:
    """The name of the seat where there is little room: “Easy 2” for “Easy bot 2”."""
    name = BOT_NAMES.get(seat.bot)
    return str(seat).replace(str(name), str(STRENGTHS.get(seat.bot, name))) if name else str(seat)
