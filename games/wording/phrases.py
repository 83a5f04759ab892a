"""Phrases that all titles share: counted things (“2 rubies”), and things with their article (“the level 2 blue card”),
which can be the object of a verb in every language."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, reduce, wraps
from typing import TypeVar

from django.utils.timesince import timesince
from django.utils.translation import get_language, ngettext, ngettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.rules.hand import DECKS
from games.wording.title import Phrases, Sentences

Card = TypeVar("Card")
Text = TypeVar("Text", bound=str)
Thing = TypeVar("Thing", bound=Hashable)

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
# Translators: a number of bonuses of a colour: “3 white”.
BONUSES: Sentences = {
    "w": ngettext_lazy("%(number)d white", "%(number)d white", "number"),
    "u": ngettext_lazy("%(number)d blue", "%(number)d blue", "number"),
    "g": ngettext_lazy("%(number)d green", "%(number)d green", "number"),
    "r": ngettext_lazy("%(number)d red", "%(number)d red", "number"),
    "k": ngettext_lazy("%(number)d black", "%(number)d black", "number"),
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
    if 0 < number <= len(COUNTS):
        return str(COUNTS[number - 1])
    return pgettext("a number of points", "%(number)d") % {"number": number}


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
