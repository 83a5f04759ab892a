"""The words of the lessons of Splendor."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.wording import phrases, splendor
from games.wording.lessons import hints
from games.wording.title import Phrases, Sentences, Step

PHRASES: Phrases = {**splendor.PHRASES, **hints.PHRASES, "bonus": (("colour",), phrases.colour)}
STEPS = {
    "different": Step(
        _("Three different gems"),
        (
            _("On your turn you do one thing: take gems, reserve a card, or buy one."),
            _("You may take three gems of different colours from the bank. You can’t take gold this way."),
        ),
        _("Take three gems of different colours."),
    ),
    "alike": Step(
        _("Two gems of one colour"),
        (
            _("Instead you may take two gems of one colour, and nothing else."),
            _("The bank must have at least four of that colour. It has four onyxes, but not four of any other gem."),
        ),
        _("Take two gems of the same colour."),
    ),
    "buy": Step(
        _("Pay for a card"),
        (
            _("The gems on a card are its price. You pay them to the bank, and the card is yours for good."),
            _("A solid frame and the word “Buy” mark the cards that you can pay for."),
        ),
        _("Buy a card."),
    ),
    "bonuses": Step(
        _("Your cards pay, again and again"),
        (
            _("Every card you own counts as one gem of its colour whenever you buy. It’s never spent."),
            _("The large figure on a card is what’s left for you to pay. The small one is the printed price."),
        ),
        _("Buy a card that costs you exactly one token."),
    ),
    "gold": Step(
        _("Gold stands for any gem"),
        (
            _("A gold token replaces any gem that you lack. You get gold only by reserving cards."),
            _("A gilt frame marks the cards that you can pay for with the help of gold."),
        ),
        _("Buy a card that gives points."),
    ),
    "reserve": Step(
        _("Reserve a card"),
        (
            _(
                "You may reserve a card, and a gold token comes with it. From then on only you can buy that card. You "
                "can hold three reserved cards."
            ),
            _(
                "Ana has four green cards and three emeralds. Next turn she could buy the level 3 red card and gain "
                "four points."
            ),
        ),
        _("Reserve the card that would give Ana four points."),
    ),
    "reserved": Step(
        _("Buy what you’ve reserved"),
        (
            _("A reserved card waits with you until you buy it. Nobody can take it away."),
            _("It costs what it would cost on the table, and your cards pay for it too."),
        ),
        _("Buy your reserved card."),
    ),
    "return": Step(
        _("Keep ten tokens"),
        (
            _(
                "You may keep at most ten tokens at the end of your turn. "
                "You have just taken three and now hold twelve."
            ),
            _(
                "Next turn you want to buy the level 2 black card. It costs three diamonds, two sapphires and two "
                "emeralds."
            ),
        ),
        _("Return two tokens that you don’t need for that card."),
    ),
    "nobles": Step(
        _("A noble’s visit"),
        (
            _(
                "A noble visits the first player who owns the cards that it asks for. The visit brings three points "
                "and costs nothing. Tokens don’t count for it."
            ),
            _("Anne of Brittany asks for three white, three blue and three green cards. You lack one green card."),
        ),
        _("Buy a card that brings Anne of Brittany to you."),
    ),
    "last": Step(
        _("The last round"),
        (
            _(
                "When a player reaches 15 points, the round is played to its end. Then the player with the most points "
                "wins. On a tie, the player with fewer cards wins."
            ),
            _("Ana has 15 points and eleven cards. You have 13 points and twelve cards, and this is your last turn."),
        ),
        _("Win the game."),
    ),
}
DOES: Sentences = {
    "take": _("You would take %(tokens)s."),
    "pair": _("You would take %(tokens)s and nothing else."),
    "reserve": _("You would reserve %(target)s and take a gold token."),
    "blind": _("You would reserve %(target)s without seeing it first, and take a gold token."),
    "buy": _("You would buy %(card)s for %(payment)s."),
    "buy payment=-": _("You would buy %(card)s for free."),
    "return": _("You would return %(tokens)s."),
}
REMARKS: Sentences = {
    "different right": _("You took %(tokens)s. Gems pay for cards, as the next steps show."),
    "different pair": _("That’s allowed too, and the next step is about it. Here, take one gem each of three colours."),
    "different reserve": _("Reserving comes later. First you need gems to pay with."),
    "different blind": _("You can’t know yet what that card costs. First you need gems to pay with."),
    "alike right": _(
        "You took %(tokens)s. Only two are left in the bank, so nobody can take two of them now. Next turn you can buy "
        "the level 1 blue card."
    ),
    "alike take": _("You couldn’t buy the level 1 blue card next turn. It costs one diamond and two onyxes."),
    "alike reserve": _("The gold could replace one onyx, but the level 1 blue card costs two."),
    "alike blind": _("The gold could replace one onyx. You would still be one short for the level 1 blue card."),
    "buy right": _("You paid %(payment)s. The card stays with you, and helps you to pay from now on."),
    "buy take": _("More gems are useful, but you can pay for a card already."),
    "buy reserve": _(
        "A reserved card isn’t yours until you’ve paid for it. One card on the table is within reach now."
    ),
    "buy blind": _("You would have to pay for that card later. One card on the table is within reach now."),
    "bonuses right": _("You paid only %(payment)s. Your cards paid for the rest, and you keep them all."),
    "bonuses buy": _("That’s more than one token. Your cards pay for the rest of it."),
    "bonuses buy payment=-": _("Your cards pay for all of it, so it costs you no token at all."),
    "bonuses take": _("That buys you nothing. Find a card whose large figures add up to one."),
    "bonuses reserve": _("Reserving isn’t buying. Find a card whose large figures add up to one."),
    "bonuses blind": _("You can’t see what that card costs. Find a card whose large figures add up to one."),
    "gold right": _("You paid %(payment)s. The gold replaced the rubies that you lacked, and you have two points."),
    "gold buy": _("That card gives no points. With your gold you can pay for one that does."),
    "gold take": _("You have enough already: your gold replaces the gems that you lack."),
    "gold pair": _("You don’t need two more of them: your gold replaces the gems that you lack."),
    "gold reserve": _("You would have three gold tokens, but two are enough to buy a card with points now."),
    "gold blind": _("You don’t need more gold. Two are enough to buy a card with points now."),
    "reserve right": _("Ana can’t buy that card any more. You have it, and a gold token for any purchase."),
    "reserve reserve": _("Ana would still buy the level 3 red card and gain four points."),
    "reserve blind": _("The level 3 red card would stay on the table. Ana would buy it and gain four points."),
    "reserve take": _("Ana has all the gems she needs. She would buy the level 3 red card and gain four points."),
    "reserve pair": _("That doesn’t stop Ana. She would buy the level 3 red card and gain four points."),
    "reserved right": _("You paid %(payment)s. The card gives you two points, and you can reserve another one."),
    "reserved take": _("You can pay for your reserved card now. Your black cards are worth three onyxes."),
    "reserved pair": _("You don’t need them: you can pay for your reserved card now."),
    "reserved reserve": _("You already have a reserved card that you can pay for. Buy that one."),
    "reserved blind": _("You would have two reserved cards. You can pay for the first one now."),
    "return right": _("You returned %(tokens)s and keep ten. Nothing is missing for the level 2 black card."),
    "return return": _("Then you would lack %(lack)s for the level 2 black card."),
    "nobles right": _("%(noble)s visits you at once and brings three points. A noble comes only once."),
    "nobles buy": _("It isn’t green, so you would still lack a green card. Anne of Brittany wouldn’t come."),
    "nobles take": _("Nobles look at the cards that you own, not at your tokens."),
    "nobles pair": _("Two more gems don’t bring a noble. The cards that you own do."),
    "nobles reserve": _("A reserved card doesn’t count for nobles until you buy it."),
    "nobles blind": _("Whatever that card is, it doesn’t count for nobles until you buy it."),
    "last right": _("You have %(total)d points and Ana has %(theirs)d. You win."),
    "last buy": ngettext_lazy(
        "You would have %(total)d points, %(behind)d point behind Ana. She would win.",
        "You would have %(total)d points, %(behind)d points behind Ana. She would win.",
        "behind",
    ),
    "last buy behind=0": _("You would have %(total)d points, as many as Ana. She has fewer cards, so she would win."),
    "last take": _("You would stay at %(total)d points. The game would end, and Ana would win with %(theirs)d."),
    "last reserve": _("A reserved card gives no points. The game would end, and Ana would win with %(theirs)d."),
    "last blind": _("That card would come too late to buy. The game would end, and Ana would win with %(theirs)d."),
}
HINTS: Sentences = {
    **hints.HINTS,
    "noble_now": _("Buy %(place)s now, and a noble visits you: three more points."),
    "noble": _("One more %(bonus)s bonus brings you a noble, worth three points."),
}
