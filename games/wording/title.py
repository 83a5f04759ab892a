"""The parts of a title's wording: its sentences, phrases, columns and verdicts."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from games.rules.base import Fact

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

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
    """The criterion that decided the game, in a few words."""
    is_tie: bool = False
    """Whether the best players had the same number of points."""


class Track(NamedTuple):
    """The chart of the points that players gained in a game."""

    goal: int
    """The number of points that players try to reach."""
    mark: str = ""
    """The event that the chart marks."""
    mark_words: "StrPromise | str" = ""
    mark_points: int | None = None
    """The points that this event brings, if they are always the same."""


class WithPhrases(Protocol):
    """The module of sentences that phrases stand in."""

    PHRASES: Phrases


class TitleWords(WithPhrases, Protocol):
    """The names that the module of a title defines."""

    REFUSALS: Sentences
    PARAGRAPHS: Mapping[str, str]
    """The number of the rule behind each refusal, as on the page of the rules; only for a title that has one."""
    EVENTS: Sentences
    MINE: Sentences
    """Events of the reader: “You took 1 ruby.”"""
    AGAINST_ME: Sentences
    """Events of the opponent that cost the reader something: “Ben stole 1 ruby from you.”"""
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
    FIGURES: Sequence[Column]
    """The figures that statistics add up; the first one is the points. After a change, all games must be counted
    again."""
    TRACK: Track


class Step(NamedTuple):
    """The words of a lesson."""

    heading: "StrPromise"
    text: "tuple[StrPromise, ...]"
    """Its paragraphs."""
    task: "StrPromise"
    """The decision that it asks for."""


class LessonWords(WithPhrases, Protocol):
    """The names that the module about a title's lessons defines."""

    STEPS: Mapping[str, Step]
    """The words of each lesson by its name."""
    DOES: Sentences
    """Sentences about the effect of a decision, by its kind."""
    REMARKS: Sentences
    """The remark on a decision, by the name of the lesson and `right` or the kind of decision."""
    HINTS: Sentences
    """The hints for a first game."""


class BoardWords(Protocol):
    """The names that the module about the board of a title defines."""

    WORDS: Sequence[Callable[..., object]]
    """The functions that the templates of the board can call, as `slug.name`."""
    SIGNS: Sentences
    """The names of symbols that only this board has, by their id in the sprite; a number at its end does not count."""
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
