"""Scripts of the pages that are not tables: the theme, a new table, its link, and the search for a time zone."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.services.tables import tables
from tests.browser.keys import HIDE, PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_the_theme_changes_without_leaving_the_page(page_of: PageOf) -> None:
    page = page_of(None, color_scheme="light")
    page.goto("/account/login/")
    page.get_by_label("User name or email address").fill("half typed")
    entries = page.evaluate("history.length")
    page.locator(".menu-theme summary").click()
    with page.expect_response("**/settings/theme/"):
        page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("User name or email address")).to_have_value("half typed")
    assert page.evaluate("history.length") == entries
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("theme", ["auto", "dark"])
def test_rules_are_printed_in_light_colours(page_of: PageOf, alice: User, theme: str) -> None:
    alice.theme = theme
    alice.save()
    page = page_of(alice, color_scheme="dark")
    page.goto("/rules/duel/")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def test_saving_the_settings_keeps_a_theme_chosen_in_the_rail(page_of: PageOf, alice: User) -> None:
    page = page_of(alice, color_scheme="light")
    page.goto("/settings/")
    page.locator(".menu-theme summary").click()
    with page.expect_response("**/settings/theme/"):
        page.get_by_role("button", name="Dark").click()
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    with page.expect_navigation():
        page.get_by_role("button", name="Save").first.click()
    alice.refresh_from_db()
    assert alice.theme == "dark"


def test_the_sentence_about_a_new_table_stays_true(page_of: PageOf, alice: User) -> None:
    page = page_of(alice, viewport={"width": 360, "height": 740})
    page.goto("/tables/new/")
    summary = page.locator(".fold summary")
    # One screen of a phone holds both ways and the settings.
    box = summary.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 740
    expect(page.get_by_role("button", name="Play a bot: Medium")).to_be_visible()
    page.get_by_role("radio", name="Easy").check()
    expect(page.get_by_role("button", name="Play a bot: Easy")).to_be_visible()
    summary.click()
    page.locator("[name=seats][value='3']").check()
    page.locator("[name=bots][value='1']").check()
    page.get_by_role("radio", name=re.compile("A month or more")).check()
    assert summary.locator(".fold-parts span:not(:empty)").all_inner_texts() == [
        "3 players",
        "1 bot",
        "A month or more",
        "Anyone with the link",
        "A bot takes over",
    ]


def test_the_link_to_a_table_is_copied(page_of: PageOf, alice: User) -> None:
    game = tables.create(alice, tables.TableSpec("duel", 2))
    page = page_of(alice, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"/table/{game.key}/")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_the_list_of_tables_is_loaded_again_for_a_reader_who_was_away(page_of: PageOf, alice: User, bob: User) -> None:
    page = page_of(alice, again=False)
    page.clock.install()
    page.goto("/games/")
    game = tables.create(bob, tables.TableSpec("duel", 2, admission="open"))
    row = page.locator(f"a[href*='{game.key}']")
    for away, number in (("04:00", 0), ("02:00", 1)):
        page.evaluate(HIDE, True)
        page.clock.fast_forward(away)
        page.evaluate(HIDE, False)
        page.wait_for_timeout(300)
        expect(row).to_have_count(number)


def test_a_time_zone_is_found_by_its_city(page_of: PageOf, alice: User) -> None:
    page = page_of(alice)
    page.goto("/settings/")
    search, zone = page.get_by_label("Find a city"), page.get_by_label("Time zone")
    for typed, found in [("lis", "Europe/Lisbon"), ("SAO P", "America/Sao_Paulo"), ("calcutta", "Asia/Kolkata")]:
        search.fill(typed)
        expect(zone).to_have_value(found)
    search.fill("")
    assert zone.locator("option").count() > 400
