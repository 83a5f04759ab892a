"""The sentences of the toy, and those of its board."""

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.rules.base import Action
from games.wording import common
from games.wording.title import Column, Phrases, Sentences, Track

PHRASES: Phrases = {}
REFUSALS: Sentences = {**common.REFUSALS, "deck_empty": _("No card is left.")}
EVENTS: Sentences = {
    "drew": _("%(player)s drew a card."),
    "stopped": _("%(player)s stopped."),
    "game_over": _("The game is over."),
}
MINE: Sentences = {**EVENTS, "drew": _("You drew a card."), "stopped": _("You stopped.")}
AGAINST_ME = EVENTS
ACTIONS: Sentences = {"draw": _("Draw a card"), "stop": _("Stop")}
OUTCOMES: Sentences = {"nearest": _("%(winners)s came nearest with %(points)d.")}
VICTORIES: Sentences = {"nearest": _("You came nearest with %(points)d.")}
VERDICTS = {"nearest": common.BY_POINTS}
BLURB = _("For two or three players. Nine cards, up to 15.")
AIM = _("The player nearest to 15 wins.")
STANDING = (Column(_("Cards"), lambda player: player.points, ("nearest",)),)
FIGURES = STANDING
TRACK = Track(15)


def confirm_words(pieces: Sequence[Action[Any]]) -> str:
    return str(ACTIONS[str(pieces[-1])])


def unfinished_words(board: object) -> str:
    """Nothing: no decision of the toy has parts."""
    return ""


WORDS = [confirm_words]
SIGNS: Sentences = {}
TILES: dict[str, Callable[[str], tuple[str, str, int]]] = {}
