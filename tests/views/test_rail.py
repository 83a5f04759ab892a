"""The bar at the top of every page: the theme, the next table, and the name and round of a table."""

import re
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game
from tests.factories import As, actor, deal, play_on
from tests.views.reading import address

pytestmark = pytest.mark.django_db
THEME = "/settings/theme/"


def theme(page: bytes) -> str:
    """The theme that the page forces; empty if it is the device's."""
    found = re.search(r'<html[^>]*data-theme="(\w+)"', page.decode())
    return found[1] if found else ""


def bar(page: bytes) -> str:
    """The visible text of the bar in one line."""
    rail = page.decode().split('<header class="rail"')[1].split("</header>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", rail).split())


def test_visitors_and_users_choose_a_theme(client: Client, as_: As, alice: User) -> None:
    back = "http://testserver/account/login/?next=/games/"
    answer = client.post(THEME, {"theme": "dark"}, headers={"Referer": back})
    assert (answer.status_code, answer["Location"]) == (302, back)
    cookie = answer.cookies["theme"]
    assert (cookie["samesite"], cookie["httponly"], cookie["max-age"]) == ("Lax", True, 365 * 24 * 3600)
    assert theme(client.get("/").content) == "dark"
    client.post(THEME, {"theme": "auto"})
    assert theme(client.get("/").content) == ""
    # An account keeps its own theme, whatever the browser's cookie says.
    user = as_(alice)
    user.post(THEME, {"theme": "light"})
    user.cookies["theme"] = "dark"
    assert theme(user.get("/").content) == "light"
    assert User.objects.get().theme == "light"
    assert re.findall(r'value="(\w+)"\s+aria-pressed="true"', user.get("/").content.decode()) == ["light", "light"]


def test_bad_themes_and_foreign_addresses_lead_nowhere(client: Client) -> None:
    for data in ({}, {"theme": ""}, {"theme": "sepia"}, {"theme": "dark\0"}):
        answer = client.post(THEME, data)
        assert (answer.status_code, "theme" in answer.cookies) == (400, False)
    assert client.get(THEME).status_code == 405
    for back in ("https://evil.example/", "//evil.example", "javascript:alert(1)", ""):
        assert client.post(THEME, {"theme": "dark"}, headers={"Referer": back})["Location"] == "/"
    client.cookies["theme"] = "sepia"
    assert theme(client.get("/").content) == ""
    assert Client(enforce_csrf_checks=True).post(THEME, {"theme": "dark"}).status_code == 403


def test_the_bar_of_a_table_names_it_and_counts_its_rounds(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = deal("splendor", [alice, bob, charlie], 5)
    assert f"{game.short_key} Splendor · round 1" in bar(as_(alice).get(address("table", game)).content)
    Game.objects.update(name="Friday <house>")
    play_on(game, 5, 20)
    game.refresh_from_db()
    seats = [*game.move_set.order_by("number").values_list("seat", flat=True), game.to_act or 0]
    firsts = [at for at, (before, after) in enumerate(pairwise(seats), 1) if after < before]
    assert game.round == 1 + len(firsts) > 5
    assert f"Friday &lt;house&gt; Splendor · round {game.round} " in bar(as_(None).get(address("table", game)).content)
    # Looking back shows the round of that time.
    path = address("table", game)
    for at, number in [(0, 1), (firsts[0] - 1, 1), (firsts[0], 2), (firsts[2], 4), (game.number, game.round)]:
        assert f"round {number} " in bar(as_(bob).get(path, {"at": at}).content)
    swapped = as_(bob).get(path, headers={"HX-Request": "true"}).content.decode()
    assert re.search(rf'id="round"\s+hx-swap-oob="innerHTML">Splendor · round {game.round}<', swapped)


def test_the_bar_leads_to_the_next_table(as_: As, alice: User, bob: User) -> None:
    games = [deal("duel", [alice, bob], seed) for seed in range(8)]
    mine = [game for game in games if actor(game) == alice]
    assert 2 < len(mine) < 8
    page = as_(alice).get(address("table", mine[0])).content
    assert f"Next {len(mine) - 1} ({len(mine) - 1} tables wait)" in bar(page)
    assert f'href="{reverse("next")}?after={mine[0].key}"' in page.decode()
    page = as_(alice).get(reverse("mine")).content
    assert f"Next {len(mine)} ({len(mine)} tables wait)" in bar(page)
    # Spectators and visitors have no such link.
    assert "Next" not in bar(as_(None).get(address("table", mine[0])).content)


def test_without_another_table_the_way_onward_is_hidden(as_: As, alice: User, bob: User) -> None:
    game = deal("duel", [alice, bob], 1)
    page = as_(actor(game)).get(address("table", game)).content.decode()
    assert re.search(r'id="waiting"\s+href="[^"]+"\s+hidden', page)
