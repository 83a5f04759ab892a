"""The hints of a first game that titles share. They are short, because their place on the board is fixed."""

from django.utils.translation import gettext_lazy as _

from games.wording import phrases
from games.wording.common_board import place
from games.wording.title import Phrases, Sentences


def _unbroken(slot: str) -> str:
    """The place of a card, kept on one line."""
    return place(slot.replace("-", "-\N{WORD JOINER}"))


PHRASES: Phrases = {
    "place": (("slot",), _unbroken),
    "lack": (("lack",), phrases.tokens),
    "gained": (("points",), phrases.points),
}
HINTS: Sentences = {
    "points": _("You can buy %(place)s now. It brings %(gained)s."),
    "first": _("You can buy %(place)s now. Its bonus makes later cards cheaper."),
    "bonus": _("You can buy %(place)s now. Bonuses lower the prices of big cards."),
    "full": _("You hold %(number)d tokens, and ten is the limit. Get a card soon."),
    "gold": _("Only %(lack)s is missing for %(place)s. Reserve a card: its gold replaces it."),
    "begin": _("Begin with a cheap card: %(place)s costs %(lack)s."),
    "collect": _("Aim for %(place)s: you lack %(lack)s."),
}
