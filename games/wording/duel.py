"""The sentences of Splendor Duel."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.rules.duel.cards import CARDS, COLOURS, KINDS, ROYALS, Ability, Card
from games.rules.tokens import spell
from games.wording import common, phrases
from games.wording.title import Column, Phrases, Sentences, Track, Verdict

ABILITIES: Sentences = {
    Ability.EXTRA_TURN: _("extra turn"),
    Ability.TAKE_SAME_COLOUR: _("match"),
    Ability.TAKE_PRIVILEGE: _("privilege"),
    Ability.STEAL_TOKEN: _("steal"),
    Ability.ASSOCIATE: _("joker"),
}
"""The one name of each ability: on cards, in events, actions and explanations."""
CROWNS = ngettext_lazy("%(number)d crown", "%(number)d crowns", "number")

LOOKALIKES = phrases.lookalikes(
    CARDS, lambda card: (card.level, card.bonus, card.bonus_count, card.prestige, card.crowns, card.abilities)
)


@phrases.told_once
def card(name: str) -> str:
    """“the level 2 white card (2 points, 1 crown)”; the cost is included only if other cards look the same without
    it."""
    card = CARDS[name]
    level = {"level": card.level}
    if card.bonus is not None:
        thing = phrases.coloured(card.level, COLOURS[card.bonus])
    elif card.joker:
        thing = _("the level %(level)d joker card") % level
    else:
        thing = _("the level %(level)d colourless card") % level
    cost = [phrases.cost(spell(card.cost, KINDS[:-1]))] if name in LOOKALIKES else []
    return phrases.detailed(thing, [*details(card), *cost])


def details(card: Card) -> Iterator[str]:
    """“double bonus”, “2 points”, “1 crown”, “extra turn”: what sets the card apart, without its cost."""
    if card.bonus_count == 2:
        yield str(_("double bonus"))
    if card.prestige:
        yield phrases.points(card.prestige)
    if card.crowns:
        yield CROWNS % {"number": card.crowns}
    yield from ability_names(card.abilities)


def ability_names(abilities: Iterable[str]) -> Iterator[str]:
    """The names of the abilities, except that of a joker, which is the name of its card already."""
    named = ABILITIES.keys() - {Ability.ASSOCIATE}
    return (str(ABILITIES[ability]) for each in abilities if (ability := Ability(each)) in named)


@phrases.told_once
def royal(name: str) -> str:
    """“the royal card (2 points, extra turn)”."""
    royal = ROYALS[name]
    return phrases.detailed(str(_("the royal card")), [phrases.points(royal.prestige), *ability_names([royal.ability])])


def spaces(spelled: str) -> str:
    """“a1, b2 and c3”."""
    return phrases.join(spelled.split())


PHRASES: Phrases = {
    **phrases.PHRASES,
    "card": (("card",), card),
    "target": (("target",), phrases.target(card)),
    "royal": (("royal",), royal),
    "colour": (("colour",), phrases.COLOURS.__getitem__),
    "gem": (("colour",), phrases.tokens),
    "token": (("token",), phrases.tokens),
    "spaces": (("spaces",), spaces),
}

REFUSALS: Sentences = {
    **common.REFUSALS,
    # The text is not a notation.
    "bad_tokens": _(
        "“%(text)s” doesn’t name tokens. Write w for diamonds, u for sapphires, g for emeralds, r for rubies, "
        "k for onyxes, p for pearls and * for gold."
    ),
    "name_one_token": _("Name one of your opponent’s tokens. “%(text)s” isn’t one."),
    "unknown_colour": _(
        "“%(text)s” isn’t a colour. Write w for white, u for blue, g for green, r for red or k for black."
    ),
    "unknown_space": _("There’s no space “%(text)s”. Rows are a to e, columns 1 to 5."),
    "unknown_space text=": _("Name a space on the board too. Rows are a to e, columns 1 to 5."),
    "unknown_royal": _("There’s no royal card “%(text)s”."),
    # The time is wrong.
    "not_now phase=turn": _("First take tokens, reserve a card or buy one."),
    "not_now phase=mandatory": _("You’ve replenished the board. Now take tokens, reserve a card or buy one."),
    "not_now phase=attach": _("First choose a colour for your joker card."),
    "not_now phase=match": _("First take a token to match your card."),
    "not_now phase=steal": _("First steal a token."),
    "not_now phase=royal": _("First choose a royal card."),
    # The board.
    "no_privilege": _("You have no privilege to use."),
    "privilege_strands": _("You can’t use a privilege for this token. It would leave you no action this turn."),
    "bag_empty": _("The bag is empty, so you can’t replenish the board."),
    "space_empty": _("There’s no token on %(space)s."),
    "take_at_most_three": _("Take at most three tokens."),
    "not_a_line": _("Take tokens in a straight line without gaps. %(spaces)s don’t form one."),
    # Reserving.
    "no_gold_on_board": _("You can only reserve while there’s gold on the board."),
    "no_gold_there": _("There’s no gold on %(space)s."),
    # Jokers, abilities and royal cards.
    "joker_needs_colour": _("You can’t buy %(card)s yet. You need a card with a bonus to join it to."),
    "colour_not_owned": _("You have no %(colour)s card with a bonus to join the joker card to."),
    "wrong_colour": _("Take %(gem)s to match your card. There’s none on %(space)s."),
    "gold_not_stolen": _("You can’t steal gold."),
    "opponent_lacks": _("You can’t steal %(token)s. Your opponent doesn’t have any."),
    "royal_not_there": _("You can’t take %(royal)s. It has been taken."),
}
PARAGRAPHS = {
    **dict.fromkeys(("unknown_action", "nothing_follows", "turn_is_over"), "D9"),
    **dict.fromkeys(("nothing_chosen", "not_now phase=turn", "not_now phase=mandatory"), "D13"),
    "look_first": "D68",
    "unknown_card": "D2",
    "bad_tokens": "D3",
    "unknown_colour": "D50",
    "unknown_space": "D5",
    "unknown_royal": "D66",
    "game_over": "D71",
    # The board.
    "no_privilege": "D18",
    "privilege_strands": "D17",
    "bag_empty": "D23",
    "gold_only_by_reserving": "D34",
    "space_empty": "D28",
    "take_at_most_three": "D27",
    "not_a_line": "D28",
    "not_now phase=return": "D69",
    "return_exactly": "D69",
    # Reserving.
    "no_gold_on_board": "D32",
    "no_gold_there": "D33",
    "hand_full": "D32",
    "deck_empty": "D67",
    "card_not_on_table": "D33",
    # Buying.
    "card_not_for_sale": "D38",
    "cannot_afford": "D39",
    "tokens_not_held": "D43",
    "pay_exactly": "D43",
    "pay_exactly due=-": "D45",
    # Jokers, abilities and royal cards.
    "joker_needs_colour": "D51",
    "colour_not_owned": "D52",
    "not_now phase=attach": "D50",
    "wrong_colour": "D56",
    "not_now phase=match": "D56",
    "gold_not_stolen": "D59",
    "opponent_lacks": "D59",
    "name_one_token": "D59",
    "not_now phase=steal": "D59",
    "royal_not_there": "D62",
    "not_now phase=royal": "D64",
}
"""The rule behind each refusal."""
EVENTS: Sentences = {
    **common.EVENTS,
    "took": _("%(player)s took %(tokens)s from %(spaces)s."),
    "replenished": ngettext_lazy(
        "%(player)s replenished the board with %(drawn)d token.",
        "%(player)s replenished the board with %(drawn)d tokens.",
        "drawn",
    ),
    "privilege_used": _("%(player)s used a privilege to take %(token)s from %(space)s."),
    "privilege_gained": _("%(player)s gained a privilege."),
    "privilege_taken_over": _("%(player)s took a privilege from %(others)s."),
    "attached": _("%(player)s joined %(card)s to a %(colour)s card."),
    "matched": _("%(player)s took %(token)s from %(space)s to match the card."),
    "stole": _("%(player)s stole %(token)s from %(others)s."),
    "royal": _("%(player)s took %(royal)s."),
    "extra_turn": _("%(player)s takes an extra turn."),
}
MINE: Sentences = {
    **EVENTS,
    **common.MINE,
    "took": _("You took %(tokens)s from %(spaces)s."),
    "replenished": ngettext_lazy(
        "You replenished the board with %(drawn)d token.",
        "You replenished the board with %(drawn)d tokens.",
        "drawn",
    ),
    "privilege_used": _("You used a privilege to take %(token)s from %(space)s."),
    "privilege_gained": _("You gained a privilege."),
    "privilege_taken_over": _("You took a privilege from %(others)s."),
    "attached": _("You joined %(card)s to a %(colour)s card."),
    "matched": _("You took %(token)s from %(space)s to match the card."),
    "stole": _("You stole %(token)s from %(others)s."),
    "royal": _("You took %(royal)s."),
    "extra_turn": _("You take an extra turn."),
}
AGAINST_ME: Sentences = {
    **EVENTS,
    "privilege_taken_over": _("%(player)s took a privilege from you."),
    "stole": _("%(player)s stole %(token)s from you."),
}
ACTIONS: Sentences = {
    **common.ACTIONS,
    "take {spaces}": _("Take from %(spaces)s"),
    "reserve {target} {space}": _("Reserve %(target)s and take the gold from %(space)s"),
    "privilege {space}": _("Use a privilege to take from %(space)s"),
    "replenish": _("Replenish the board"),
    "attach {colour}": _("Join the joker card to a %(colour)s card"),
    "match {space}": _("Take a token from %(space)s to match the card"),
    "steal {token}": _("Steal %(token)s from your opponent"),
    "royal {royal}": _("Take %(royal)s"),
}
OUTCOMES: Sentences = {
    **common.OUTCOMES,
    "crowns": _("%(winners)s won with ten crowns or more."),
    "colour": _("%(winners)s won with ten points or more in one colour."),
}
VICTORIES: Sentences = {
    **common.VICTORIES,
    "crowns": _("You won with ten crowns or more."),
    "colour": _("You won with ten points or more in one colour."),
}
VERDICTS = {
    "prestige": common.BY_POINTS._replace(reason=_("20 points.")),
    "crowns": Verdict(
        won=_("You won by crowns"),
        lost=_("You lost by crowns"),
        told=_("%(winners)s won by crowns"),
        reason=_("10 crowns."),
    ),
    "colour": Verdict(
        won=_("You won with one colour"),
        lost=_("You lost to one colour"),
        told=_("%(winners)s won with one colour"),
        reason=_("10 points in one colour."),
    ),
}
BLURB = _("For two players. One board of tokens, three ways to win.")
AIM = _("The first player to end a turn with 20 points, 10 crowns or 10 points in one colour wins.")
STANDING = (
    Column(_("Points"), lambda player: player.points, ("prestige",), goal=20, ranks=1),
    Column(_("Crowns"), lambda player: player.crowns, ("crowns",), goal=10),
    Column(_("One colour"), lambda player: max(player.colour_points), ("colour",), goal=10),
    Column(_("Cards"), lambda player: len(player.cards)),
)
FIGURES = (STANDING[0], STANDING[3], STANDING[1])
TRACK = Track(20, mark="royal", mark_words=_("a royal card"))
