"""The lessons: sound positions, and a judgement with words of its own for every legal decision."""

from importlib import import_module
from typing import Any

import pytest

from games.catalogue import TITLES
from games.lessons.base import Lesson, Lessons, Verdict, judge, solution
from games.pages.learn import taught
from games.rules.base import IllegalAction
from games.wording import lessons as words

TAUGHT: dict[str, Lessons] = taught()
EACH = [
    pytest.param(slug, lesson, id=f"{slug}-{lesson.name}") for slug, each in TAUGHT.items() for lesson in each.LESSONS
]
RIGHT = {
    "alike": {"take kk"},
    "buy": {"buy 1-blue-02 = wkk"},
    "bonuses": {"buy 1-blue-07 = r"},
    "gold splendor": {"buy 2-white-03 = rr**"},
    "reserve": {"reserve 3-red-02"},
    "reserved": {"buy 2-red-03 = kk", "buy 2-red-03 = k*"},
    "return": {"return ur", "return uk", "return rr", "return rk", "return kk"},
    "nobles": {"buy 1-green-01 = rrr", "buy 1-green-05 = rrkk"},
    "last": {"buy 3-blue-01 = gkk"},
    "privilege": {"privilege b5"},
    "replenish": {"replenish"},
    "again": {"buy 1-white-03 = gp"},
    "match": {"buy 1-blue-02 = wk"},
    "scroll": {"buy 2-blue-03 = wuup"},
    "steal": {"buy 2-green-02 = wwrr"},
    "joker": {"attach r"},
    "crowns": {"buy 1-red-04 = kkk", "buy 2-blue-04 = wwrrkkp"},
    "victory": {"buy 2-none-01 = uup", "buy 2-blue-04 = p", "buy 3-white-01 = rrrkp"},
}
"""The decisions that do what a lesson asks for, where they can be listed."""


def verdicts(slug: str, lesson: Lesson) -> dict[str, Verdict]:
    """The judgement of every legal decision, by its notation."""
    ruleset = TITLES[slug].ruleset
    legal = map(str, ruleset.all_actions(lesson.state))
    return {notation: judge(ruleset, TAUGHT[slug], lesson, [notation]) for notation in legal}


@pytest.mark.parametrize(("slug", "lesson"), EACH)
def test_positions_are_sound(slug: str, lesson: Lesson) -> None:
    ruleset = TITLES[slug].ruleset
    assert ruleset.faults(lesson.state) == []
    assert ruleset.load(ruleset.dump(lesson.state)) == lesson.state


@pytest.mark.parametrize(("slug", "lesson"), EACH)
def test_every_legal_decision_is_judged_in_its_own_words(slug: str, lesson: Lesson) -> None:
    found = verdicts(slug, lesson)
    right = {notation for notation, verdict in found.items() if verdict.right}
    assert 0 < len(right) < len(found)
    wrong = [" ".join(words.told(slug, found[notation])) for notation in sorted(found.keys() - right)]
    assert len(set(wrong)) == len(wrong)
    assert all(words.told(slug, found[notation]) for notation in right)
    first, *rest = solution(TITLES[slug].ruleset, lesson)
    assert (first in right, len(rest) > 0) == (True, lesson.name in ("match", "steal", "crowns"))
    assert judge(TITLES[slug].ruleset, TAUGHT[slug], lesson, [first, *rest]).right


@pytest.mark.parametrize(("slug", "lesson"), EACH)
def test_every_right_decision_is_accepted_and_no_other(slug: str, lesson: Lesson) -> None:
    right = {notation for notation, verdict in verdicts(slug, lesson).items() if verdict.right}
    counted: dict[str, Any] = {
        "different": lambda notation: len(set(notation.removeprefix("take "))) == 3,
        "lines": lambda notation: notation.count(" ") == 3 and notation.startswith("take"),
        "gold duel": lambda notation: notation.startswith("reserve"),
        # A pearl lies on a2 and a3, three onyxes from b1 to b3.
        "pearls": lambda notation: notation.startswith("take") and ("a2" in notation) != ("a3" in notation),
    }
    name = next(name for name in (lesson.name, f"{lesson.name} {slug}") if name in RIGHT or name in counted)
    if name in RIGHT:
        assert right == RIGHT[name]
    else:
        legal = map(str, TITLES[slug].ruleset.all_actions(lesson.state))
        assert right == set(filter(counted[name], legal))


@pytest.mark.parametrize("slug", TAUGHT)
def test_no_word_is_left_over(slug: str) -> None:
    """A sentence for a kind of decision that a lesson does not have would never be read."""
    module = import_module(TITLES[slug].lesson_words)
    lessons = TAUGHT[slug].LESSONS
    assert 8 <= len(lessons) <= 12
    assert list(module.STEPS) == [lesson.name for lesson in lessons]
    found = [verdict for lesson in lessons for verdict in verdicts(slug, lesson).values()]
    assert {" ".join(key.split()[:2]) for key in module.REMARKS} == {verdict.remark.code for verdict in found}
    assert {key.split()[0] for key in module.DOES} == {verdict.does.code for verdict in found}


@pytest.mark.parametrize(("slug", "lesson"), EACH)
def test_empty_and_illegal_decisions_are_refused(slug: str, lesson: Lesson) -> None:
    for moves in ([], ["take wwu" if slug == "splendor" else "take a1 e5"]):
        with pytest.raises(IllegalAction):
            judge(TITLES[slug].ruleset, TAUGHT[slug], lesson, moves)


def test_the_texts_state_the_figures_of_their_positions() -> None:
    by_name = {(slug, lesson.name): lesson.state for slug, each in TAUGHT.items() for lesson in each.LESSONS}
    state = by_name["splendor", "last"]
    ana, me = state.players
    assert (ana.points, len(ana.cards), me.points, len(me.cards)) == (15, 11, 13, 12)
    state = by_name["splendor", "alike"]
    assert state.bank == (3, 3, 3, 3, 4, 5)
    state = by_name["splendor", "nobles"]
    assert (state.player.bonuses, state.nobles[0]) == ((3, 3, 2, 0, 0), "3w3u3g")
    state = by_name["splendor", "return"]
    assert sum(state.player.tokens) == 12
    me = by_name["duel", "victory"].player
    assert (me.points, me.crowns, me.colour_points[1]) == (16, 8, 8)
    state = by_name["duel", "steal"]
    assert (state.opponent.tokens, state.opponent.privileges) == ((0, 0, 1, 1, 1, 0, 0), 1)
    assert state.board.count("u") == 2
    assert by_name["duel", "crowns"].player.crowns == 2
