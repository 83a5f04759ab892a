"""Scripts of the pages that are not tables: the theme, a new table, its link, and the search for a time zone."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.models import Game
from games.services import play
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


@pytest.mark.parametrize("trouble", ["no answer", "server error"])
def test_a_theme_that_is_not_stored_is_not_shown(page_of: PageOf, alice: User, trouble: str) -> None:
    page = page_of(alice)
    page.goto("/settings/")
    page.route(
        "**/settings/theme/",
        lambda route: route.abort() if trouble == "no answer" else route.fulfill(status=502),
    )
    page.locator(".menu-theme summary").click()
    before, dark = page.locator(".menu-theme [aria-pressed=true]"), page.get_by_role("button", name="Dark")
    name = before.inner_text()
    with page.expect_request("**/settings/theme/"):
        dark.click()
    expect(dark).to_have_attribute("aria-pressed", "false")
    expect(before).to_have_text(name)
    expect(page.locator("html[data-theme]")).to_have_count(0)
    expect(page.get_by_role("radio", name="Dark")).not_to_be_checked()


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


@pytest.mark.parametrize("may", [True, False], ids=["allowed", "refused"])
def test_the_link_to_a_result_is_copied_or_followed(page_of: PageOf, alice: User, duel: Game, may: bool) -> None:
    play.resign(duel, alice)
    page = page_of(alice, permissions=["clipboard-read", "clipboard-write"] if may else [], again=False)
    page.clock.install()
    page.goto(f"/table/{duel.key}/")
    link = page.locator("[data-share]")
    if may:
        link.click()
        expect(link).to_have_text("Link copied", use_inner_text=True)
        page.clock.run_for(4000)
        expect(link).to_have_text("Share", use_inner_text=True)
        assert page.evaluate("navigator.clipboard.readText()") == page.url
    else:
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
        with page.expect_navigation():
            link.click()


def test_a_form_with_other_data_is_sent_at_once(page_of: PageOf, alice: User) -> None:
    """In the test the answers open in other tabs, so that the page stays."""
    game = tables.create(alice, tables.TableSpec("duel", 2))
    page = page_of(alice)
    page.goto(f"/table/{game.key}/")
    field = page.get_by_label("Name of the table")
    form = page.locator("form", has=field)
    form.evaluate("form => { form.target = '_blank' }")
    posts = list[str]()
    page.context.on("request", lambda request: posts.append(request.method) if request.method == "POST" else None)
    for name in ("Rubies", "Pearls"):
        field.fill(name)
        with page.expect_popup() as answer:
            form.get_by_role("button").click()
        expect(answer.value.get_by_role("heading", name=name)).to_be_visible()
        form.get_by_role("button").click()
        page.wait_for_timeout(200)
    assert len(posts) == 2


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
