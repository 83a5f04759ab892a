"""People play a rated game and see what it did; somebody away does not lose by time; one mail says what many said."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game, Notice, Rating
from games.services.clocks.moment import now
from games.services.work import sweep
from tests.browser.keys import DESK, WAYS, PageOf, is_idle
from tests.browser.player import Player
from tests.factories import DAY, acting, begun, each_began, play_until, post, told_all
from tests.mails.reading import headings
from tests.smtp import MailServer

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def save(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="Save").last.click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()


def test_two_people_play_a_rated_game_and_see_their_ratings_change(page_of: PageOf, alice: User, bob: User) -> None:
    host, guest = (page_of(user, viewport={"width": DESK[0], "height": DESK[1]}) for user in (alice, bob))
    host.goto(reverse("new"))
    host.get_by_role("radio", name="Splendor Duel", exact=True).check()
    host.locator("details.fold > summary").click()
    host.get_by_role("button", name="Open the table").click()
    host.wait_for_url("**/table/*/")
    game = Game.objects.get()
    guest.goto(host.get_by_role("textbox", name="Invitation link").input_value())
    expect(guest.get_by_text("This game is rated.").first).to_be_visible()
    expect(guest.get_by_text("In rated games, help from other people or programs isn’t allowed")).to_be_visible()
    guest.get_by_role("button", name=re.compile("^(Join|Take the seat|Sit down)")).click()
    for page in (guest, host):  # the host's page loads the table by itself, before it is sent anywhere else
        expect(page.locator("#board")).to_be_visible()
    play_until(game, 3)
    players = {alice.pk: Player(host), bob.pk: Player(guest)}
    while game.is_active:
        user = acting(game).user
        assert user is not None
        player = players[user.pk]
        player.page.goto(reverse("table", args=[game.key]))
        player.turn()
        game.refresh_from_db()
    points = {}
    for user, page in ((alice, host), (bob, guest)):
        page.goto(reverse("table", args=[game.key]))
        rating = Rating.objects.get(user=user, pool__bots=False)
        points[user.pk] = f"{rating.points:.0f}"
        expect(page.get_by_role("main")).to_contain_text(points[user.pk])
        page.goto(reverse("history"))
        expect(page.locator(".row-finished")).to_have_count(1)
        page.goto(reverse("ratings"))
        expect(page.get_by_role("main")).to_contain_text(points[user.pk])
    host.goto(reverse("profile", args=["bob"]))
    expect(host.locator(".profile-ratings")).to_contain_text(points[bob.pk])


@WAYS
def test_a_person_on_automatic_vacation_does_not_run_out_of_time(
    page_of: PageOf, alice: User, bob: User, size: tuple[int, int], script: bool
) -> None:
    game = begun([alice, bob], host_begins=True)
    each_began(game)
    options = {"viewport": {"width": size[0], "height": size[1]}, "java_script_enabled": script}
    page = page_of(alice, **options)  # type: ignore[arg-type]
    page.goto(reverse("vacation"))
    page.get_by_label("Begin a day of vacation").check()
    save(page)
    game.refresh_from_db()
    deadline = game.deadline
    assert deadline is not None
    with time_machine.travel(deadline, tick=True):
        told_all()
        sweep.sweep()
        game.refresh_from_db()
        assert game.deadline == deadline + DAY
        other = page_of(bob, **options)  # type: ignore[arg-type]
        other.goto(reverse("table", args=[game.key]))
        back = (deadline + DAY).strftime("%H:%M")
        expect(other.get_by_text(re.compile(f"on vacation until .*{back}")).first).to_be_visible()


@WAYS
def test_a_person_who_wants_one_mail_a_day_gets_one(
    page_of: PageOf, alice: User, bob: User, smtp: MailServer, size: tuple[int, int], script: bool
) -> None:
    page = page_of(alice, viewport={"width": size[0], "height": size[1]}, java_script_enabled=script)
    page.goto(reverse("mail_wishes"))
    page.get_by_label("Send one a day").check()
    page.get_by_label("Hour of the daily email").select_option("18:00")
    save(page)
    for _game in range(3):
        begun([alice, bob], host_begins=True)
    with time_machine.travel(now() + timedelta(minutes=5), tick=False):
        post()
    page.goto(reverse("deliveries"))
    expect(page.get_by_text("Will be sent with the daily email.")).to_have_count(3)
    due = Notice.objects.get(kind="digest").due_at
    with time_machine.travel(due, tick=False):
        post()
    [mail] = [message for message in smtp.messages if message["To"] == alice.email]
    assert len(headings(mail)) == 3
    page.goto(reverse("deliveries"))
    expect(page.get_by_text("Sent with the daily email.")).to_have_count(3)
    is_idle(page)
