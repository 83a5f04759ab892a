"""The position of Splendor Duel in mails."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.boards.duel import Board
from games.boards.duel.parts import Face, Meter
from games.boards.gems import GEMS
from games.mails.parts import LabelledLine, Line, MailChoice, Run, Section, bonuses, filled, line, tile, tokens
from games.mails.words import holding, levelled, of_limit, of_target, price, reserved
from games.rules.duel.cards import CARDS, COLOURS
from games.wording import common_board, duel, phrases

PLAIN = "plain"
"""The name for a card without a colour."""
METERS = {
    "points": gettext_lazy("Points"),
    "crowns": gettext_lazy("Crowns"),
    "colour": gettext_lazy("One colour"),
}


def position(board: Board, names: Sequence[str]) -> list[Section]:
    """The reader's progress toward each of the three victories, then their possessions."""
    return [Section(_("What you have"), rows=tuple(_holdings(board, names)))]


def _holdings(board: Board, names: Sequence[str]) -> Iterator[LabelledLine]:
    me, *others = board.seats
    for place, meter in enumerate(me.meters):
        scores = [(names[seat.index], seat.meters[place].value) for seat in others]
        yield LabelledLine(str(METERS[meter.name]), _measured(meter, scores))
    spelled = "".join(holding.kind * holding.tokens for holding in me.holdings)
    yield LabelledLine(_("Tokens"), of_limit(spelled, me.limit))
    yield LabelledLine(_("Bonuses"), line(bonuses((holding.kind, holding.bonus or 0) for holding in me.holdings)))
    if me.privileges:
        yield LabelledLine(_("Privileges"), line(str(me.privileges)))
    for kept in me.reserved:
        if kept.card:
            due = "".join(price.kind * price.due for price in kept.card.prices)
            means = common_board.means_words(kept.card.means) if kept.card.means else ""
            name = levelled(kept.level, _name(kept.card.bonus_kind, kept.card.joker))
            yield LabelledLine(_("Reserved"), reserved(_looks(kept.card, name), due, means))


def _measured(meter: Meter, others: list[tuple[str, int]]) -> Line:
    if not meter.kind:
        return of_target(meter.value, meter.goal, others)
    return of_target(meter.value, meter.goal, others, phrases.colour(meter.kind))


def purchase(face: Face) -> MailChoice:
    """“Buy T2-1: blue, 2 points, 1 crown”, and its price."""
    label = _("Buy %(slot)s: %(card)s") if face.slot else _("Buy your reserved card: %(card)s")
    paid = "".join(amount.kind * amount.number for amount in face.payment)
    card = _looks(face, _name(face.bonus_kind, face.joker))
    return MailChoice(filled(label, slot=Run(face.slot), card=card), price(paid))


def _name(kind: str, joker: bool) -> str:
    """The colour or kind of the card: “blue”, “joker”."""
    if kind:
        return phrases.colour(kind)
    return pgettext("card", "joker") if joker else pgettext("card", "colourless")


def _looks(face: Face, name: str) -> Line:
    """The card as a small tile, and its other effects."""
    points = [phrases.points(face.points)] if face.points else []
    card, details = tile(face.bonus or PLAIN, [name, *points]), [*_details(face)]
    if not details:
        return line(card)
    return filled(pgettext("list", "%(items)s, %(item)s"), items=card, item=Run(phrases.listed(details)))


def _details(face: Face) -> Iterator[str]:
    if face.double:
        yield str(_("double bonus"))
    if face.crowns:
        yield duel.CROWNS % {"number": len(face.crowns)}
    yield from duel.ability_names(face.abilities)


def taken(board: Board) -> str:
    """The tokens that the draft takes."""
    piece = board.decision.piece
    return "".join(amount.kind * amount.number for amount in piece.tokens) if piece else ""


def taking(board: Board, names: Sequence[str]) -> MailChoice:
    """The tokens that the draft takes, their spaces, and the consequences."""
    piece, effect = board.decision.piece, board.decision.effect
    assert piece is not None
    assert effect is not None
    spaces = Run(phrases.join(list(piece.spaces)))
    label = filled(_("Take %(tokens)s from %(spaces)s"), tokens=tokens(taken(board)), spaces=spaces)
    notes = [holding(effect.tokens, board.seats[0].limit, effect.excess)]
    if effect.gift:
        notes.append(_("%(player)s takes a privilege") % {"player": names[board.seats[1].index]})
    return MailChoice(label, line(phrases.beside(notes)))


def _drawn(name: str) -> Run:
    """A card of an event as a small tile."""
    card = CARDS[name]
    kind = "" if card.bonus is None else COLOURS[card.bonus]
    looks = [levelled(card.level, _name(kind, card.joker)), *duel.details(card)]
    return tile(GEMS.get(kind, PLAIN), looks, duel.card(name))


DRAWN = {"card": _drawn}
"""The facts of an event that are drawn instead of written."""
