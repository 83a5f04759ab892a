"""A third title is a folder and one entry of the catalogue: people play it, and get mails about it."""

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Notice
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.tables import tables
from games.services.work import thinking
from tests.browser.keys import PageOf
from tests.smtp import MailServer
from tests.toy import TEMPLATES, TITLE


@pytest.fixture
def toy(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "toy", TITLE)
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], TEMPLATES]} for engine in settings.TEMPLATES]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_game_can_be_played_from_the_table_to_the_result(toy: None, page_of: PageOf, alice: User) -> None:
    page = page_of(alice)
    page.goto("/tables/new/?title=toy")
    expect(page.get_by_role("radio", name=re.compile("^Toy For two or three"))).to_be_checked()
    page.locator("[name=bots][value='1']").check()
    page.get_by_role("radio", name=re.compile("Greedy")).check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*/")
    game = Game.objects.get()
    while game.is_active:
        thinking.think(game.pk)
        page.goto(f"/table/{game.key}/")
        for way in ("Draw a card", "Stop"):
            link = page.get_by_role("link", name=way, exact=True)
            if link.count() and (way == "Stop" or page.locator("#board li", has_text="You").locator("b").count() < 1):
                link.click()
                page.get_by_role("button", name=f"Confirm: {way}").click()
                expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
                break
        game.refresh_from_db()
    page.goto(f"/table/{game.key}/")
    expect(page.get_by_role("heading", name="Final standings", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("came nearest with")
    assert game.commitment in page.content()
    assert "check_shuffle.py" not in page.content()  # the script does not know the title
    page.get_by_role("link", name="Look back", exact=True).click()
    expect(page.get_by_role("link", name="Back to the game")).to_be_visible()
    expect(page.get_by_role("region", name="Ledger")).to_contain_text("drew a card")


@pytest.mark.django_db
def test_the_first_page_shows_the_title(toy: None) -> None:
    page = Client().get("/").content.decode()
    assert re.findall(r"<h3>(.*?)</h3>", page)[: len(TITLES)] == ["Splendor", "Splendor Duel", "Toy"]


@pytest.mark.django_db(transaction=True)
def test_the_turn_is_mailed(toy: None, smtp: MailServer, alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("toy", 2))
    tables.join(game, bob)
    Notice.objects.update(due_at=now())
    for notice in Notice.objects.filter(kind=Notice.Kind.TURN):
        deliveries.deliver(notice.pk)
    [mail] = [mail for mail in smtp.messages if "Your turn: Toy" in str(mail["Subject"])]
    body = mail.get_body(("plain",))
    assert body is not None
    assert "Draw a card" in body.get_content()


@pytest.mark.django_db
def test_a_title_without_a_core_offers_its_own_bots(toy: None, alice: User) -> None:
    client = Client()
    client.force_login(alice)
    post = {"title": "toy", "seats": 2, "bots": 1, "admission": "link", "pace": "none", "audience": "link"}
    answer = client.post("/tables/new/", {**post, "strength": "medium"})
    assert answer.status_code == 422
    assert not Game.objects.exists()
    assert client.post("/tables/new/", {**post, "strength": "greedy"}).status_code == 302
