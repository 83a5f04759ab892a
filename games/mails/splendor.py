"""What mails say about a position of Splendor."""

from collections.abc import Iterator, Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.boards.splendor import Board
from games.boards.splendor.market import Card
from games.mails.parts import Choice, Row, Section, bonuses, filled, line, tokens
from games.mails.words import holding, of_limit, of_target, price
from games.wording import common, splendor, splendor_board


def position(board: Board, names: Sequence[str]) -> list[Section]:
    """What the reader has, and lacks for each noble on the table."""
    has = Section(_("What you have"), rows=tuple(_holdings(board, names)))
    nobles = tuple(
        Row(str(splendor.NAMES[noble.id]), line(bonuses((need.kind, need.lacking[0]) for need in noble.needs)))
        for noble in board.nobles
        if noble.owner is None
    )
    return [has, *([Section(_("What you lack for the nobles"), rows=nobles)] if nobles else [])]


def _holdings(board: Board, names: Sequence[str]) -> Iterator[Row]:
    me, *others = board.seats
    scores = [(names[seat.index], seat.points) for seat in others]
    yield Row(_("Points"), of_target(me.points, board.target, scores))
    spelled = "".join(hold.kind * hold.tokens for hold in me.holds)
    yield Row(_("Tokens"), of_limit(spelled, board.limit))
    yield Row(_("Bonuses"), line(bonuses((hold.kind, hold.bonus) for hold in me.holds)))
    for kept in me.reserved:
        if kept.card:
            yield Row(_("Reserved"), line(capfirst(splendor_board.card_name(kept.card))))


def purchase(card: Card) -> Choice:
    """“Buy T2-1: green, 2 points”, and what it costs."""
    facts = {"card": f"{common.colour(card.kind)}, {common.points(card.points)}", "slot": card.slot}
    label = _("Buy %(slot)s: %(card)s") if card.slot else _("Buy your reserved card: %(card)s")
    return Choice(line(label % facts), price(card.payment))


def taking(board: Board, names: Sequence[str]) -> Choice:
    """The tokens that the draft takes, and how many the reader holds then."""
    decision = board.decision
    taken = "".join(part.what for part in decision.parts)
    label = filled(_("Take %(tokens)s"), tokens=tokens(taken))
    return Choice(label, line(holding(decision.total, board.limit, decision.excess)))
