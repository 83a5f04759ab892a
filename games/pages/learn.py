"""The pages of the lessons. A lesson has no table: its address and the rules say everything, and nothing is stored."""

from importlib import import_module
from typing import Any, cast
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.template import loader
from django.urls import reverse
from django.utils.safestring import mark_safe
from django_htmx.http import replace_url

from games import rendering, wording
from games.boards.common import join, split
from games.catalogue import TITLES
from games.forms import MAX_POST_LENGTH
from games.lessons.base import Lesson, Lessons, Verdict, judge, solution
from games.pages.table import HtmxHttpRequest, board_context
from games.rules.base import Refusal
from games.services import play
from games.wording import choices, lessons

OPPONENT = "Ana"
"""The other player of every lesson."""


def taught() -> dict[str, Lessons]:
    """The lessons of every title that has some."""
    return {slug: cast(Lessons, import_module(title.lessons)) for slug, title in TITLES.items() if title.lessons}


def overview() -> list[dict[str, Any]]:
    """The titles with the headings of their lessons."""
    return [
        {
            "slug": slug,
            "name": TITLES[slug].ruleset.name,
            "blurb": wording.blurb(slug),
            "steps": [lessons.step(slug, lesson.name).heading for lesson in each.LESSONS],
        }
        for slug, each in taught().items()
    ]


def is_legal(slug: str, number: int, moves: str) -> bool:
    """Whether the decisions could be played in the lesson."""
    try:
        _judged(slug, _lesson(slug, number), moves)
    except Refusal:
        return False
    return True


def show(request: HtmxHttpRequest, slug: str, number: int, played: str | None) -> HttpResponse:
    """The lesson with the draft of the address, or with the verdict about what was played: the whole page, or only its
    region. 422 with the reason if the rules refuse it."""
    lesson, address, status = _lesson(slug, number), reverse("lesson", args=[slug, number]), 200
    verdict, refused = None, {}
    try:
        verdict = None if played is None else _judged(slug, lesson, played)
    except Refusal as refusal:
        said, status = wording.refusal(slug, refusal), 422
        refused = {"refusal": said, "told": [said], "rule": wording.paragraph(slug, refusal)}
    context = _context(slug, number, lesson, request.GET.get("card", ""), verdict, request.GET.get("draft", ""))
    context |= refused
    region = loader.render_to_string("games/learn/_region.jinja", context, request, using="jinja")
    context["region"] = mark_safe(region)
    template = "games/learn/_swap.html" if request.htmx else "games/learn/lesson.html"
    response = render(request, template, context, status=status)
    if request.method == "POST" and request.htmx:
        return replace_url(response, told_at(slug, number, played or "") if verdict else address)
    return response


def told_at(slug: str, number: int, played: str) -> str:
    """The address of the verdict about these decisions."""
    return f"{reverse('lesson', args=[slug, number])}?{urlencode({'played': played})}"


def _lesson(slug: str, number: int) -> Lesson:
    return taught()[slug].LESSONS[number - 1]


def _judged(slug: str, lesson: Lesson, moves: str) -> Verdict:
    staged, last = split(moves[:MAX_POST_LENGTH])
    return judge(TITLES[slug].ruleset, taught()[slug], lesson, [*staged, *([last] if last else [])])


def _context(slug: str, number: int, lesson: Lesson, card: str, verdict: Verdict | None, draft: str) -> dict[str, Any]:
    title, everything = TITLES[slug], taught()[slug].LESSONS
    seat = lesson.state.to_act
    names = [OPPONENT, OPPONENT]
    if verdict and verdict.right:
        seen = title.ruleset.observe(verdict.state, seat)
        board = title.board(seen, [], [], "")
    else:
        look = play.try_out(title.ruleset, lesson.state, seat, draft[:MAX_POST_LENGTH])
        board = title.board(look.seen, look.legal, look.staged, look.prefix, look.before)
    steps = [
        {"number": place, "heading": lessons.step(slug, each.name).heading} for place, each in enumerate(everything, 1)
    ]
    address = reverse("lesson", args=[slug, number])
    context = board_context(slug, board, names, address, card) | {
        "lesson": lesson,
        "words": lessons.step(slug, lesson.name),
        "steps": steps,
        "number": number,
        "before": number - 1 or None,
        "after": number + 1 if number < len(everything) else None,
        "shown": rendering.address(join(solution(title.ruleset, lesson))),
        "sheet_or_draft": bool(draft or card),
    }
    if verdict:
        context |= {"verdict": verdict, "told": lessons.told(slug, verdict)}
    if verdict and verdict.right:
        first = title.ruleset.show(verdict.tried.step.events[0], seat)
        context["my_move"] = rendering.event_line(slug, first, names, seat) if first else None
    elif board.mine:
        context["choices"] = choices.embedded(slug, board)
    return context
