"""The words of the lessons: headings, tasks, and what every decision would do. The tables of a title are in the module
with its name."""

from importlib import import_module
from typing import cast

from games.catalogue import TITLES
from games.lessons.base import Verdict
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


def _words(slug: str) -> LessonWords:
    return cast(LessonWords, import_module(TITLES[slug].lesson_words))
