"""The site as search engines, chats and home screens see it."""

import json
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import Client
from django.urls import clear_url_caches, path
from PIL import Image

from accounts.models import User
from games.models import Game, Preview
from games.services import play
from games.services.work import previews
from games.urls import in_each_language
from splendor_site import urls
from tests import outputs
from tests.factories import As, begun
from tests.outputs import ADDRESSES
from tests.views.reading import address

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"
LISTED = {name for page in in_each_language for name in (str(page.name), f"in_language:{page.name}")}


def head(client: Client, where: str) -> dict[str, str]:
    """The content of each meta element, and the canonical address."""
    answer = client.get(where)
    page = answer.content.decode().split("</head>")[0]
    tags = re.findall(r'<meta (?:name|property)="([^"]+)"\s+content="([^"]*)"', page)
    canonical = re.findall(r'<link rel="canonical" href="([^"]*)"', page)
    assert len(dict(tags)) == len(tags)
    return {name: unescape(text) for name, text in tags} | {"canonical": " ".join(canonical)}


def over(people: list[User], audience: str = "anyone") -> Game:
    game = begun(people, "duel", audience=audience, name="Friday counting house")
    play.resign(game, people[0])
    return game


# --- search engines ---


def locations(client: Client) -> dict[str, dict[str, str]]:
    """Each address of the sitemap, with the addresses of the page in every language."""
    found = ElementTree.fromstring(client.get("/sitemap.xml").content)
    space, xhtml = "{http://www.sitemaps.org/schemas/sitemap/0.9}", "{http://www.w3.org/1999/xhtml}link"
    return {
        str(entry.findtext(f"{space}loc")): {link.attrib["hreflang"]: link.attrib["href"] for link in entry.iter(xhtml)}
        for entry in found.iter(f"{space}url")
    }


def test_the_sitemap_lists_the_first_page_the_rules_and_the_lessons(client: Client) -> None:
    listed = [place.removeprefix(SITE) for place in locations(client)]
    assert len(set(listed)) == len(listed)
    assert {"/fr/", "/en/", "/en/rules/splendor/", "/fr/rules/duel/summary/", "/fr/learn/duel/8/"} <= set(listed)
    kinds = {re.sub(r"^/(en|fr)/|(?<=/)(splendor|duel)(?=/)|\d+(?=/)", "", place) for place in listed}
    assert kinds == {"", "rules//", "rules//summary/", "learn/", "learn///"}


def test_every_listed_page_names_itself_and_its_translations(client: Client) -> None:
    for place, alternates in locations(client).items():
        answer = client.get(place.removeprefix(SITE))
        page = answer.content.decode()
        assert answer.status_code == 200
        assert "X-Robots-Tag" not in answer.headers
        assert dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"', page)) == alternates
        language = place.removeprefix(SITE)[1:3]
        assert alternates[language] == place
        tags = head(client, place.removeprefix(SITE))
        assert tags["canonical"] == tags["og:url"] == place
        assert tags["og:locale"] == {"en": "en_GB", "fr": "fr_FR"}[language]
        assert tags["og:description"] == tags["description"]
        assert 40 <= len(tags["description"]) <= 220, place


VAGUE = {
    "click here", "here", "go", "more", "read more", "learn more", "more info", "more information", "see more", "start",
    "this", "cliquez ici", "ici", "plus", "en savoir plus", "voir plus", "lire plus", "lire la suite", "détails",
}  # fmt: skip
"""Words of links that Lighthouse calls not descriptive, in English and in French."""


@pytest.mark.parametrize("place", ["/", "/rules/duel/", "/rules/splendor/summary/", "/learn/", "/learn/duel/3/"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_listed_pages_have_titles_and_links_for_crawlers(client: Client, language: str, place: str) -> None:
    page = client.get(f"/{language}{place}").content.decode()
    [title] = re.findall(r"<title>(.*?)</title>", page, re.DOTALL)
    assert 10 <= len(" ".join(title.split())) <= 80
    links = re.findall(r"<a\b([^>]*)>(.*?)</a>", page, re.DOTALL)
    assert len(links) > 3
    for attributes, inside in links:
        target = re.search(r'href="([^"]+)"', attributes)
        assert target, attributes
        assert not target[1].startswith("javascript:")
        words = " ".join(re.sub(r"<[^>]+>", " ", inside).split()).lower()
        assert words or "aria-label" in attributes, (attributes, inside)
        assert words not in VAGUE, words
    assert all("alt=" in image for image in re.findall(r"<img[^>]*>", page))


def test_a_query_does_not_change_the_canonical_address(client: Client) -> None:
    assert head(client, "/fr/rules/duel/?level=2")["canonical"] == f"{SITE}/fr/rules/duel/"
    assert head(client, "/rules/duel/")["canonical"] == f"{SITE}/rules/duel/"


def test_search_engines_list_only_pages_with_an_address_for_each_language(as_: As, alice: User, bob: User) -> None:
    game = begun([alice, bob], audience="anyone")
    for client in (as_(alice), as_(None)):
        for name in ADDRESSES:
            answer = client.get(outputs.path(name, game))
            assert ("noindex" in answer.headers.get("X-Robots-Tag", "")) == (name not in LISTED), name


@pytest.fixture
def fresh_addresses() -> Iterator[None]:
    yield
    clear_url_caches()


def test_a_new_page_is_not_listed(client: Client, fresh_addresses: None, monkeypatch: pytest.MonkeyPatch) -> None:
    more = path("new-page/", lambda request: HttpResponse("new"), name="new_page")
    monkeypatch.setattr(urls, "urlpatterns", [*urls.urlpatterns, more])
    clear_url_caches()
    answer = client.get("/new-page/")
    assert (answer.content, answer.headers["X-Robots-Tag"]) == (b"new", "noindex")


def test_crawlers_may_read_pages_but_follow_no_queries(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer.headers["Content-Type"] == "text/plain"
    assert answer.content.decode().split("\n") == [
        "User-agent: *", "Disallow: /*?", "", f"Sitemap: {SITE}/sitemap.xml", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("contact", "address"),
    [
        ("host@example.org", "mailto:host@example.org"),
        ("https://example.org/@me", "https://example.org/@me"),
        ("mailto:host@example.org", "mailto:host@example.org"),
    ],
)
@time_machine.travel("2026-05-01T12:00:00+00:00", tick=False)
def test_programs_find_the_address_for_security_reports(
    client: Client, settings: Any, contact: str, address: str
) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.CONTACT = contact
    answer = client.get("/.well-known/security.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == f"Contact: {address}\nExpires: 2026-05-31T12:00:00+00:00\n"


# --- chats ---


def test_pages_of_a_title_show_its_picture(as_: As, alice: User, bob: User) -> None:
    game = begun([alice, bob], "duel", audience="anyone")
    pictures = {
        "/": "site", "/fr/": "site", "/account/login/": "site", "/learn/": "site",
        "/rules/duel/": "duel", "/fr/rules/splendor/summary/": "splendor", "/learn/splendor/1/": "splendor",
        address("table", game): "duel", address("note", game): "duel",
    }  # fmt: skip
    for place, name in pictures.items():
        tags = head(as_(None if place in ("/account/login/", address("table", game)) else alice), place)
        assert tags["og:image"] == f"{SITE}/static/games/pictures/{name}.png", place
        found = finders.find(f"games/pictures/{name}.png")
        assert isinstance(found, str)
        assert Image.open(found).size == (int(tags["og:image:width"]), int(tags["og:image:height"])) == (1200, 630)
    # Chats ask without an account.
    assert "og:image" not in head(as_(alice), address("table", game))


def test_a_link_to_a_running_game_shows_only_its_title(client: Client, alice: User, bob: User) -> None:
    game = begun([alice, bob], "duel", audience="anyone", name="Friday counting house")
    tags = head(client, address("table", game))
    assert tags["og:title"] == tags["og:image:alt"] == "Splendor Duel"
    assert tags["og:description"] == head(client, "/")["og:description"]
    assert {"canonical", "og:url"} & {name for name, text in tags.items() if text} == set()
    told = " ".join(tags.values()).lower()
    assert not any(word in told for word in ("friday", "alice", "bob", game.key.lower()))


def test_a_finished_game_that_everybody_may_find_shows_its_preview(client: Client, alice: User, bob: User) -> None:
    game = over([alice, bob])
    table, place = address("table", game), f"/table/{game.key}/preview.png"
    assert head(client, table)["og:image"].endswith("/duel.png")
    assert client.get(place).status_code == 404
    previews.draw(game.pk)
    assert head(client, table)["og:image"] == f"{SITE}{place}"
    assert head(client, table)["og:title"] == "Splendor Duel"
    answer = client.get(place)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
    assert answer.headers["Cache-Control"] == "max-age=86400"
    assert Image.open(BytesIO(answer.content)).size == (1200, 630)


@pytest.mark.parametrize(
    "change",
    [{"audience": "link"}, {"audience": "seats"}, {"status": "active", "to_act": 0}, {"status": "cancelled"}],
    ids=str,
)
def test_no_other_game_has_a_preview(as_: As, alice: User, bob: User, change: dict[str, str]) -> None:
    """This holds even if there is a picture of the game, and even for its players."""
    game = over([alice, bob])
    Preview.objects.filter(game=game).update(picture=b"a picture")
    Game.objects.filter(pk=game.pk).update(**change)
    for client in (as_(None), as_(alice)):
        assert client.get(f"/table/{game.key}/preview.png").status_code == 404
    if change.get("audience") != "seats":
        assert head(as_(None), address("table", game))["og:image"].endswith("/duel.png")


def test_a_deleted_game_has_no_preview(client: Client, alice: User, bob: User) -> None:
    game = over([alice, bob])
    previews.draw(game.pk)
    place = f"/table/{game.key}/preview.png"
    assert client.get(place).status_code == 200
    Game.objects.all().delete()
    assert client.get(place).status_code == 404
    assert not Preview.objects.exists()


# --- home screens ---


def test_the_manifest_names_the_site_and_its_icons(client: Client, settings: LazySettings) -> None:
    settings.SITE_NAME = "The Friday Club"
    answer = client.get("/manifest.webmanifest")
    told = json.loads(answer.content)
    icons = told.pop("icons")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert told == {
        "id": "/",
        "name": "The Friday Club",
        "short_name": "The Friday Club",
        "start_url": "/games/",
        "scope": "/",
        "display": "standalone",
        "theme_color": "#331815",
        "background_color": "#ebe1ca",
    }
    assert [(icon["sizes"], icon["purpose"]) for icon in icons] == [
        ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"),
    ]  # fmt: skip
    for icon in icons:
        found = finders.find(icon["src"].removeprefix("/static/"))
        assert isinstance(found, str)
        image = Image.open(found)
        assert (f"{image.width}x{image.height}", image.format) == (icon["sizes"], "PNG")


def test_icons_that_systems_crop_have_no_transparent_corners() -> None:
    for name, cut in (("192", False), ("512", False), ("maskable", True), ("apple-touch", True)):
        found = finders.find(f"games/icons/{name}.png")
        assert isinstance(found, str)
        assert (Image.open(found).convert("RGBA").getpixel((0, 0)) == (51, 24, 21, 255)) == cut


def test_every_page_names_manifest_and_icon(client: Client, alice: User, bob: User) -> None:
    game = begun([alice, bob])
    for place in ("/", "/account/login/", address("table", game), "/nowhere/"):
        page = client.get(place).content.decode()
        assert '<link rel="manifest" href="/manifest.webmanifest">' in page
        assert '<link rel="apple-touch-icon" href="/static/games/icons/apple-touch.png">' in page


def test_the_policy_of_pages_allows_the_manifest(client: Client) -> None:
    assert "manifest-src 'self'" in client.get("/").headers["Content-Security-Policy"]
