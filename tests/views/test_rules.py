"""The pages of the rules: every rule has its anchor, and every refusal leads to one."""

import re
from html import unescape
from importlib import import_module
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from accounts.services import create_confirmed
from games.catalogue import TITLES
from games.models import Game, Invitation
from games.services.tables import invitations, tables
from games.services.tables.tables import TableSpec
from tests.axe import Faults
from tests.browser.keys import LONG, STAGED, PageOf
from tests.capabilities import CAPABILITIES
from tests.factories import As, begun, lay
from tests.views.reading import text

ROOT = Path(__file__).parents[2]
BOOKS = [slug for slug, title in TITLES.items() if title.pieces]
BY_TITLE = pytest.mark.parametrize("slug", BOOKS)
CARDS = {slug: import_module(f"games.rules.{slug}.cards").CARDS for slug in BOOKS}
ILLEGAL = {"splendor": ("take rr", "R16"), "duel": ("take a1 a3", "D28")}
"""A decision that the rules refuse, and its rule."""


def numbers(slug: str) -> list[str]:
    """The numbers of the rules in the docs."""
    facts = (ROOT / "docs" / "rules" / f"{slug}.md").read_text(encoding="utf-8")
    return re.findall(r"^\* \*\*([RD]\d+a?)\*\*", facts, re.MULTILINE)


def read(address: str) -> bytes:
    answer = Client().get(address)
    assert answer.status_code == 200
    return answer.content


def anchors(page: bytes) -> list[str]:
    return re.findall(r' id="([RD]\d+a?)"', page.decode())


@BY_TITLE
def test_every_rule_has_one_anchor_and_every_anchor_is_a_rule(slug: str) -> None:
    assert sorted(anchors(read(f"/rules/{slug}/"))) == sorted(numbers(slug))


@BY_TITLE
def test_the_rules_have_an_address_in_each_language(slug: str) -> None:
    answer = Client().get(f"/fr/rules/{slug}/")
    assert answer.headers["Content-Language"] == "fr"
    assert sorted(anchors(answer.content)) == sorted(numbers(slug))
    assert re.search(rf'hreflang="fr" href="https?://[^/]+/fr/rules/{slug}/"', answer.content.decode())


@BY_TITLE
def test_contents_are_in_the_language_of_each_reader(slug: str) -> None:
    """Two readers follow each other in one process."""
    client = Client()
    for page in (f"/rules/{slug}/", f"/help/{slug}/"):
        for _visit in range(2):
            for language, aim in (("en", "The aim"), ("fr", "Le but du jeu")):
                contents = client.get(page, headers={"accept-language": language}).content.decode()
                assert f">{aim}</a>" in contents, (page, language)


@BY_TITLE
def test_no_paragraph_is_longer_than_sixty_words(slug: str) -> None:
    paragraphs = re.findall(r'<div class="rule-text">(.*?)</div>\s*</div>', read(f"/rules/{slug}/").decode(), re.DOTALL)
    said = [re.sub(r"[RD]\d+a? ", "", text(f"<main>{paragraph}</main>".encode())) for paragraph in paragraphs]
    assert len(said) > 40
    assert [paragraph for paragraph in said if len(paragraph.split()) > 60] == []


@BY_TITLE
def test_contents_and_links_lead_to_places_of_the_page(slug: str) -> None:
    page = read(f"/rules/{slug}/").decode()
    found = set(re.findall(r'href="#(\S+?)"', page))
    assert found > {"aim", "cards", "main"}
    assert found <= set(re.findall(r' id="(\S+?)"', page))


def rows(page: bytes) -> int:
    body = page.decode().split('cards-all">')[1].split("<tbody>")[1].split("</tbody>")[0]
    return body.count("<tr>")


@BY_TITLE
def test_filters_show_the_cards_of_the_data(slug: str) -> None:
    cards = CARDS[slug].values()
    for query, caption, number in (
        ("", f"All {len(cards)} cards", len(cards)),
        ("level=3", "level III", sum(card.level == 3 for card in cards)),
        ("gives=g", "green", sum(card.bonus == 2 for card in cards)),
        ("points=3", "3 points or more", sum(card.prestige >= 3 for card in cards)),
        ("points=1&level=2", "level II, 1 point", sum(card.prestige == 1 and card.level == 2 for card in cards)),
        ("level=9&gives=&points=x", f"All {len(cards)} cards", len(cards)),
    ):
        page = read(f"/rules/{slug}/?{query}")
        assert rows(page) == number, query
        assert caption in text(page)
        for chip in re.findall(r'class="chip" href="(\?.*?)#cards"', page.decode()):
            assert chip == "?" or set(re.findall(r"(\w+)=", chip)) <= {"level", "gives", "points", "crowns", "ability"}


def test_filters_of_one_title() -> None:
    cards = CARDS["duel"].values()
    for query, number in (
        ("ability=steal_token", sum("steal_token" in card.abilities for card in cards)),
        ("crowns=2", sum(card.crowns == 2 for card in cards)),
        ("gives=wild", sum(card.joker for card in cards)),
        ("gives=none", 3),
    ):
        assert rows(read(f"/rules/duel/?{query}")) == number, query


def test_filters_that_no_card_passes_leave_a_way_back() -> None:
    page = read("/rules/splendor/?level=1&points=3")
    assert rows(page) == 0
    assert "0 of 90 cards: level I, 3 points or more Show all" in text(page)


def test_the_nobles_and_royal_cards_are_drawn() -> None:
    for slug, number in (("splendor", 10), ("duel", 4)):
        assert read(f"/rules/{slug}/").count(b'<li class="leaf">') == number


@pytest.mark.parametrize("path", ["/rules/chess/", "/rules/chess/summary/"])
def test_unknown_titles_have_no_rules(path: str) -> None:
    assert Client().get(path).status_code == 404


@pytest.mark.django_db
@BY_TITLE
def test_pages_that_offer_a_title_link_to_its_rules(slug: str, as_: As) -> None:
    alice = create_confirmed("alice", "alice@example.org", "correct horse")
    table = tables.create(alice, TableSpec(slug, 2, addresses=["ann@example.net"], admission="named"))
    invitation = urlsplit(invitations.accept_url(Invitation.objects.get(game=table))).path
    for path in ("/", "/tables/new/", invitation):
        page = (Client() if path == invitation else as_(alice)).get(path).content
        assert f'href="/rules/{slug}/"' in page.decode().split("<main")[1].split("</main")[0], path


@pytest.fixture
def table(slug: str, alice: User, bob: User) -> Game:
    """A game in which Alice is to act. The bank of Splendor has three rubies."""
    game = tables.create(alice, TableSpec(slug, 2))
    tables.join(game, bob)
    lay(game, alice, **({"theirs": "tokens=r"} if slug == "splendor" else {"board": "wugrk ww.*. ..... ..... ....."}))
    return game


@pytest.mark.django_db
@BY_TITLE
def test_a_refusal_leads_to_its_rule_and_back(slug: str, as_: As, alice: User, table: Game) -> None:
    notation, number = ILLEGAL[slug]
    answer = as_(alice).post(f"/table/{table.key}/", {"number": 0, "moves": notation})
    assert answer.status_code == 422
    link = re.search(r'role="alert">.*?href="(/rules/.*?)"', answer.content.decode(), re.DOTALL)
    assert link
    address, _, fragment = unescape(link[1]).partition("#")
    assert fragment == number
    page = read(address).decode()
    [refused] = [part for part in page.split('<div class="rule-text">') if 'class="came"' in part]
    assert f'id="{number}"' in refused
    back = re.search(r'class="came">.*?<a href="(.*?)"', refused, re.DOTALL)
    assert back
    assert unescape(back[1]).startswith(f"/table/{table.key}/")
    assert as_(alice).get(unescape(back[1])).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["duel"])
def test_a_space_that_cannot_join_leads_to_its_rule(slug: str, as_: As, alice: User, table: Game) -> None:
    for space, number in (("b4", "D34"), ("b3", "D28")):
        page = as_(alice).get(f"/table/{table.key}/?draft=take a1 {space}").content.decode()
        link = re.search(r'class="refusal" role="alert">.*?href="(/rules/.*?)"', page, re.DOTALL)
        assert link, space
        assert unescape(link[1]).endswith(f"#{number}")


@pytest.mark.django_db
def test_a_refusal_at_a_link_from_a_mail_keeps_that_link_secret(alice: User, bob: User) -> None:
    path = CAPABILITIES["link"].path(begun([alice, bob]))
    answer = Client().post(path, {"number": 0, "moves": "gamble"})
    assert answer.status_code == 422
    assert re.findall(r'role="alert">.*?href="(/rules/.*?)"', answer.content.decode(), re.DOTALL) == [
        "/rules/splendor/?refused=R9#R9"
    ]


def test_the_way_back_leads_only_to_tables() -> None:
    for table in ("https://evil.example/", "//evil.example", "a/b", "", "é", "\0"):
        page = read("/rules/splendor/?" + urlencode({"refused": "R16", "table": table, "draft": "x"})).decode()
        assert "Back to the table" not in page
        assert "evil" not in page


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("slug", "script"),
    [
        ("splendor", True),
        ("duel", False),
        *(pytest.param(*way, marks=LONG) for way in [("splendor", False), ("duel", True)]),
    ],
)
def test_the_way_from_a_refusal_works_with_script_and_without(
    slug: str, script: bool, page_of: PageOf, alice: User, table: Game
) -> None:
    notation, number = ILLEGAL[slug]
    page = page_of(alice, java_script_enabled=script)
    page.goto(f"/table/{table.key}/?draft={STAGED[slug]}")
    page.locator("[name=moves]").first.evaluate("(field, notation) => field.value = notation", notation)
    page.locator("form:has([name=moves]) button").first.click()
    page.get_by_role("alert").get_by_role("link", name=f"Rule {number}").click()
    expect(page).to_have_url(re.compile(rf"/rules/{slug}/\?.*#{number}$"))
    expect(page.locator(".rule-text:has(:target) .came")).to_be_in_viewport()
    page.get_by_role("link", name="Back to the table").click()
    expect(page).to_have_url(re.compile(f"/table/{table.key}/"))
    expect(page.locator("#board")).to_be_visible()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_pages_are_sound_and_a_summary_prints_on_one_page(page_of: PageOf, faults: Faults) -> None:
    page = page_of(None)
    for slug in BOOKS:
        page.goto(f"/help/{slug}/")
        found = faults(page)
        page.goto(f"/rules/{slug}/?level=3")
        found += faults(page)
        page.goto(f"/rules/{slug}/summary/")
        assert found + faults(page) == []
        for paper in ("A4", "Letter"):
            page.emulate_media(media="print")
            assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 1, (slug, paper)
            page.emulate_media(media="screen")
