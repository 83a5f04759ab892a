"""Events, refusals and actions as sentences in the reader's language. No other module has prose about play.

The sentences of a title are the tables of `games.wording.<slug>`. `common` has the sentences that all titles share, and
`phrases` the phrases in them. A code without a sentence raises `KeyError`. Sentences are plain text; code that puts
them into HTML escapes them.
"""

from collections.abc import Container, Sequence
from importlib import import_module
from typing import Any, cast

from games.catalogue import TITLES
from games.rules.base import Action, Event, Outcome, Refusal
from games.wording.common import BY_POINTS, GIVEN_TIME, INCIDENTS, MY_INCIDENTS, SHARED, UNTOLD
from games.wording.common_board import SIGNS
from games.wording.phrases import counted, join
from games.wording.title import BoardWords, Column, Facts, Phrases, Sentences, TitleWords, Track, WithPhrases, read

__all__ = [
    "INCIDENTS", "action", "aim", "blurb", "board_words", "event", "figures", "incident", "outcome", "paragraph",
    "reason", "refusal", "say", "signs", "standing", "track", "verdict",
]  # fmt: skip


def refusal(slug: str, error: Refusal) -> str:
    """The refusal as a sentence to the user who tried: “The level 3 deck is empty.”"""
    title = _title(slug)
    return say(title, title.REFUSALS, error.code, error.facts)


def paragraph(slug: str, error: Refusal) -> str:
    """The number of the rule behind the refusal: “R29”; empty if the title has no page of its rules."""
    if not TITLES[slug].pieces:
        return ""
    paragraphs = _title(slug).PARAGRAPHS
    return paragraphs[_key(paragraphs, error.code, error.facts)]


def event(
    slug: str, event: Event, names: Sequence[str], instead: Facts | None = None, *, reader: int | None = None
) -> str:
    """The event as a sentence with the players' names: “Ana took 1 diamond and 2 rubies.”, “You took 1 diamond and 2
    rubies.” to its reader in that seat. `instead` replaces words by drawings; its keys are placeholders."""
    title = _title(slug)
    facts = dict(event.facts)
    sentences = title.EVENTS
    if "seat" in facts and reader is not None:
        sentences = title.MINE if int(facts["seat"]) == reader else title.AGAINST_ME
    if "seat" in facts:
        seat = int(facts["seat"])
        facts |= {"player": names[seat], "others": join([*names[:seat], *names[seat + 1 :]])}
    return say(title, sentences, event.code, facts, instead)


def action(slug: str, action: Action[Any]) -> str:
    """The action as a request, for buttons and lists: “Reserve the top card of the level 2 deck”."""
    title = _title(slug)
    pattern, facts = read(title.ACTIONS, str(action))
    return say(title, title.ACTIONS, pattern, facts)


def outcome(slug: str, outcome: Outcome, names: Sequence[str], reader: int | None = None) -> str:
    """How the game ended: “Ana won with 16 points.”, or “You won with 16 points.” to the winner."""
    title = _title(slug)
    points = outcome.scores[outcome.winners[0]]
    tied = [seat for seat, score in enumerate(outcome.scores) if score == points and seat not in outcome.winners]
    facts: Facts = {
        "winners": join([names[seat] for seat in outcome.winners]),
        "points": points,
        "tied": join([names[seat] for seat in tied]),
    }
    return say(title, title.VICTORIES if outcome.winners == (reader,) else title.OUTCOMES, outcome.reason, facts)


def verdict(
    slug: str,
    names: Sequence[str],
    reader: int | None,
    winners: Sequence[int],
    rivals: Sequence[int] = (),
    outcome: Outcome | None = None,
) -> str:
    """The heading of a result: “You lost by three”, or “Ana won by three” to a spectator. `rivals` are the other seats
    that could have won; `outcome` is `None` if the game was not played to its end."""
    facts: Facts = {
        "winners": join([names[seat] for seat in winners]),
        "others": join([names[seat] for seat in winners if seat != reader]),
    }
    said = SHARED if len(winners) > 1 else UNTOLD
    if outcome and rivals:
        said = _title(slug).VERDICTS[outcome.reason]
        behind = outcome.scores[winners[0]] - max(
            outcome.scores[seat] for seat in rivals if reader not in rivals or seat == reader
        )
        if said.is_tie and reader in rivals and behind:
            said = BY_POINTS
        facts = {**facts, "margin": counted(behind)}
    return str((said.won if reader in winners else said.told if reader is None else said.lost) % facts)


def reason(slug: str, code: str) -> str:
    """The criterion that decided the game, in a few words: “Fewer cards.” `code` is the reason of its outcome."""
    return str(_title(slug).VERDICTS[code].reason)


def is_by_points(slug: str, code: str) -> bool:
    """Whether the points alone decided the game. `code` is the reason of its outcome."""
    return _title(slug).VERDICTS[code].won == BY_POINTS.won


def track(slug: str) -> Track:
    """The chart of points of that title."""
    return _title(slug).TRACK


def aim(slug: str) -> str:
    """How a player wins, ties included."""
    return str(_title(slug).AIM)


def standing(slug: str) -> Sequence[Column]:
    """The columns of the title's final standing."""
    return _title(slug).STANDING


def figures(slug: str) -> Sequence[Column]:
    """The figures of the title that statistics add up; the first one is the points."""
    return _title(slug).FIGURES


def incident(kind: str, names: Sequence[str], seat: int, other: int | None = None, *, reader: int | None = None) -> str:
    """An incident as a sentence about the player in that seat: “Ben resigned.”, “You resigned.” to its reader. `other`
    is the seat of the second player, if there is one."""
    sentence = MY_INCIDENTS[kind] if seat == reader else INCIDENTS[kind]
    if kind == "gave_time" and other == reader is not None:
        sentence = GIVEN_TIME
    return str(sentence % {"player": names[seat], "other": "" if other is None else names[other]})


def blurb(slug: str) -> str:
    """The kind of game: “For two players. One board of tokens, three ways to win.”"""
    return str(_title(slug).BLURB)


def board_words(slug: str) -> BoardWords:
    """The words of the board of that title."""
    return cast(BoardWords, import_module(TITLES[slug].board_words))


def signs(slug: str) -> dict[str, str]:
    """The names of the symbols on the board of that title, by their id in the sprite without a number at its end."""
    return {symbol: str(name) for symbol, name in {**SIGNS, **board_words(slug).SIGNS}.items()}


def _title(slug: str) -> TitleWords:
    return cast(TitleWords, import_module(TITLES[slug].words))


class _Said(dict[str, Any]):
    """The values of a sentence's placeholders; a phrase is made only if the sentence uses it."""

    def __init__(self, phrases: Phrases, facts: Facts, instead: Facts) -> None:
        super().__init__(instead)
        self.phrases, self.facts = phrases, facts

    def __missing__(self, name: str) -> Any:
        needed, phrase = self.phrases.get(name, ((), None))
        if phrase and self.facts.keys() >= set(needed):
            return phrase(*(self.facts[fact] for fact in needed))
        return self.facts[name]


def say(words: WithPhrases, sentences: Sentences, code: str, facts: Facts, instead: Facts | None = None) -> str:
    """The sentence of that code, with the phrases of these words."""
    sentence = sentences[_key(sentences, code, facts)]
    return str(sentence % _Said(words.PHRASES, facts, instead or {}))


def _key(keys: Container[str], code: str, facts: Facts) -> str:
    """The key for that value of a fact, or else the code."""
    special = (f"{code} {name}={fact}" for name, fact in facts.items())
    return next((key for key in special if key in keys), code)
