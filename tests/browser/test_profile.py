"""The bubble of a person stays while the mouse is on it. Escape hides it. Without a script, names lead to profiles."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from games.models import Game
from tests.browser.keys import PHONE, PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_bubble_tells_about_a_person_until_the_mouse_leaves_or_escape(
    page_of: PageOf, alice: User, bob: User, game: Game
) -> None:
    page = page_of(alice)
    page.goto(reverse("people", args=[game.key]))
    link = page.get_by_role("link", name="bob").first
    bubble = page.locator(".person-card")
    link.hover()
    expect(bubble).to_be_visible()
    expect(bubble).to_contain_text("bob")
    bubble.hover()
    page.wait_for_timeout(400)
    expect(bubble).to_be_visible()
    page.keyboard.press("Escape")
    expect(bubble).to_be_hidden()
    page.mouse.move(0, 0)
    link.hover()
    expect(bubble).to_be_visible()
    page.mouse.move(0, 0)
    expect(bubble).to_be_hidden()


def test_a_name_leads_to_the_profile_without_a_script(page_of: PageOf, alice: User, bob: User, game: Game) -> None:
    page = page_of(alice, viewport={"width": PHONE[0], "height": PHONE[1]}, java_script_enabled=False)
    page.goto(reverse("people", args=[game.key]))
    page.get_by_role("link", name="bob").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("bob")
