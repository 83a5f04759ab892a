"""The words of the Splendor board: names of its controls."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.boards.gems import GEMS, Means
from games.boards.splendor.market import Card, Pile
from games.boards.splendor.parts import Board, Piece
from games.rules.splendor.cards import CARDS, COLOURS
from games.rules.splendor.state import Phase
from games.wording import common, splendor
from games.wording.common import Sentences


def noble_name(noble: str) -> str:
    """“Mary Stuart”."""
    return str(splendor.NAMES[noble])


def card_name(card: Card) -> str:
    """Everything that the card shows: “T2-1, level 2: blue, 2 points; your price 2 rubies; buyable”."""
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
    facts: dict[str, str | int] = {
        "slot": shown.slot,
        "level": shown.level,
        "colour": common.colour(shown.kind),
        "points": common.points(shown.points),
        "price": _price(shown),
    }
    if not shown.means:
        if shown.slot:
            return _("%(slot)s, level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
        return _("Reserved, level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
    facts["means"] = means_words(shown.means)
    if shown.slot:
        return _("%(slot)s, level %(level)d: %(colour)s, %(points)s; %(price)s; %(means)s") % facts
    return _("Reserved, level %(level)d: %(colour)s, %(points)s; %(price)s; %(means)s") % facts


def _price(shown: _Shown) -> str:
    if not shown.means:
        return _("price %(tokens)s") % {"tokens": common.tokens(shown.price)}
    return (
        _("free for you") if shown.price == "-" else _("your price %(tokens)s") % {"tokens": common.tokens(shown.price)}
    )


def means_words(means: Means) -> str:
    """Whether the player could buy the card."""
    if means.state == "buy":
        return _("buyable")
    if means.state == "gold":
        return ngettext("buyable with %(number)d gold", "buyable with %(number)d gold", means.gold) % {
            "number": means.gold
        }
    if means.kind and means.short == 1:
        return _("%(tokens)s short") % {"tokens": common.tokens(means.kind)}
    return ngettext("%(number)d token short", "%(number)d tokens short", means.short) % {"number": means.short}


def pile_words(pile: Pile) -> str:
    """Everything that a pile of the bank shows: “1 ruby: 4 in the bank · you hold 2 · you can take two”."""
    return _pile_words((pile.kind, pile.left, pile.picked, pile.held, pile.pair))


@common.told_once
def _pile_words(shown: tuple[str, int, int, int | None, bool]) -> str:
    kind, left, picked, held, pair = shown
    facts = {"tokens": common.tokens(kind), "left": left, "picked": picked}
    if picked:
        bank = _("%(tokens)s: %(picked)d chosen, %(left)d left in the bank") % facts
    else:
        bank = _("%(tokens)s: %(left)d in the bank") % facts
    mine = "" if held is None else _("you hold %(number)d") % {"number": held}
    return common.beside([bank, mine, _("you can take two") if pair else ""])


# --- the draft ---

DRAFTS: Sentences = {
    "take": gettext_lazy("Take %(taken)s"),
    "take return": gettext_lazy("Take %(taken)s and return %(returned)s"),
    "take noble": gettext_lazy("Take %(taken)s and welcome %(noble)s"),
    "take return noble": gettext_lazy("Take %(taken)s, return %(returned)s and welcome %(noble)s"),
    "reserve": gettext_lazy("Reserve it"),
    "reserve noble": gettext_lazy("Reserve it and welcome %(noble)s"),
    "gold": gettext_lazy("Reserve it, take 1 gold"),
    "gold return": gettext_lazy("Reserve it, take 1 gold and return %(returned)s"),
    "gold noble": gettext_lazy("Reserve it, take 1 gold and welcome %(noble)s"),
    "gold return noble": gettext_lazy("Reserve it, take 1 gold, return %(returned)s and welcome %(noble)s"),
    "blind": gettext_lazy("Reserve the top card of the level %(level)d deck"),
    "buy": gettext_lazy("Buy it for %(paid)s"),
    "buy noble": gettext_lazy("Buy it for %(paid)s and welcome %(noble)s"),
    "free": gettext_lazy("Buy it for free"),
    "free noble": gettext_lazy("Buy it for free and welcome %(noble)s"),
    "return": gettext_lazy("Return %(returned)s"),
    "return noble": gettext_lazy("Return %(returned)s and welcome %(noble)s"),
    "noble": gettext_lazy("Welcome %(noble)s"),
    "pass": gettext_lazy("Pass"),
    "pass noble": gettext_lazy("Pass and welcome %(noble)s"),
}
"""The words of the confirm button, by the decisions of the draft in order; nothing can follow a blind reservation."""
MOVED = {"take": "taken", "return": "returned", "buy": "paid"}
"""The placeholder for the tokens of a decision, by its word."""


def confirm_words(pieces: Sequence[Piece]) -> str:
    """The words of the button that confirms the draft: “Take 2 rubies and return 1 diamond”."""
    facts: dict[str, str | int] = {}
    for piece in pieces:
        if piece.tokens:
            facts[MOVED[piece.word]] = common.tokens(piece.tokens)
        elif piece.word == "noble":
            facts["noble"] = noble_name(piece.target)
        elif piece.level:
            facts["level"] = piece.level
    return str(DRAFTS[" ".join(map(_kind, pieces))] % facts)


def unfinished_words(board: Board) -> str:
    """The words in place of the button while the piece in hand is incomplete."""
    return _("Choose another token") if board.phase == Phase.RETURN else _("Choose another gem")


def _kind(piece: Piece) -> str:
    if piece.word == "buy":
        return "free" if piece.tokens == "-" else "buy"
    if piece.word == "reserve":
        return "blind" if piece.level else "gold" if piece.gold else "reserve"
    return piece.word


def tile(card: str) -> tuple[str, str, int]:
    """A card as events show it: its words, gem and points."""
    shown = CARDS[card]
    return splendor.card(card), GEMS[COLOURS[shown.bonus]], shown.prestige


TILES = {"card": tile}
"""The facts of events that are drawn as cards."""
WORDS = [card_name, confirm_words, means_words, noble_name, pile_words]
"""The functions that the templates of this board can call."""
