"""The words of the lessons: headings, tasks, and what every decision would do. The tables of a title are in the module
with its name."""

from importlib import import_module
from typing import Any, cast

from games.catalogue import TITLES
from games.lessons.base import Lessons, Verdict
from games.wording import say
from games.wording.title import LessonWords, Step


def step(slug: str, lesson: str) -> Step:
    """The words of that lesson."""
    return _words(slug).STEPS[lesson]


def told(slug: str, verdict: Verdict) -> list[str]:
    """The verdict as whole sentences: what the decision would do, and why it is not the one asked for; or, if it is,
    what it brought."""
    words = _words(slug)
    remark = say(words, words.REMARKS, verdict.remark.code, verdict.remark.facts)
    return [remark] if verdict.right else [say(words, words.DOES, verdict.does.code, verdict.does.facts), remark]


def hint(slug: str, seen: Any) -> str:
    """The hint for a first game, as a sentence to the seat that observes; empty if there is nothing to say."""
    found = cast(Lessons, import_module(TITLES[slug].lessons)).hint(seen)
    return say(_words(slug), _words(slug).HINTS, found.code, found.facts) if found else ""


def _words(slug: str) -> LessonWords:
    return cast(LessonWords, import_module(TITLES[slug].lesson_words))
