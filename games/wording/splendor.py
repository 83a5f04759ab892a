"""The sentences of Splendor."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.rules.splendor.cards import CARDS, COLOURS, NOBLES
from games.rules.splendor.state import SeenPlayer
from games.rules.tokens import spell
from games.wording import common, phrases
from games.wording.title import Column, Phrases, Sentences, Track, Verdict

NAMES: Sentences = {
    "4w4u": _("Niccolò Machiavelli"),
    "4w4k": _("Isabella I of Castile"),
    "4u4g": _("Suleiman the Magnificent"),
    "4g4r": _("Mary Stuart"),
    "4r4k": _("Henry VIII"),
    "3w3u3g": _("Anne of Brittany"),
    "3w3u3k": _("Elisabeth of Austria"),
    "3w3r3k": _("Charles V"),
    "3u3g3r": _("Catherine de’ Medici"),
    "3g3r3k": _("Francis I of France"),
}
"""The nobles' names, which differ between languages."""

LOOKALIKES = phrases.lookalikes(CARDS, lambda card: (card.level, card.bonus, card.prestige))


@phrases.told_once
def card(name: str) -> str:
    """“the level 2 blue card (2 points, cost 5 sapphires)”; the cost is included only if other cards look the same
    without it."""
    card = CARDS[name]
    details = [phrases.points(card.prestige)] if card.prestige else []
    if name in LOOKALIKES:
        details.append(phrases.cost(spell(card.cost, COLOURS)))
    return phrases.detailed(phrases.coloured(card.level, COLOURS[card.bonus]), details)


PHRASES: Phrases = {
    **phrases.PHRASES,
    "card": (("card",), card),
    "target": (("target",), phrases.target(card)),
    "noble": (("noble",), NAMES.__getitem__),
    "prestige": (("noble",), lambda noble: NOBLES[noble].prestige),
    "supply": (("colour", "left"), lambda colour, left: phrases.tokens(colour * left)),
}

REFUSALS: Sentences = {
    **common.REFUSALS,
    # The text is not a notation.
    "bad_tokens": _(
        "“%(text)s” doesn’t name tokens. Write w for diamonds, u for sapphires, g for emeralds, r for rubies, "
        "k for onyxes and * for gold."
    ),
    "unknown_noble": _("There’s no noble “%(text)s”."),
    # The time is wrong.
    "not_now phase=main": _("First take gems, reserve a card or buy one."),
    "not_now phase=noble": _("First choose a noble."),
    "must_act": _("You can only pass when no other action is possible."),
    # Taking gems.
    "take_at_least_one": _("Take at least one token."),
    "take_three_colours": ngettext_lazy(
        "Take three different gems or two of the same colour. There is %(available)d colour to choose from.",
        "Take three different gems or two of the same colour. There are %(available)d colours to choose from.",
        "available",
    ),
    "different_or_two_alike": _("Take three different gems, or two of the same colour and nothing else."),
    "pair_needs_four": ngettext_lazy(
        "You can only take two of a colour if at least four are left. The bank has %(supply)s.",
        "You can only take two of a colour if at least four are left. The bank has %(supply)s.",
        "left",
    ),
    "colour_exhausted colour=w": _("There are no diamonds left."),
    "colour_exhausted colour=u": _("There are no sapphires left."),
    "colour_exhausted colour=g": _("There are no emeralds left."),
    "colour_exhausted colour=r": _("There are no rubies left."),
    "colour_exhausted colour=k": _("There are no onyxes left."),
    # Nobles.
    "noble_not_there": _("%(noble)s isn’t on the table."),
    "noble_not_earned": _("You don’t have the bonuses for %(noble)s yet."),
}
PARAGRAPHS = {
    **dict.fromkeys(
        ("nothing_chosen", "unknown_action", "nothing_follows", "turn_is_over", "not_now phase=main"), "R9"
    ),
    "look_first": "R61",
    "unknown_card": "R2",
    "bad_tokens": "R2",
    "unknown_noble": "R5",
    "must_act": "R11",
    "game_over": "R55",
    # Taking and returning tokens.
    "take_at_least_one": "R15",
    "take_three_colours": "R14",
    "different_or_two_alike": "R12",
    "pair_needs_four": "R16",
    "colour_exhausted": "R19",
    "gold_only_by_reserving": "R35",
    "not_now phase=return": "R20",
    "return_exactly": "R24",
    # Reserving.
    "hand_full": "R29",
    "deck_empty": "R34",
    "card_not_on_table": "R26",
    # Buying.
    "card_not_for_sale": "R37",
    "cannot_afford": "R38",
    "tokens_not_held": "R41",
    "pay_exactly": "R41",
    "pay_exactly due=-": "R42",
    # Nobles.
    "not_now phase=noble": "R49",
    "noble_not_there": "R45",
    "noble_not_earned": "R45",
}
"""The rule behind each refusal."""
EVENTS: Sentences = {
    **common.EVENTS,
    "noble": ngettext_lazy(
        "%(noble)s visits %(player)s for %(prestige)d point.",
        "%(noble)s visits %(player)s for %(prestige)d points.",
        "prestige",
    ),
    "passed": _("%(player)s had to pass."),
    "last_round": _("%(player)s reached 15 points. This is the last round."),
}
MINE: Sentences = {
    **EVENTS,
    **common.MINE,
    "noble": ngettext_lazy(
        "%(noble)s visits you for %(prestige)d point.",
        "%(noble)s visits you for %(prestige)d points.",
        "prestige",
    ),
    "passed": _("You had to pass."),
    "last_round": _("You reached 15 points. This is the last round."),
}
AGAINST_ME = EVENTS
ACTIONS: Sentences = {
    **common.ACTIONS,
    "take {tokens}": _("Take %(tokens)s"),
    "reserve {target}": _("Reserve %(target)s"),
    "noble {noble}": _("Welcome %(noble)s"),
    "pass": _("Pass"),
}
OUTCOMES: Sentences = {
    **common.OUTCOMES,
    "fewest_cards": ngettext_lazy(
        "%(winners)s won with %(points)d point and fewer cards than %(tied)s.",
        "%(winners)s won with %(points)d points and fewer cards than %(tied)s.",
        "points",
    ),
    "shared": ngettext_lazy(
        "%(winners)s share the victory, with %(points)d point each and the same number of cards.",
        "%(winners)s share the victory, with %(points)d points each and the same number of cards.",
        "points",
    ),
}
VICTORIES: Sentences = {
    **common.VICTORIES,
    "fewest_cards": ngettext_lazy(
        "You won with %(points)d point and fewer cards than %(tied)s.",
        "You won with %(points)d points and fewer cards than %(tied)s.",
        "points",
    ),
}
VERDICTS = {
    "prestige": common.BY_POINTS,
    "fewest_cards": Verdict(
        won=_("You won the tie-break"),
        lost=_("You lost the tie-break"),
        told=_("%(winners)s won the tie-break"),
        reason=_("Fewer cards."),
        is_tie=True,
    ),
    "shared": common.SHARED._replace(lost=_("You lost the tie-break"), reason=_("Equal points and cards.")),
}
BLURB = _("For two to four players. Gems, cards and nobles, up to 15 points.")
AIM = _(
    "The player with the most points wins. On a tie, the player with fewer cards wins. If that’s a tie "
    "too, the victory is shared."
)


def _sources(player: SeenPlayer) -> tuple[int, int]:
    """The player's points from cards and from nobles."""
    nobles = sum(NOBLES[noble].prestige for noble in player.nobles)
    return player.points - nobles, nobles


STANDING = (
    Column(_("Points"), lambda player: player.points, ("prestige", "fewest_cards", "shared"), ranks=1),
    Column(_("Cards + nobles"), lambda player: player.points, parts=_sources),
    Column(_("Cards"), lambda player: len(player.cards), ("fewest_cards", "shared"), ranks=-1),
)
FIGURES = (STANDING[0], STANDING[2], Column(_("Nobles"), lambda player: len(player.nobles)))
TRACK = Track(15, mark="noble", mark_words=_("a noble’s visit, +3"), mark_points=3)
