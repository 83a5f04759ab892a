"""A third title is a folder and one entry of the catalogue: people play it, and get mails about it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
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

ROOT = Path(__file__).parents[1]
EXCEPTIONS = {
    "games/catalogue.py": "It is the list of titles.",
    "games/management/demo.py": "Its scenes are situations of one title, such as a last round.",
    "games/static/games/check_shuffle.py": "It runs alone on a player's computer; a title names its program.",
}


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
    expect(page.get_by_role("radio", name="Toy", exact=True)).to_be_checked()
    page.get_by_role("radio", name=re.compile("Greedy")).check()
    page.get_by_role("button", name="Play a bot: Greedy").click()
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
    expect(page.locator(".result-lead")).to_contain_text("came nearest with")
    assert game.commitment in page.content()
    assert "check_shuffle.py" not in page.content()  # the script does not know the title
    page.get_by_role("link", name="Look back", exact=True).click()
    expect(page.get_by_role("link", name="Back to the game")).to_be_visible()
    expect(page.get_by_role("region", name="Ledger")).to_contain_text("drew a card")


@pytest.mark.django_db
def test_the_first_page_shows_the_title(toy: None) -> None:
    page = Client().get("/").content.decode()
    assert re.findall(r"<h3>(.*?)</h3>", page)[: len(TITLES)] == ["Splendor", "Splendor Duel", "Toy"]


@pytest.mark.django_db
def test_a_title_may_have_no_rules_page(toy: None, alice: User, bob: User) -> None:
    client = Client()
    client.force_login(alice)
    assert client.get("/rules/toy/").status_code == 404
    game = tables.create(alice, tables.TableSpec("toy", 2))
    tables.join(game, bob)
    client.force_login(alice if game.to_act == game.index_of(alice) else bob)
    refused = client.post(f"/table/{game.key}/", {"number": 0, "moves": "gamble"})
    assert refused.status_code == 422
    for page in (refused, client.get("/"), client.get("/tables/new/")):
        assert "/rules/toy/" not in page.content.decode()


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


def named(path: Path) -> Iterator[str]:
    """The words of a module that may be the name of a title: parts of imports, and of strings that are dotted names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (part for alias in names for part in alias.name.split("."))
            case ast.ImportFrom(module=module, names=names):
                yield from (module or "").split(".")
                yield from (alias.name for alias in names)
            case ast.Constant(value=str(text)) if not re.search(r"\s", text):
                yield from re.split(r"[.:/]", text)


def is_own(path: Path, slug: str) -> bool:
    """Whether this is a file of the title: one in its folder, or a module with its name."""
    return slug in path.parts[:-1] or path.stem in (slug, f"{slug}_board")


def test_only_the_catalogue_and_its_own_files_name_a_title() -> None:
    """This also proves that the titles do not know each other."""
    modules = [
        path.relative_to(ROOT)
        for app in ("accounts", "games", "splendor_site")
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts
    ]
    naming = {
        str(path) for path in modules for slug in TITLES if not is_own(path, slug) and slug in set(named(ROOT / path))
    }
    assert naming == EXCEPTIONS.keys()
    templates = [path.relative_to(ROOT) for path in (ROOT / "templates").rglob("*.*")]
    assert [
        str(path)
        for path in templates
        for slug in TITLES
        if not is_own(path, slug) and re.search(rf"\b{slug}\b", (ROOT / path).read_text(encoding="utf-8"))
    ] == []
