"""The position of Splendor in mails."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from games.boards.gems import GEMS
from games.boards.splendor import Board
from games.boards.splendor.market import Card
from games.mails.parts import LabelledLine, MailChoice, Run, Section, bonuses, filled, line, tile, tokens
from games.mails.words import holding, levelled, of_limit, of_target, price, reserved
from games.rules.splendor.cards import CARDS, COLOURS
from games.wording import common_board, phrases, splendor


def position(board: Board, names: Sequence[str]) -> list[Section]:
    """The reader's possessions, and the bonuses they lack for each noble."""
    has = Section(_("What you have"), rows=tuple(_holdings(board, names)))
    nobles = tuple(
        LabelledLine(str(splendor.NAMES[noble.id]), line(bonuses((need.kind, need.lacking[0]) for need in noble.needs)))
        for noble in board.nobles
        if noble.owner is None
    )
    return [has, *([Section(_("What you still need for the nobles"), rows=nobles)] if nobles else [])]


def _holdings(board: Board, names: Sequence[str]) -> Iterator[LabelledLine]:
    me, *others = board.seats
    scores = [(names[seat.index], seat.points) for seat in others]
    yield LabelledLine(_("Points"), of_target(me.points, board.target, scores))
    spelled = "".join(hold.kind * hold.tokens for hold in me.holds)
    yield LabelledLine(_("Tokens"), of_limit(spelled, board.limit))
    yield LabelledLine(_("Bonuses"), line(bonuses((hold.kind, hold.bonus) for hold in me.holds)))
    for kept in me.reserved:
        if kept.card:
            yield LabelledLine(_("Reserved"), reserved(line(_looks(kept.card.id)), kept.card.due, _means(kept.card)))


def _means(card: Card) -> str:
    return common_board.means_words(card.means) if card.means else ""


def purchase(card: Card) -> MailChoice:
    """“Buy T2-1: green, 2 points”, and its price."""
    label = _("Buy %(slot)s: %(card)s") if card.slot else _("Buy your reserved card: %(card)s")
    looks = [phrases.colour(card.kind), *([phrases.points(card.points)] if card.points else [])]
    return MailChoice(filled(label, slot=Run(card.slot), card=tile(card.gem, looks)), price(card.payment))


def taken(board: Board) -> str:
    """The tokens that the draft takes."""
    return "".join(piece.tokens for piece in board.decision.pieces)


def taking(board: Board, names: Sequence[str]) -> MailChoice:
    """The tokens that the draft takes, and the number that the reader then holds."""
    decision = board.decision
    label = filled(_("Take %(tokens)s"), tokens=tokens(taken(board)))
    return MailChoice(label, line(holding(decision.total, board.limit, decision.excess)))


def _looks(name: str, words: str = "") -> Run:
    """The card as a small tile: “level 2 green, 2 points”."""
    card = CARDS[name]
    kind = COLOURS[card.bonus]
    points = [phrases.points(card.prestige)] if card.prestige else []
    return tile(GEMS[kind], [levelled(card.level, phrases.colour(kind)), *points], words)


DRAWN = {"card": lambda name: _looks(name, splendor.card(name))}
"""The facts of an event that are drawn instead of written."""
