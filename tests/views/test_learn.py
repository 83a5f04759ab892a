"""The pages of the lessons are for everybody, need no script and store nothing."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.boards.common import join
from games.catalogue import TITLES
from games.lessons.base import Verdict, judge, solution
from games.pages.learn import taught
from games.wording import lessons as words
from tests.factories import As
from tests.toy import TITLE

pytestmark = pytest.mark.django_db
SWAP = {"HX-Request": "true"}
STEPS = [(slug, number) for slug, each in taught().items() for number in range(1, len(each.LESSONS) + 1)]


def path(slug: str, number: int) -> str:
    return reverse("lesson", args=[slug, number])


def text(answer: Any) -> str:
    """The words of a page in one line."""
    page = re.sub(r"<script.*?</script>|<template.*?</template>", "", answer.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_strangers_find_the_lessons(client: Client, django_assert_num_queries: Any) -> None:
    for page in ("/", "/learn/"):
        assert f'href="{reverse("learn")}"' in client.get(page).content.decode()
    with django_assert_num_queries(0):
        overview = client.get(reverse("learn")).content.decode()
        assert re.findall(r'href="(/learn/\w+/\d+/)">[^<\s]', overview) == [path(*step) for step in STEPS]
        assert 'content="Learn Splendor and Splendor Duel in short steps' in overview
        assert 'content="On your turn you do one thing: ' in client.get(path("splendor", 1)).content.decode()
        for slug in taught():
            assert client.get(f"/learn/{slug}/")["Location"] == path(slug, 1)


def test_an_empty_dashboard_leads_to_the_lessons(as_: As, alice: User) -> None:
    page = as_(alice).get(reverse("mine")).content.decode()
    assert "Learn to play in five minutes" in page
    assert page.count(f'href="{reverse("learn")}"') == 2


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_a_lesson_is_left_by_a_decision_only(
    client: Client, django_assert_num_queries: Any, slug: str, number: int
) -> None:
    """One decision of each kind is posted; nothing is stored, and only the right one opens the next step."""
    lesson = taught()[slug].LESSONS[number - 1]
    ruleset, here = TITLES[slug].ruleset, path(slug, number)
    onward = f'class="btn btn-act" href="{path(slug, number + 1)}"'
    if (slug, number + 1) not in STEPS:
        onward = f'<form method="post" action="{reverse("play_bot", args=[slug])}" hx-boost="false">'
    kinds: dict[str, tuple[str, Verdict]] = {}
    for action in ruleset.all_actions(lesson.state):
        verdict = judge(ruleset, taught()[slug], lesson, [str(action)])
        kinds.setdefault(verdict.remark.code, (str(action), verdict))
    with django_assert_num_queries(0):
        page = client.get(here)
        assert (page.status_code, str(words.step(slug, lesson.name).task) in text(page)) == (200, True)
        assert onward not in re.sub(r"\s+", " ", page.content.decode())
        for notation, verdict in kinds.values():
            answer = client.post(here, {"number": 0, "moves": notation})
            assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, here)
            page, swap = client.get(answer["Location"]), client.post(here, {"moves": notation}, headers=SWAP)
            for shown in (page, swap):
                assert shown.status_code == 200
                assert all(sentence in text(shown) for sentence in words.told(slug, verdict))
                assert (onward in re.sub(r"\s+", " ", shown.content.decode())) == verdict.right
                assert ("That’s it" in text(shown)) == verdict.right
                # Nothing is left to decide, and nobody will write to the reader.
                hints = ("A gold token comes with it.", "You’ll be told when it’s your turn.")
                assert not verdict.right or not any(hint in text(shown) for hint in hints)
                assert ("Not quite" in text(shown)) != verdict.right
            assert swap["HX-Replace-Url"] == answer["Location"].removesuffix("#result")


@pytest.mark.parametrize("moves", ["", "take wwu", "take w;take u", "pass", "nonsense", "\0", "take " + "w" * 9000])
def test_other_posts_are_refused_with_the_reason(client: Client, moves: str) -> None:
    for answer in (
        client.post(path("splendor", 1), {"moves": moves}),
        client.post(path("splendor", 1), {"moves": moves}, headers=SWAP),
        *([client.get(path("splendor", 1), {"played": moves})] if moves else []),
    ):
        assert (answer.status_code, "That isn’t possible" in text(answer)) == (422, True)
    refused = client.post(path("splendor", 2), {"moves": "take ww"}).content.decode()
    assert "/rules/splendor/?refused=R16#R16" in refused


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_token_that_cannot_join_is_refused_with_its_rule(client: Client, number: int) -> None:
    answer = client.get(path("duel", number), {"draft": "take a1 c5"})
    assert (answer.status_code, 'href="/rules/duel/?refused=D28#D28"' in answer.content.decode()) == (200, True)


def test_the_solution_is_shown_and_still_to_be_confirmed(client: Client) -> None:
    for slug, number in STEPS:
        lesson = taught()[slug].LESSONS[number - 1]
        [link] = re.findall(r'href="([^"]+)">Show me', client.get(path(slug, number)).content.decode())
        page = client.get(path(slug, number) + html.unescape(link))
        posted = re.findall(r'name="moves"\s+value="([^"]+)"', page.content.decode())
        assert join(solution(TITLES[slug].ruleset, lesson)) in map(html.unescape, posted)
        assert "That’s it" not in text(page)


def test_lessons_have_an_address_in_each_language(client: Client) -> None:
    assert "Prenez trois pierres de couleurs différentes." in text(client.get("/fr/learn/splendor/1/"))
    shown = text(client.get("/fr/learn/duel/10/", {"played": "attach w"}))
    assert "Vous associeriez la carte à une carte blanche. Il vous manquerait alors 1 rubis" in shown


def test_other_addresses_are_not_found(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "toy", TITLE)
    for address in (
        "/learn/chess/",
        "/learn/toy/",
        "/learn/toy/1/",
        "/learn/duel/0/",
        "/learn/duel/13/",
        "/learn/duel/x/",
    ):
        assert client.get(address).status_code == 404
    assert "Toy" not in text(client.get("/learn/"))
    assert client.post("/learn/").status_code == 405
