"""What mails say about a position of Splendor Duel."""

from collections.abc import Iterator, Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.boards.duel import Board
from games.boards.duel.parts import Face, Meter
from games.mails.parts import Choice, Line, Row, Run, Section, bonuses, filled, line, tokens
from games.mails.words import holding, of_limit, of_target, price
from games.rules.duel.cards import Ability
from games.wording import common, duel, duel_board

METERS = {
    "points": gettext_lazy("Points"),
    "crowns": gettext_lazy("Crowns"),
    "colour": gettext_lazy("One colour"),
}


def position(board: Board, names: Sequence[str]) -> list[Section]:
    """What the reader has, first how near to each of the three victories."""
    return [Section(_("What you have"), rows=tuple(_holdings(board, names)))]


def _holdings(board: Board, names: Sequence[str]) -> Iterator[Row]:
    me, *others = board.seats
    for place, meter in enumerate(me.meters):
        scores = [(names[seat.index], seat.meters[place].value) for seat in others]
        yield Row(str(METERS[meter.name]), _measured(meter, scores))
    spelled = "".join(holding.kind * holding.tokens for holding in me.holdings)
    yield Row(_("Tokens"), of_limit(spelled, me.limit))
    yield Row(_("Bonuses"), line(bonuses((holding.kind, holding.bonus or 0) for holding in me.holdings)))
    if me.privileges:
        yield Row(_("Privileges"), line(str(me.privileges)))
    for kept in me.kept:
        if kept.card:
            yield Row(_("Reserved"), line(capfirst(duel_board.face_name(kept.card))))


def _measured(meter: Meter, others: list[tuple[str, int]]) -> Line:
    if not meter.kind:
        return of_target(meter.value, meter.goal, others)
    # Translators: what is counted is of one colour: “5 of 10 in red”.
    colour = _(" in %(colour)s") % {"colour": common.colour(meter.kind)}
    return of_target(meter.value, meter.goal, others, colour)


def purchase(face: Face) -> Choice:
    """“Buy T2-1: blue, 2 points, 1 crown”, and what it costs."""
    facts = {"card": pgettext("between details", ", ").join(_details(face)), "slot": face.slot}
    label = _("Buy %(slot)s: %(card)s") if face.slot else _("Buy your reserved card: %(card)s")
    paid = "".join(amount.kind * amount.number for amount in face.payment)
    return Choice(line(label % facts), price(paid))


def _details(face: Face) -> Iterator[str]:
    name = duel_board.face_title(face)
    yield name[0].lower() + name[1:]
    if face.double:
        yield str(_("double bonus"))
    if face.crowns:
        yield duel.CROWNS % {"number": len(face.crowns)}
    yield from (str(duel.ABILITIES[ability]) for each in face.abilities if (ability := Ability(each)) in duel.ABILITIES)


def taking(board: Board, names: Sequence[str]) -> Choice:
    """The tokens that the draft takes and from where, and what comes of it."""
    piece, effect = board.decision.piece, board.decision.effect
    assert piece is not None
    assert effect is not None
    taken = "".join(amount.kind * amount.number for amount in piece.tokens)
    label = filled(
        _("Take %(tokens)s from %(spaces)s"), tokens=tokens(taken), spaces=Run(common.join(list(piece.spaces)))
    )
    notes = [holding(effect.tokens, board.seats[0].limit, effect.excess)]
    if effect.gift:
        notes.append(_("%(player)s takes a privilege") % {"player": names[board.seats[1].index]})
    return Choice(label, line("; ".join(notes)))
