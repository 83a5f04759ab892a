"""The words of the Splendor board: names of its controls."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.boards.gems import GEMS, Means
from games.boards.splendor.market import Card, Noble, Pile
from games.boards.splendor.parts import Board, Piece
from games.rules.splendor.cards import CARDS, COLOURS
from games.rules.splendor.state import Phase
from games.wording import common_board, phrases, splendor
from games.wording.common_board import in_order, means_words, place, price_words, trait_words
from games.wording.title import Sentences


def noble_name(noble: str) -> str:
    """“Mary Stuart”."""
    return str(splendor.NAMES[noble])


def noble_words(noble: Noble, board: Board, names: Sequence[str]) -> str:
    """What the noble asks for, and what each player still lacks: “3 points for the first player with these bonuses:
    4 red and 4 black. Bonuses that you still lack: 2 red. bob has them all.”"""
    needed = _bonuses((need.kind, need.number) for need in noble.needs)
    facts = {"points": phrases.points(noble.points), "bonuses": needed}
    said = [_("%(points)s for the first player with these bonuses: %(bonuses)s.") % facts]
    for turn, seat in enumerate(board.seats):
        lacking = _bonuses((need.kind, need.lacking[turn]) for need in noble.needs)
        facts = {"name": names[seat.index], "bonuses": lacking}
        if seat.index == board.seat:
            said.append(
                (_("Bonuses that you still lack: %(bonuses)s.") if lacking else _("You have them all.")) % facts
            )
        else:
            said.append(
                (_("Bonuses that %(name)s still lacks: %(bonuses)s.") if lacking else _("%(name)s has them all."))
                % facts
            )
    return " ".join(said)


def _bonuses(counts: Iterable[tuple[str, int]]) -> str:
    return phrases.join([phrases.BONUSES[kind] % {"number": number} for kind, number in counts if number])


def card_name(card: Card) -> str:
    """Everything that the card shows: “T2-1, level 2: blue, 2 points; your price 2 rubies; buyable now”."""
    price = price_words((card.due, card.yours)) if card.means else price_words((card.printed, False))
    return _card_name(_Shown(card.slot, card.level, card.kind, card.points, price, card.means))


class _Shown(NamedTuple):
    slot: str
    level: int
    kind: str
    points: int
    price: str
    means: Means | None


@phrases.told_once
def _card_name(shown: _Shown) -> str:
    facts: dict[str, str | int] = {
        "slot": shown.slot,
        "level": shown.level,
        "colour": phrases.colour(shown.kind),
        "points": phrases.points(shown.points),
        "price": shown.price,
    }
    if not shown.means:
        if shown.slot:
            return _("%(slot)s, level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
        return _("Reserved, level %(level)d: %(colour)s, %(points)s; %(price)s") % facts
    facts["means"] = means_words(shown.means)
    if shown.slot:
        return _("%(slot)s, level %(level)d: %(colour)s, %(points)s; %(price)s; %(means)s") % facts
    return _("Reserved, level %(level)d: %(colour)s, %(points)s; %(price)s; %(means)s") % facts


def pile_words(pile: Pile) -> str:
    """Everything that a pile of the bank shows: “1 ruby: 4 in the bank · you hold 2 · you can take two”."""
    return _pile_words((pile.kind, pile.left, pile.picked, pile.held, pile.pair))


@phrases.told_once
def _pile_words(shown: tuple[str, int, int, int | None, bool]) -> str:
    kind, left, picked, held, pair = shown
    facts = {"tokens": phrases.tokens(kind), "left": left, "picked": picked}
    if picked:
        bank = _("%(tokens)s: %(picked)d chosen, %(left)d left in the bank") % facts
    else:
        bank = _("%(tokens)s: %(left)d in the bank") % facts
    mine = "" if held is None else _("you hold %(number)d") % {"number": held}
    return phrases.beside([bank, mine, _("you can take two") if pair else ""])


# --- the draft ---

DECISIONS: Sentences = {
    **common_board.DECISIONS,
    "noble": gettext_lazy("Welcome %(noble)s"),
    "pass": gettext_lazy("Pass"),
}


def piece_words(piece: Piece) -> str:
    """A decision as an imperative: “Take 2 rubies”."""
    facts: dict[str, str | int] = {"card": place(piece.slot), "level": piece.level}
    if piece.tokens:
        facts["tokens"] = phrases.tokens(piece.tokens)
    if piece.word == "noble":
        facts["noble"] = noble_name(piece.target)
    kind = {"buy -": "buy free"}.get(f"{piece.word} {piece.tokens}", piece.word)
    return str(DECISIONS["reserve blind" if piece.level else kind] % facts)


def confirm_words(pieces: Sequence[Piece]) -> str:
    """The words of the button that confirms the draft: “Take 2 rubies → Return 1 diamond”."""
    return in_order(map(piece_words, pieces))


def unfinished_words(board: Board) -> str:
    """The words in place of the button while the piece in hand is incomplete."""
    return _("Choose another token") if board.phase == Phase.RETURN else _("Choose another gem")


def tile(card: str) -> tuple[str, str, int]:
    """A card as events show it: its words, gem and points."""
    shown = CARDS[card]
    return splendor.card(card), GEMS[COLOURS[shown.bonus]], shown.prestige


SIGNS = {"i-flag": gettext_lazy("Last round"), "seal": pgettext_lazy("a sign", "a noble’s points")}
"""The names of symbols that only this board has."""
TILES = {"card": tile}
"""The facts of events that are drawn as cards."""
WORDS = [card_name, confirm_words, noble_name, noble_words, pile_words, place, trait_words]
"""The functions that the templates of this board can call."""
