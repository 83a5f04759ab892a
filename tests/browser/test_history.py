"""A person finds a finished game in the history, looks at it, comes back, and takes it along."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from games.models import Game
from games.services import play
from tests.axe import Faults
from tests.browser.keys import DESK, PHONE, WAYS, PageOf
from tests.browser.screens import faults as misfits
from tests.factories import begun, play_until, play_well

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def found(alice: User, bob: User, charlie: User) -> Game:
    """A game of Duel with Charlie that was played to its end, among others with Bob."""
    game = begun([alice, charlie], "duel", name="Sunday duel")
    play_until(game, 10)
    play_well(game, 1, 60)
    assert game.ending == Game.Ending.PLAYED
    for title in ("splendor", "duel"):
        play.resign(begun([alice, bob], title), bob)
    return game


@WAYS
def test_a_person_finds_a_game_and_takes_it_along(
    page_of: PageOf,
    alice: User,
    found: Game,
    size: tuple[int, int],
    script: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = page_of(alice, viewport={"width": size[0], "height": size[1]}, java_script_enabled=script)
    page.goto(reverse("mine"))
    page.get_by_role("link", name="Finished games").click()
    rows = page.locator(".row-finished")
    expect(rows).to_have_count(3)
    if size == PHONE:
        page.get_by_role("link", name="Showing all games").click()
    page.get_by_role("radio", name="Splendor Duel").check()
    page.get_by_label("Against").fill("charl")
    page.get_by_role("button", name="Show").click()
    expect(rows).to_have_count(1)
    expect(rows.get_by_role("img", name="Splendor Duel")).to_be_visible()
    filtered = page.url
    assert {"title=duel", "against=charl"} <= {*filtered.split("?")[1].split("&")}
    if size == DESK:
        page.get_by_role("link", name="Look back: Sunday duel").click()
        expect(page).to_have_url(re.compile(r"\?at=0$"))
        page.go_back()
        expect(page).to_have_url(filtered)
    rows.get_by_role("link", name="Sunday duel").first.click()
    expect(page.get_by_role("heading", name="Final standings")).to_be_visible()
    for kind in ("JSON", "notation"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Download as {kind}").click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        call_command("replay_games", "--file", str(file))
        assert f"{found.number} decisions: winners=" in capsys.readouterr().out
    page.go_back()
    expect(page).to_have_url(filtered)
    expect(rows).to_have_count(1)
    if size == DESK:
        expect(page.get_by_label("Against")).to_have_value("charl")


def test_the_history_is_sound_on_every_screen(page_of: PageOf, faults: Faults, alice: User, found: Game) -> None:
    Game.objects.update(name="W" * 40)
    page = page_of(alice)
    for query in ("", "?title=chess&against=bob", "?result=shared", "#filters"):
        page.goto("about:blank")
        page.goto(reverse("history") + query)
        assert misfits(page, [(320, 640), PHONE, (768, 1024), DESK]) == []
        assert faults(page) == []
