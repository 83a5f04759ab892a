"""Sentences that all titles share.

Each sentence is one whole message, so that a translation can order it freely. Its placeholders are facts, and phrases
made of facts.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.wording.title import Sentences, Verdict

REFUSALS: Sentences = {
    "nothing_chosen": _("Choose an action first."),
    "turn_is_over": _("Your turn ends before the last of these actions. Leave out the rest."),
    "look_first": _("One of these actions reveals something new. Confirm it first, then continue."),
    # The text is not a notation.
    "unknown_action": _("“%(text)s” isn’t an action in this game."),
    "unknown_card": _("There’s no card “%(text)s”."),
    "nothing_follows": _("Nothing can follow this action. Leave out “%(text)s”."),
    # The time is wrong.
    "game_over": _("The game is over."),
    "not_now phase=return": _("Return tokens first, until you hold ten."),
    # Taking and returning tokens.
    "gold_only_by_reserving": _("You can’t take gold. You get it when you reserve a card."),
    "tokens_not_held": _("You don’t have %(tokens)s."),
    "return_exactly": ngettext_lazy(
        "Return exactly %(excess)d token to keep ten.",
        "Return exactly %(excess)d tokens to keep ten.",
        "excess",
    ),
    # Reserving.
    "hand_full": _("You already have three reserved cards. Buy one before you reserve another."),
    "deck_empty": _("The level %(level)d deck is empty."),
    "card_not_on_table": _("You can’t reserve %(card)s. It isn’t on the table."),
    # Buying.
    "card_not_for_sale": _("You can’t buy %(card)s. It’s neither on the table nor among your reserved cards."),
    "cannot_afford": ngettext_lazy(
        "You can’t buy %(card)s. You’re %(short)d token short.",
        "You can’t buy %(card)s. You’re %(short)d tokens short.",
        "short",
    ),
    "pay_exactly": _("Pay exactly %(due)s for %(card)s. Gold can replace any token."),
    "pay_exactly due=-": _("Pay nothing for %(card)s. Your bonuses cover its cost."),
}
EVENTS: Sentences = {
    "took": _("%(player)s took %(tokens)s."),
    "returned": _("%(player)s returned %(tokens)s."),
    "reserved": _("%(player)s reserved %(card)s."),
    "reserved_blind": _("%(player)s reserved the top card of the level %(level)d deck."),
    "drew": _("%(player)s drew %(card)s."),
    "bought": _("%(player)s bought %(card)s for %(payment)s."),
    "bought payment=-": _("%(player)s bought %(card)s for free."),
    "revealed": _("New on the table: %(card)s."),
    "game_over": _("The game is over."),
}
MINE: Sentences = {
    "took": _("You took %(tokens)s."),
    "returned": _("You returned %(tokens)s."),
    "reserved": _("You reserved %(card)s."),
    "reserved_blind": _("You reserved the top card of the level %(level)d deck."),
    "drew": _("You drew %(card)s."),
    "bought": _("You bought %(card)s for %(payment)s."),
    "bought payment=-": _("You bought %(card)s for free."),
}
ACTIONS: Sentences = {
    "buy {card} = -": _("Buy %(card)s for free"),
    "buy {card} = {payment}": _("Buy %(card)s for %(payment)s"),
    "buy {card}": _("Buy %(card)s"),
    "return {tokens}": _("Return %(tokens)s"),
}
OUTCOMES: Sentences = {
    "prestige": ngettext_lazy(
        "%(winners)s won with %(points)d point.",
        "%(winners)s won with %(points)d points.",
        "points",
    ),
}
VICTORIES: Sentences = {
    "prestige": ngettext_lazy(
        "You won with %(points)d point.",
        "You won with %(points)d points.",
        "points",
    ),
}
BY_POINTS = Verdict(
    won=_("You won by %(margin)s"),
    lost=_("You lost by %(margin)s"),
    told=_("%(winners)s won by %(margin)s"),
    reason=_("Most points."),
)
"""The verdict about different numbers of points."""
SHARED = Verdict(
    won=_("You and %(others)s share the victory"),
    lost=_("You lost"),
    told=_("%(winners)s share the victory"),
    is_tie=True,
)
UNTOLD = Verdict(won=_("You won"), lost=_("You lost"), told=_("%(winners)s won"))
"""The verdict about a game that was not played to its end, or in which no other player could win."""
INCIDENTS: Sentences = {
    "resigned": _("%(player)s resigned."),
    "deleted": _("%(player)s deleted their account."),
    "took_over": _("A bot takes over for %(player)s."),
    "bot_failed": _("The bot playing for %(player)s failed. Another bot took over."),
    "bot_silent": _("The bot playing for %(player)s was too slow. It was asked again."),
    # Players who ran out of time.
    "timed_out": _("%(player)s ran out of time."),
    "minded": _("A bot plays for %(player)s until they’re back."),
    "forfeited": _("%(player)s is out of the game. A bot takes over."),
    "overtime": _("%(player)s ran out of time. The others are waiting."),
    "came_back": _("%(player)s is back."),
    "absent": _("%(player)s was away too long and can no longer win."),
    "abandoned": _("%(player)s never made a first move, so the game doesn’t count."),
    # Stopped clocks.
    "asked_pause": _("%(player)s asked for a pause."),
    "paused": _("%(player)s agreed to pause. The clocks are paused."),
    "asked_stop": _("%(player)s asked to stop the game."),
    "stopped": _("%(player)s agreed to stop the game. It doesn’t count."),
    "resumed": _("%(player)s resumed the game."),
    "gave_time": _("%(player)s gave %(other)s one more day."),
}
"""Incidents that the players of a game want to know about; `other` is the second player in them."""
MY_INCIDENTS: Sentences = {
    "resigned": _("You resigned."),
    "deleted": _("You deleted your account."),
    "took_over": _("A bot takes over for you."),
    "bot_failed": _("The bot playing for you failed. Another bot took over."),
    "bot_silent": _("The bot playing for you was too slow. It was asked again."),
    "timed_out": _("You ran out of time."),
    "minded": _("A bot plays for you until you’re back."),
    "forfeited": _("You’re out of the game. A bot takes over."),
    "overtime": _("You ran out of time. The others are waiting."),
    "came_back": _("You’re back."),
    "absent": _("You were away too long and can no longer win."),
    "abandoned": _("You never made a first move, so the game doesn’t count."),
    "asked_pause": _("You asked for a pause."),
    "paused": _("You agreed to pause. The clocks are paused."),
    "asked_stop": _("You asked to stop the game."),
    "stopped": _("You agreed to stop the game. It doesn’t count."),
    "resumed": _("You resumed the game."),
    "gave_time": _("You gave %(other)s one more day."),
}
"""The same incidents told to the player they happened to."""
GIVEN_TIME = _("%(player)s gave you one more day.")
