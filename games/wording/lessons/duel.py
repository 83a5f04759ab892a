"""The words of the lessons of Splendor Duel."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.wording import duel
from games.wording.lessons import hints
from games.wording.title import Phrases, Sentences, Step

PHRASES: Phrases = {**duel.PHRASES, **hints.PHRASES}
STEPS = {
    "lines": Step(
        _("Three in a line, nothing between"),
        (
            _(
                "You take one, two or three tokens that lie next to each other in a straight line: across, down or "
                "diagonally."
            ),
            _("Gold and empty spaces break a line. The colours don’t matter."),
        ),
        _("Take three tokens."),
    ),
    "gold": Step(
        _("Gold comes with a reserved card"),
        (
            _("You can’t take gold by itself. Reserve a card, and take one gold token from the board with it."),
            _("Gold replaces any gem or pearl when you pay. You can hold three reserved cards."),
        ),
        _("Reserve a card."),
    ),
    "pearls": Step(
        _("Two pearls give something away"),
        (
            _("There are only two pearls, and many good cards cost one."),
            _(
                "A player who takes both pearls at once, or three tokens of one colour, gives the other player a "
                "privilege."
            ),
        ),
        _("Take a pearl without giving Ana a privilege."),
    ),
    "privilege": Step(
        _("Spend a privilege"),
        (
            _(
                "Before your action you may return a privilege and take any gem or pearl from the board, wherever it "
                "lies. Then your turn continues."
            ),
            _("You hold two sapphires and two emeralds. With a pearl you could buy the level 1 white card this turn."),
        ),
        _("Use your privilege to take the pearl."),
    ),
    "replenish": Step(
        _("Fill the board again"),
        (
            _(
                "All tokens that players pay or return go into the bag. Before your action you may empty the bag onto "
                "the board."
            ),
            _("It has a price: Ana takes a privilege. With only two tokens on the board, it’s worth it."),
        ),
        _("Replenish the board."),
    ),
    "again": Step(
        _("Ability: extra turn"),
        (
            _("Some cards have an ability. It works once, right after you buy the card."),
            _("The curved arrow means that you take another turn after this one."),
        ),
        _("Buy the card that gives you an extra turn."),
    ),
    "match": Step(
        _("Ability: match"),
        (
            _("With this ability you take a token of the card’s colour from the board. It needn’t be part of a line."),
            _("Two sapphires lie on the board, so a blue card can fetch one of them."),
        ),
        _("Buy the card that takes a token of its own colour."),
    ),
    "scroll": Step(
        _("Ability: privilege"),
        (
            _("The scroll gives you a privilege. If none is left beside the board, you take one from Ana."),
            _("There are only three privileges in the game."),
        ),
        _("Buy the card that gives you a privilege."),
    ),
    "steal": Step(
        _("Ability: steal"),
        (
            _("With this ability you take a gem or a pearl from Ana. Gold is safe."),
            _("Ana holds an emerald, a ruby and an onyx."),
        ),
        _("Buy the card that steals a token."),
    ),
    "joker": Step(
        _("A joker takes a colour"),
        (
            _(
                "A joker has no colour of its own. When you buy it, you join it to one of your cards. From then on it "
                "counts as a card of that colour."
            ),
            _(
                "You’ve just bought a joker. Next turn you want to buy the level 2 black card. It costs two rubies, "
                "four onyxes and a pearl. You hold three onyxes and a pearl."
            ),
        ),
        _("Choose the colour that lets you pay for that card."),
    ),
    "crowns": Step(
        _("Crowns bring royal cards"),
        (
            _("Some cards carry crowns. With your third crown, and again with your sixth, you take a royal card."),
            _(
                "A royal card costs nothing and gives points. Most royal cards also have an ability. You have two "
                "crowns."
            ),
        ),
        _("Buy a card that brings you a royal card."),
    ),
    "victory": Step(
        _("Three ways to win"),
        (
            _("You win at the end of your turn with 20 points, 10 crowns, or 10 points on cards of one colour."),
            _("You have 16 points, 8 crowns, and 8 points on blue cards."),
        ),
        _("Win the game now."),
    ),
}
DOES: Sentences = {
    "take": _("You would take %(tokens)s from %(spaces)s."),
    "gift": _("You would take %(tokens)s from %(spaces)s, and Ana would take a privilege."),
    "reserve": _("You would reserve %(target)s and take the gold from %(space)s."),
    "blind": _("You would reserve %(target)s without seeing it first, and take the gold from %(space)s."),
    "buy": _("You would buy %(card)s for %(payment)s."),
    "buy payment=-": _("You would buy %(card)s for free."),
    "buy ability=extra_turn": _("You would buy %(card)s for %(payment)s and take another turn."),
    "buy ability=take_same_color": _("You would buy %(card)s for %(payment)s and take a token of its colour."),
    "buy ability=take_privilege": _("You would buy %(card)s for %(payment)s and take a privilege."),
    "buy ability=steal_token": _("You would buy %(card)s for %(payment)s and steal a token from Ana."),
    "privilege": _("You would use your privilege to take %(token)s from %(space)s."),
    "replenish": ngettext_lazy(
        "You would replenish the board with %(drawn)d token, and Ana would take a privilege.",
        "You would replenish the board with %(drawn)d tokens, and Ana would take a privilege.",
        "drawn",
    ),
    "attach": _("You would join the joker to a %(colour)s card."),
}
REMARKS: Sentences = {
    "lines right": _("You took %(tokens)s. Nothing lay between them."),
    "lines take": _(
        "That’s allowed, but a line can have three tokens. Look for a third one beside it, or a longer line."
    ),
    "lines reserve": _("That’s how you get gold, and the next step is about it. Here, take three tokens."),
    "lines blind": _("You can’t know yet what that card costs. Here, take three tokens."),
    "lines replenish": _("The board has plenty of tokens. That would be a gift to Ana."),
    "gold right": _("The card is yours to buy later, and the gold replaces whatever you lack then."),
    "gold take": _("No line can hold gold. You get it only with a reserved card."),
    "gold gift": _("No line can hold gold, and Ana would gain from this one. Reserve a card instead."),
    "pearls right": _("You took %(tokens)s, and Ana gains nothing."),
    "pearls take": _("There’s no pearl among them."),
    "pearls gift": _("Take fewer tokens, or another line: a single pearl gives nothing away."),
    "pearls reserve": _("Gold can replace a pearl when you pay. But the pearls are here now, and Ana can take them."),
    "pearls blind": _("Gold can replace a pearl when you pay. Still, Ana would be first to take the real ones."),
    "pearls replenish": _(
        "There’s no pearl in the bag: both are on the board. Ana would gain a privilege for nothing."
    ),
    "privilege right": _("It’s still your turn. With the pearl you can buy the level 1 white card at once."),
    "privilege privilege": _("That isn’t the pearl. You would still lack it for the level 1 white card."),
    "privilege take": _(
        "That ends your turn, and you couldn’t buy the white card. A privilege comes before your action."
    ),
    "privilege reserve": _("That ends your turn. A privilege comes before your action and doesn’t use it up."),
    "privilege blind": _("That ends your turn without a purchase. Your privilege can make one possible now."),
    "privilege replenish": _("Replenishing comes after privileges: you couldn’t use yours any more this turn."),
    "replenish right": ngettext_lazy(
        "%(drawn)d token came out of the bag, and Ana took a privilege. Your action is still to come.",
        "%(drawn)d tokens came out of the bag, and Ana took a privilege. Your action is still to come.",
        "drawn",
    ),
    "replenish take": _("Only one token would be left on the board. Replenish first, then take three."),
    "again right": _("You move again right after this turn."),
    "again buy": _("It doesn’t bring another turn. Look for the curved arrow."),
    "again take": _("Taking tokens never brings another turn. Buy the card with the curved arrow."),
    "again reserve": _("Abilities work when you buy a card, not when you reserve it."),
    "again blind": _("A reserved card does nothing until you buy it."),
    "again replenish": _("There’s no need: you can pay for the card with the curved arrow now."),
    "match right": _("Along with the card, you get a sapphire from the board."),
    "match buy": _("It doesn’t take a token of its colour. Look for the word “match”."),
    "match take": _("That uses up your action. The right card brings a token and stays with you too."),
    "match reserve": _("Abilities work when you buy a card. Reserving this one brings only gold."),
    "match blind": _("You would take gold, but no token of the card’s colour."),
    "match replenish": _("Two sapphires are on the board already. Nothing else is needed."),
    "scroll right": _("You have a privilege now. You can spend it before any of your actions."),
    "scroll buy": _("It gives no privilege. Look for the scroll."),
    "scroll take": _("Taking tokens gives you no privilege. The card with the scroll does."),
    "scroll reserve": _("The scroll works when you buy the card, not when you reserve it."),
    "scroll blind": _("Even if it carried a scroll, you would have to buy it first."),
    "scroll replenish": _("A privilege would go the wrong way: Ana would have two."),
    "steal right": _("Along with the card, you get one of Ana’s tokens."),
    "steal buy": _("It takes nothing from Ana. Look for the word “steal”."),
    "steal take": _("Those come from the board. Ana would keep all her tokens."),
    "steal reserve": _("Reserving takes nothing from Ana. The ability works when you buy the card."),
    "steal blind": _("That takes gold from the board, and nothing from Ana."),
    "steal replenish": _("Ana would keep all her tokens and gain a privilege."),
    "joker right": _("The joker counts as a %(colour)s card now. With two red cards the rubies cost you nothing."),
    "joker attach": _("Then you would lack %(lack)s for the level 2 black card."),
    "crowns right": ngettext_lazy(
        "You have %(crowned)d crown, so one of the royal cards is yours.",
        "You have %(crowned)d crowns, so one of the royal cards is yours.",
        "crowned",
    ),
    "crowns buy": _("It carries no crown, so you would still have two."),
    "crowns take": _("Tokens bring no crowns. You can pay for a card with a crown now."),
    "crowns reserve": _("Crowns count on cards that you’ve bought, not on reserved ones."),
    "crowns blind": _("You can’t see whether it carries a crown, and it wouldn’t count yet."),
    "crowns replenish": _("You have all the tokens you need for a card with a crown."),
    "victory right way=prestige": _("You have %(total)d points. Twenty are enough, so you win."),
    "victory right way=crowns": _("You have %(crowned)d crowns. Ten are enough, so you win."),
    "victory right way=colour": _("You have %(best)d points on blue cards. Ten are enough, so you win."),
    "victory buy": _(
        "You would have %(total)d points, %(crowned)d crowns and %(best)d points on blue cards. None of that wins yet."
    ),
    "victory take": _("The game would go on, and Ana would move. Any of three cards on the table wins at once."),
    "victory reserve": _(
        "A reserved card gives neither points nor crowns. Any of three cards on the table wins at once."
    ),
    "victory blind": _("That card can’t help you this turn. Any of three cards on the table wins at once."),
    "victory replenish": _("You have all the tokens you need. Any of three cards on the table wins at once."),
}
HINTS: Sentences = {
    **hints.HINTS,
    "crowns crowns=10": _("Buy %(place)s now: ten crowns win the game."),
    "crowns crowns=3": _("Buy %(place)s now: three crowns bring you a royal card."),
    "crowns crowns=6": _("Buy %(place)s now: six crowns bring you a second royal card."),
    "privilege": _("A privilege can take %(lack)s at once. Then you can buy %(place)s."),
}
