"""A stranger learns both titles to the end: by mouse, by keyboard, and without a script."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from games.catalogue import TITLES
from games.lessons.base import Lesson, solution
from games.pages.learn import taught
from tests.axe import Faults
from tests.browser.keys import CONFIRM, DESK, LONG, PHONE, PageOf, is_idle, press

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SHORT = {"mouse": ("duel", 8), "keyboard": ("splendor", 6), "none": ("duel", 8)}
"""A title and a stride for each way: a stride of 8 takes every eighth step. The last step is always taken."""
RIGHT = re.compile("That’s it")
ONWARD = ".lesson-acts .btn-act"
"""The way to the next step, or to a first game."""


def way(name: str) -> pytest.MarkDecorator:
    """The title and the stride of a test; the long form takes every step of both titles."""
    whole = [pytest.param(slug, 1, marks=LONG) for slug in taught()]
    return pytest.mark.parametrize(("slug", "stride"), [SHORT[name], *whole])


def steps(page: Page, slug: str, stride: int) -> Iterator[tuple[int, Lesson]]:
    """The steps to take; the page shows each step when this yields it. The test must pass the step, and leave it by its
    last link."""
    lessons = taught()[slug].LESSONS
    page.goto(f"/learn/{slug}/")
    for number, lesson in enumerate(lessons, 1):
        is_last = number == len(lessons)
        if (number - 1) % stride and not is_last:
            continue
        if stride > 1:
            page.goto(f"/learn/{slug}/{number}/")
        page.wait_for_url(f"**/learn/{slug}/{number}/")
        expect(page.locator(ONWARD)).to_have_count(0)
        yield number, lesson
        page.wait_for_url("**/table/*/" if is_last else f"**/learn/{slug}/{number + 1}/")


def passed(page: Page) -> None:
    expect(page.locator("#result")).to_have_text(RIGHT)
    expect(page.locator(ONWARD)).to_be_visible()


def touch(page: Page, slug: str, decision: str) -> None:
    """Click the controls that a decision names."""
    word, *controls = decision.partition(" =")[0].split()
    if word in ("take", "return") and slug == "splendor":
        controls = list(controls[0])
    if word in ("privilege", "replenish"):
        page.locator(".decision").get_by_role("link", name=word.capitalize()).click()
        is_idle(page)
    if word == "royal":
        page.locator("#board .picks-royal a").first.click()
        is_idle(page)
        return
    for control in controls:
        place = page.locator(f'#board [data-touch="{control}"]:visible, #board [data-card="{control}"]:visible')
        direct = page.locator(f'#board [data-card="{control}"][data-key={word[0]}]:visible')
        (direct if direct.count() else place).first.click()
        is_idle(page)
        if page.locator(".sheet").count():
            page.locator(f".sheet [data-key={word[0]}]").click()
            is_idle(page)


@way("mouse")
def test_by_mouse(page_of: PageOf, faults: Faults, slug: str, stride: int) -> None:
    """The test touches the board as at a table, and the script stages each touch. Axe checks the first and the last
    step."""
    page, found = page_of(None), list[str]()
    for number, lesson in steps(page, slug, stride):
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        for decision in solution(TITLES[slug].ruleset, lesson):
            touch(page, slug, decision)
        page.locator(".decision form button").first.click()
        passed(page)
        if number in (1, len(taught()[slug].LESSONS)):
            found += faults(page)
        page.locator(ONWARD).click()
    assert found == []


@way("keyboard")
def test_by_keyboard(page_of: PageOf, slug: str, stride: int) -> None:
    """After a try the focus is on the verdict, from where the next step is a few keys away."""
    page = page_of(None, viewport={"width": DESK[0], "height": DESK[1]})
    for number, _ in steps(page, slug, stride):
        if (slug, number) == ("splendor", 1):
            press(page, "t", "w", "w", CONFIRM)
            expect(page.locator("#result")).to_be_focused()
            expect(page.locator("#result")).to_have_text(re.compile("Not quite"))
            press(page, "t", "w", "u", "g")
        else:
            press(page, "[^Show me$]", "Enter")
        press(page, CONFIRM)
        passed(page)
        expect(page.locator("#result")).to_be_focused()
        press(page, "[^(Next|Play a first game)$]", "Enter")


@way("none")
def test_without_a_script(page_of: PageOf, slug: str, stride: int) -> None:
    page = page_of(None, viewport={"width": PHONE[0], "height": PHONE[1]}, java_script_enabled=False)
    for _ in steps(page, slug, stride):
        page.get_by_role("link", name="Show me").click()
        page.locator(".decision form button").first.click()
        passed(page)
        page.locator(ONWARD).click()


def test_the_pages_fit_every_screen(page_of: PageOf) -> None:
    """Nothing scrolls sideways, with the longest texts and a verdict."""
    page = page_of(None)
    for address in ("/learn/", "/learn/splendor/6/?played=take+wur", "/learn/duel/4/?played=privilege+a1"):
        page.goto(address)
        for width, height in ((320, 640), (768, 1024), (1100, 700), (2560, 1440)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") == width, address
