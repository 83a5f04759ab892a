"""The words of the Splendor Duel board: names of its controls, and descriptions of choices."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from games.boards.duel.moment import tint_of
from games.boards.duel.parts import Board, Cell, Decision, Face, Piece, Refused, Step
from games.boards.gems import Amount
from games.rules.duel.cards import CARDS, Ability
from games.rules.duel.state import Phase
from games.wording import common_board, duel, phrases
from games.wording.common_board import in_order, means_words, place, price_words
from games.wording.title import Sentences

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Printed: TypeAlias = tuple[int, int, str, bool, tuple[str, ...]]
"""A card's points, crowns, kind of bonus, whether the bonus is double, and abilities."""

ICONS = {
    "extra_turn": "i-again",
    "take_same_color": "i-same",
    "take_privilege": "i-privilege",
    "steal_token": "i-steal",
    "associate": "i-link",
}
"""The drawing of each ability."""
EXPLAINED: "dict[str, StrPromise]" = {
    "extra_turn": gettext_lazy("You take another turn after this one."),
    "take_same_color": gettext_lazy("You take a token of its colour from the board."),
    "take_privilege": gettext_lazy("You take a privilege."),
    "steal_token": gettext_lazy("You steal a gem or pearl from your opponent."),
    "associate": gettext_lazy("You join it to one of your cards, and it takes its colour."),
}
SIGNS: "dict[str, StrPromise]" = {
    **{icon: duel.ABILITIES[Ability(ability)] for ability, icon in ICONS.items()},
    "i-bag": pgettext_lazy("a sign", "bag"),
    "i-cards": pgettext_lazy("a sign", "reserved cards"),
    "i-crown": pgettext_lazy("a sign", "crown"),
    "i-laurel": pgettext_lazy("a sign", "prestige points"),
    "i-token": pgettext_lazy("a sign", "tokens"),
    "seal": pgettext_lazy("a sign", "royal card"),
}
"""The names of symbols that only this board has."""
ACTS: "dict[str, StrPromise]" = {
    "take": pgettext_lazy("what a click on a token does", "take"),
    "drop": pgettext_lazy("what a click on a token does", "chosen, put back"),
    "refuse": pgettext_lazy("what a click on a token does", "can’t join; show why"),
    "privilege": pgettext_lazy("what a click on a token does", "take with a privilege"),
    "match": pgettext_lazy("what a click on a token does", "take to match your card"),
    "gold": pgettext_lazy("what a click on a token does", "take with the reserved card"),
}
STEPS: "dict[str, StrPromise]" = {
    "privilege": gettext_lazy("Privilege"),
    "replenish": gettext_lazy("Replenish"),
    "main": gettext_lazy("Main action"),
}


def icon(ability: str) -> str:
    return ICONS[ability]


def ability_name(ability: str) -> str:
    """“extra turn”."""
    return str(duel.ABILITIES[Ability(ability)])


def explained(ability: str) -> str:
    """The effect of the ability, as a sentence."""
    return str(EXPLAINED[ability])


# --- tokens and addresses ---


def in_words(amounts: Iterable[Amount]) -> str:
    """“2 rubies and 1 pearl”, or “no tokens”."""
    return phrases.tokens("".join(amount.kind * amount.number for amount in amounts) or "-")


# --- spaces ---


def space_name(cell: Cell) -> str:
    """“c3, ruby, take”."""
    return _space((cell.name, cell.kind, cell.act, cell.order))


@phrases.told_once
def _space(cell: tuple[str, str, str, int]) -> str:
    name, kind, act, order = cell
    if not kind:
        return _("%(space)s, empty, number %(order)d to be filled") % {"space": name, "order": order}
    told = pgettext("gold", "comes only with a reserved card") if (kind, act) == ("*", "refuse") else ACTS.get(act, "")
    return phrases.listed(filter(None, [name, phrases.gem_name(kind), str(told)]))


def why(refused: Refused) -> str:
    """Why the space cannot join the choice."""
    facts = {"space": refused.space, "by": refused.by, "chosen": phrases.join(list(refused.chosen))}
    if refused.code == "gap":
        gold = _("%(space)s can’t join: there’s gold on %(by)s, and a line has no gaps.")
        empty = _("%(space)s can’t join: %(by)s is empty, and a line has no gaps.")
        return (gold if refused.by_gem else empty) % facts
    sentences = {
        "gold": _("You can’t take gold. You get it when you reserve a card, so choose a card or a deck."),
        "empty": _("%(space)s is empty."),
        "full": _("%(space)s would be the fourth token. Take at most three."),
        "crooked": _("%(space)s doesn’t form a straight line without gaps with %(chosen)s."),
    }
    return sentences[refused.code] % facts


def why_paragraph(refused: Refused) -> str:
    """The number of the rule behind that refusal."""
    return {"gold": "D34", "full": "D27"}.get(refused.code, "D28")


# --- cards ---


def face_title(face: Face) -> str:
    """“Blue, 2 points”."""
    name = _("Joker") if face.joker else _("Points only")
    if face.bonus:
        name = capfirst(str(phrases.COLOURS[face.bonus_kind]))
    return phrases.listed([name, *([phrases.points(face.points)] if face.points else [])])


def face_place(face: Face) -> str:
    """The place of the card, and what is not in its title: “T2-3 · level II · 1 crown”."""
    # Translators: the level of a card, as a Roman numeral.
    level = _("level %(numeral)s") % {"numeral": face.numeral}
    double = _("double bonus") if face.double else ""
    return phrases.beside([face.slot or _("reserved"), level, *_crowns(len(face.crowns)), double])


def face_name(face: Face) -> str:
    """Everything that the card shows: “T2-3, level 2: 2 points, blue bonus, your price 2 rubies, buyable now”."""
    printed = (face.points, len(face.crowns), face.bonus_kind, face.double, face.abilities)
    due = "".join(price.kind * price.due for price in face.prices) or "-"
    mine = (price_words((due, face.yours)), *([means_words(face.means)] if face.means else []))
    return _face((face.slot, face.level, printed, mine))


@phrases.told_once
def _face(told: tuple[str, int, Printed, tuple[str, ...]]) -> str:
    slot, level, printed, mine = told
    facts = {"where": slot or _("reserved"), "level": level, "details": phrases.listed([*_details(*printed), *mine])}
    return _("%(where)s, level %(level)d: %(details)s") % facts


def _details(points: int, crowns: int, kind: str, double: bool, abilities: tuple[str, ...]) -> Iterator[str]:
    if points:
        yield phrases.points(points)
    yield from _crowns(crowns)
    if kind:
        name = {"colour": phrases.COLOURS[kind]}
        yield (_("double %(colour)s bonus") if double else _("%(colour)s bonus")) % name
    yield from map(ability_name, abilities)


def _crowns(number: int) -> Iterator[str]:
    if number:
        yield str(duel.CROWNS % {"number": number})


def trait_words(trait: tuple[str, str]) -> str:
    """A filter of the cards on the page of the rules: “level II”, “joker”, “2 crowns”, “steal”."""
    name, value = trait
    if name == "ability":
        return ability_name(value)
    if name == "crowns":
        return duel.CROWNS % {"number": int(value)}
    if value in ("wild", "none"):
        return pgettext("card", "joker") if value == "wild" else _("points only")
    return common_board.trait_words(trait)


@phrases.told_once
def royal_name(royal: str) -> str:
    """“the royal card (2 points, extra turn)”."""
    return duel.royal(royal)


# --- the choice ---


def step_name(step: Step) -> str:
    return str(STEPS[step.name])


def step_detail(step: Step, privileges: int) -> str:
    """A detail of the step: its cost or effect, given the number of privileges that the reader holds."""
    if step.name == "main":
        return _("take, reserve, buy")
    if step.name == "replenish":
        if step.state == "done":
            return _("done")
        if step.draft is None:
            return _("the bag is empty")
        return _("costs you a privilege") if step.gift else _("gives nothing away")
    if step.draft is None:
        return pgettext("a privilege", "used") if step.state == "done" else pgettext("privileges", "none to use")
    return ngettext("you hold %(number)d", "you hold %(number)d", privileges) % {"number": privileges}


DECISIONS: Sentences = {
    **common_board.DECISIONS,
    "privilege": gettext_lazy("Use a privilege for %(tokens)s"),
    "replenish": gettext_lazy("Replenish the board"),
    "attach": gettext_lazy("Join it to a %(colour)s card"),
    "match": gettext_lazy("Take %(tokens)s"),
    "steal": gettext_lazy("Steal %(tokens)s"),
    "royal": gettext_lazy("Take %(royal)s"),
}


def piece_words(piece: Piece) -> str:
    """A decision as an imperative: “Take 2 rubies and 1 pearl”."""
    royal = piece.royal.id if piece.royal else ""
    return _piece_words(
        (piece.word, piece.tokens, piece.level, piece.card.slot if piece.card else None, piece.kind, royal)
    )


@phrases.told_once
def _piece_words(piece: tuple[str, tuple[Amount, ...], int, str | None, str, str]) -> str:
    word, tokens, level, slot, kind, royal = piece
    facts: dict[str, str | int] = {"tokens": in_words(tokens), "level": level}
    if slot is not None:
        facts["card"] = place(slot)
    if kind:
        facts["colour"] = phrases.colour(kind)
    if royal:
        facts["royal"] = duel.royal(royal)
    word = "reserve blind" if level else word
    return str(DECISIONS["buy free" if word == "buy" and not tokens else word] % facts)


def confirm_words(pieces: Iterable[Piece]) -> str:
    """The words of the button that confirms the draft: “Take 1 pearl → Return 1 ruby”."""
    return in_order(map(piece_words, pieces))


def unfinished_words(board: Board) -> str:
    """The words in place of the button while the piece in hand is incomplete."""
    return _("Choose another token") if board.phase == Phase.RETURN else _("Choose a token")


def next_words(decision: Decision) -> str:
    """The words of the button that leads to the reader's next decision in the same turn."""
    effect = decision.effect
    assert effect is not None
    if effect.next == "return":
        text = ngettext("Next: return %(number)d token", "Next: return %(number)d tokens", effect.excess)
        return text % {"number": effect.excess}
    return {
        "attach": _("Next: choose its colour"),
        "match": _("Next: take a token to match"),
        "steal": _("Next: choose what to steal"),
        "royal": _("Next: choose a royal card"),
    }[effect.next]


def tile(name: str) -> tuple[str, str, int]:
    """A card as events show it: its words, gem and points."""
    card = CARDS[name]
    return duel.card(name), tint_of(card), card.prestige


TILES = {"card": tile}
"""The facts of events that are drawn as cards."""
WORDS = [
    ability_name,
    confirm_words,
    explained,
    face_name,
    face_place,
    face_title,
    icon,
    in_words,
    next_words,
    piece_words,
    place,
    royal_name,
    space_name,
    step_name,
    step_detail,
    trait_words,
    unfinished_words,
    why,
    why_paragraph,
]
"""The functions that the templates of this board can call."""
