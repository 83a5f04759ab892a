"""The lessons of every title: a position, the decision that it asks for, and a judgement of any other.

A lesson is judged by the rules: a decision is right if its effect is the one asked for. Codes and facts say what every
other decision would do; `games.wording.lessons` makes sentences of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.rules.base import Action, CodeAndFacts, Fact, Ruleset, State, Step

Facts = Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Tried:
    """A legal decision in the position of a lesson."""

    before: Any
    """The state of the lesson."""
    step: Step[Any]
    """The result of the decision, with what was settled after it."""

    @property
    def action(self) -> Action[Any]:
        """The decision, complete."""
        return self.step.played[0]

    def caused(self, code: str) -> bool:
        """Whether the decision caused an event with that code."""
        return any(event.code == code for event in self.step.events)


def nothing(tried: Tried) -> Facts:
    return {}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A step of the lessons: one position, one decision."""

    name: str
    """Its name in code, by which its words are found."""
    state: Any
    """The prepared position; the reader has the seat to act."""
    wants: Callable[[Tried], bool]
    """Whether a decision does what the lesson asks for."""
    about: str
    """The part of the board that it is about, for the styles."""
    facts: Callable[[Tried], Facts] = nothing
    """More facts about a decision, for the remark on it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a decision."""

    right: bool
    does: CodeAndFacts
    """The kind of decision, and what it would do."""
    remark: CodeAndFacts
    """The remark for the lesson. Its code is the lesson's name, then `right` or the kind of decision."""
    state: State
    """The state after everything that was posted."""
    tried: Tried


class Lessons(Protocol):
    """The names that the module of a title's lessons defines."""

    LESSONS: Sequence[Lesson]
    does: Callable[[Tried], CodeAndFacts]
    """The kind of a decision, and its facts."""
    hint: Callable[[Any], CodeAndFacts | None]
    """The hint for a first game, given the observation of the seat to act; `None` if there is nothing to say."""


def judge(ruleset: Ruleset[Any, Any], lessons: Lessons, lesson: Lesson, notations: Sequence[str]) -> Verdict:
    """Judge the first of these decisions; the others must be legal after it. Raises `Refusal`, as a table does."""
    steps = ruleset.apply_all(lesson.state, notations)
    tried = Tried(lesson.state, steps[0])
    does, right = lessons.does(tried), lesson.wants(tried)
    remark = CodeAndFacts(f"{lesson.name} {'right' if right else does.code}", **{**does.facts, **lesson.facts(tried)})
    return Verdict(right, does, remark, steps[-1].state, tried)


def solution(ruleset: Ruleset[Any, Any], lesson: Lesson) -> list[str]:
    """The first decision that does what the lesson asks for, with the first choice of everything that it causes."""
    seat, state, option = lesson.state.to_act, lesson.state, _right(ruleset, lesson)
    notations = []
    while option:
        step = ruleset.apply(state, option)
        notations.append(str(step.played[0]))
        state, option = step.state, None
        if state.to_act == seat and not step.ends_turn and not step.reveals:
            following = next(ruleset.options(state))
            option = following if following.settles else None
    return notations


def _right(ruleset: Ruleset[Any, Any], lesson: Lesson) -> Action[Any] | None:
    options = ruleset.options(lesson.state)
    return next(each for each in options if lesson.wants(Tried(lesson.state, ruleset.apply(lesson.state, each))))
