"""The wording that all titles share: phrases for facts, and sentences about common rules.

Each sentence is one whole message, so that a translation can order it freely. Its placeholders are facts, and phrases
made of facts: counted things (“2 rubies”), or things with their article (“the level 2 blue card”), which can be the
object of a verb in every language.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, reduce, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from django.utils.timesince import timesince
from django.utils.translation import get_language, ngettext, ngettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.rules.base import Fact
from games.rules.hand import DECKS

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Card = TypeVar("Card")
Text = TypeVar("Text", bound=str)
Thing = TypeVar("Thing", bound=Hashable)

Facts: TypeAlias = Mapping[str, Fact]
Sentences: TypeAlias = "Mapping[str, StrPromise]"
"""Sentences by code. A sentence for a particular value of a fact takes precedence: `bought payment=-`."""
Phrases: TypeAlias = Mapping[str, tuple[tuple[str, ...], Callable[..., object]]]
"""For each placeholder, the facts it is made of and the function that makes it. It may replace a fact of the same
name."""


class Column(NamedTuple):
    """A figure that is counted for every player at the end of a game."""

    heading: "StrPromise"
    count: Callable[[Any], int]
    """Counts the figure for a player of an observation."""
    decides: tuple[str, ...] = ()
    """The reasons for an outcome that rest on this figure."""
    goal: int | None = None
    """The figure that wins, if there is one."""
    ranks: int = 0
    """1 if more is better in the standing, -1 if fewer is better, 0 if the figure does not matter."""
    parts: Callable[[Any], tuple[int, ...]] | None = None
    """The parts that the figure is the sum of; the standing shows them instead: “12 + 3”."""

    def shown(self, player: Any) -> str:
        """The figure of a player of an observation, as the standing shows it."""
        return " + ".join(map(str, self.parts(player) if self.parts else (self.count(player),)))


class Verdict(NamedTuple):
    """The heading of a result, for each kind of reader: a winner, another player, a spectator."""

    won: "StrPromise"
    lost: "StrPromise"
    told: "StrPromise"
    reason: "StrPromise | str" = ""
    """What decided, in a few words."""
    is_tie: bool = False
    """Whether the best players had equally many points."""


class Track(NamedTuple):
    """The chart of the points that players gained in a game."""

    goal: int
    """The number of points that players try to reach."""
    mark: str = ""
    """The event that the chart marks."""
    mark_words: "StrPromise | str" = ""
    mark_points: int | None = None
    """The points that this event brings, if they are always the same."""


class TitleWords(Protocol):
    """The names that the module of a title defines."""

    REFUSALS: Sentences
    EVENTS: Sentences
    MINE: Sentences
    """Events of the reader: “You took 1 ruby.”"""
    AGAINST_ME: Sentences
    """Events of the opponent that cost the reader something: “Ben took 1 ruby from you.”"""
    ACTIONS: Sentences
    """Sentences by pattern of notation, `buy {card} = {payment}`; the first matching pattern counts."""
    OUTCOMES: Sentences
    """Sentences about an outcome, by its reason."""
    VICTORIES: Sentences
    """The same, for a reader who won alone."""
    VERDICTS: Mapping[str, Verdict]
    """Headings about an outcome, by its reason."""
    BLURB: "StrPromise"
    """The kind of game, in one line."""
    AIM: "StrPromise"
    """How a player wins."""
    STANDING: Sequence[Column]
    """The columns of the final standing, in order."""
    TRACK: Track
    PHRASES: Phrases


class BoardWords(Protocol):
    """The names that the module about the board of a title defines."""

    WORDS: Sequence[Callable[..., object]]
    """The functions that the templates of the board can call, as `slug.name`."""
    TILES: Mapping[str, Callable[[str], tuple[str, str, int]]]
    """The facts of events that are drawn as cards, each with the function that gives its words, gem and points."""
    confirm_words: Callable[[Sequence[Any]], str]
    """The words of the button that confirms these pieces of a draft."""
    unfinished_words: Callable[[Any], str]
    """The words shown on this board instead of that button, while a piece of the draft is incomplete."""


def read(patterns: Iterable[str], notation: str) -> tuple[str, dict[str, str]]:
    """The first pattern that the notation matches, with the values of its placeholders; raises `KeyError` if there is
    none."""
    for pattern in patterns:
        match = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>.+)", pattern), notation)
        if match:
            return pattern, match.groupdict()
    raise KeyError(notation)


# --- phrases ---

GEMS: Sentences = {
    "w": ngettext_lazy("%(number)d diamond", "%(number)d diamonds", "number"),
    "u": ngettext_lazy("%(number)d sapphire", "%(number)d sapphires", "number"),
    "g": ngettext_lazy("%(number)d emerald", "%(number)d emeralds", "number"),
    "r": ngettext_lazy("%(number)d ruby", "%(number)d rubies", "number"),
    "k": ngettext_lazy("%(number)d onyx", "%(number)d onyxes", "number"),
    "p": ngettext_lazy("%(number)d pearl", "%(number)d pearls", "number"),
    "*": ngettext_lazy("%(number)d gold token", "%(number)d gold tokens", "number"),
}
COLOURS: Sentences = {
    "w": pgettext_lazy("card", "white"),
    "u": pgettext_lazy("card", "blue"),
    "g": pgettext_lazy("card", "green"),
    "r": pgettext_lazy("card", "red"),
    "k": pgettext_lazy("card", "black"),
}
GEM_NAMES: Sentences = {
    "w": _("diamond"),
    "u": _("sapphire"),
    "g": _("emerald"),
    "r": _("ruby"),
    "k": _("onyx"),
    "p": _("pearl"),
    "*": _("gold"),
}
"""The names without a number before them."""
COUNTS = (
    pgettext_lazy("a number of points", "one"),
    pgettext_lazy("a number of points", "two"),
    pgettext_lazy("a number of points", "three"),
    pgettext_lazy("a number of points", "four"),
    pgettext_lazy("a number of points", "five"),
    pgettext_lazy("a number of points", "six"),
    pgettext_lazy("a number of points", "seven"),
    pgettext_lazy("a number of points", "eight"),
    pgettext_lazy("a number of points", "nine"),
    pgettext_lazy("a number of points", "ten"),
    pgettext_lazy("a number of points", "eleven"),
    pgettext_lazy("a number of points", "twelve"),
)
"""The numbers from one on, for headings."""
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""The origin of times that are expressed in words."""
# Translators: independent facts on one line: “Ana 12 · Ben 7”.
BESIDE = pgettext_lazy("facts", "%(items)s · %(item)s")
POINTS = ngettext_lazy("%(number)d point", "%(number)d points", "number")


def told_once(phrase: Callable[[Thing], Text]) -> Callable[[Thing], Text]:
    """Cache a phrase in each language. Use it for things of which there are few: cards, handfuls of tokens."""

    @lru_cache(4096)
    def kept(language: str | None, thing: Thing) -> Text:
        return phrase(thing)

    @wraps(phrase)
    def told(thing: Thing) -> Text:
        return kept(get_language(), thing)

    return told


def join(items: Sequence[str]) -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    # Translators: the end of a list: “a, b and c”.
    return pgettext("list", "%(items)s and %(last)s") % {"items": listed(items[:-1]), "last": items[-1]}


def listed(items: Iterable[str]) -> str:
    """`a, b, c`."""
    # Translators: neighbours in a list: “a, b”.
    pair = pgettext("list", "%(items)s, %(item)s")
    told = list(items)
    return reduce(lambda before, item: pair % {"items": before, "item": item}, told) if told else ""


def beside(items: Iterable[str]) -> str:
    """`a · b · c`: independent facts on one line. Empty ones are left out."""
    told = list(filter(None, items))
    return reduce(lambda before, item: str(BESIDE) % {"items": before, "item": item}, told) if told else ""


def about(items: Iterable[str], number: int) -> str:
    """“Splendor · round 12”; the number of the round is left out if it is 0."""
    return beside([*items, _("round %(number)d") % {"number": number} if number else ""])


def names(people: Iterable[object]) -> str:
    """“alice, bob and Greedy bot”, for seats or users."""
    return join(list(map(str, people)))


@told_once
def tokens(spelled: str) -> str:
    """“2 diamonds, 1 ruby and 1 gold token” for `wwr*`."""
    if spelled == "-":
        return str(_("no tokens"))
    return join([GEMS[kind] % {"number": number} for kind, number in Counter(spelled).items()])


@told_once
def gem_name(kind: str) -> str:
    """“ruby”."""
    return str(GEM_NAMES[kind])


@told_once
def colour(kind: str) -> str:
    """The colour of a card: “blue”."""
    return str(COLOURS[kind])


@told_once
def points(number: int) -> str:
    """“3 points”."""
    return POINTS % {"number": number}


def counted(number: int) -> str:
    """“three”, or “13” from thirteen on."""
    return str(COUNTS[number - 1]) if 0 < number <= len(COUNTS) else str(number)


@told_once
def changes(numbers: tuple[int, int, int]) -> str:
    """The changes of a decision, given as points gained, tokens held and minutes used: “+2 points · 7 tokens · 3
    hours”."""
    gained, held, minutes = numbers
    told = [
        _("+%(points)s") % {"points": points(gained)} if gained else "",
        ngettext("%(number)d token", "%(number)d tokens", held) % {"number": held},
        timesince(EPOCH, EPOCH + timedelta(minutes=minutes), depth=1) if minutes else "",
    ]
    return beside(told)


def cost(spelled: str) -> str:
    """The printed cost of a card: “cost 3 rubies and 1 pearl”."""
    return _("cost %(tokens)s") % {"tokens": tokens(spelled)}


def detailed(thing: str, details: Iterable[str]) -> str:
    """“the level 2 blue card (2 points, cost 5 sapphires)”."""
    told = list(details)
    # Translators: this is a card: “the level 2 blue card (2 points, cost 5 sapphires)”.
    return _("%(thing)s (%(details)s)") % {"thing": thing, "details": listed(told)} if told else thing


def coloured(level: int, colour: str) -> str:
    """“the level 2 blue card”."""
    return _("the level %(level)d %(colour)s card") % {"level": level, "colour": COLOURS[colour]}


def lookalikes(cards: Mapping[str, Card], look: Callable[[Card], object]) -> frozenset[str]:
    """The ids of the cards that cannot be told apart without their cost."""
    counts = Counter(map(look, cards.values()))
    return frozenset(name for name, card in cards.items() if counts[look(card)] > 1)


def target(card: Callable[[str], str]) -> Callable[[str], str]:
    """A function that names what is reserved: a card, or the top card of a deck."""

    def name(target: str) -> str:
        return (
            _("the top card of the level %(level)d deck") % {"level": DECKS[target]}
            if target in DECKS
            else card(target)
        )

    return name


PHRASES: Phrases = {
    "tokens": (("tokens",), tokens),
    "payment": (("payment",), tokens),
    "due": (("due",), tokens),
}

# --- sentences ---

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
    "asked_pause": _("%(player)s wants to pause."),
    "paused": _("%(player)s agreed to pause. The clocks are paused."),
    "resumed": _("%(player)s ended the pause."),
    "gave_time": _("%(player)s gave %(other)s one more day."),
}
"""Incidents that the players of a game want to know about; `other` is the second player in them."""
MY_INCIDENTS: Sentences = {
    "resigned": _("You resigned."),
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
    "asked_pause": _("You want to pause."),
    "paused": _("You agreed to pause. The clocks are paused."),
    "resumed": _("You ended the pause."),
    "gave_time": _("You gave %(other)s one more day."),
}
"""The same incidents told to the player they happened to."""
GIVEN_TIME = _("%(player)s gave you one more day.")
