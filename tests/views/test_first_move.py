"""The market on the first page: a first move there starts a game with that deal, and no page reveals a later card."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move
from games.models.position import Deal
from games.services.work import first_moves, sweep
from tests.factories import START, at, state
from tests.hidden import named, proofs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def deals(db: None) -> None:
    cache.clear()
    first_moves.renew()


def market(client: Client) -> str:
    """The address of the deal that the first page shows."""
    [found] = set(re.findall(r'href="(/first-move/\w+/)\?', client.get("/").content.decode()))
    return str(found)


def deal(path: str) -> Deal:
    return Deal.objects.get(key=path.split("/")[2])


def test_three_clicks_make_a_first_move(client: Client) -> None:
    page = client.get("/").content.decode()
    [first] = re.findall(r'href="(\S+draft=take\+r)"', page)
    path = first.partition("?")[0]
    staged = client.get(first).content.decode()
    assert 'draft=take+rr"' in staged
    assert 'name="moves" value="take rr"' in client.get(f"{path}?draft=take+rr").content.decode()
    chosen = deal(path)
    answer = client.post(path, {"number": 0, "moves": "take rr"})
    game = Game.objects.get()
    assert answer["Location"] == f"/table/{game.key}/"
    assert state(game).seed.hex() == chosen.seed
    assert [(move.seat, move.notation) for move in Move.objects.all()] == [(0, "take rr")]
    assert game.host
    assert game.host.is_guest


def test_no_page_of_the_market_or_the_game_reveals_a_later_card(client: Client) -> None:
    """The pages name exactly the face-up cards, and neither the seed nor another card of the deal."""
    home = client.get("/").content.decode()
    path = market(client)
    chosen = deal(path)
    opening = TITLES[chosen.title].ruleset.initial(2, bytes.fromhex(chosen.seed))
    shown = {card for row in opening.rows for card in row}
    pages = [client.get(f"{path}{query}").content.decode() for query in ("", "?draft=take+w", "?draft=reserve+L1")]
    for card in sorted(shown)[:2]:
        pages += [client.get(f"{path}?{what}{card}").content.decode() for what in ("card=", "draft=reserve+")]
    pages.append(client.post(path, {"number": 0, "moves": "take www"}).content.decode())
    assert [named(page) for page in pages] == [shown] * len(pages)
    assert len(named(home)) == 12
    first = first_moves.look(chosen.key, "")[0].commitment
    client.post(path, {"number": 0, "moves": "reserve L1"})
    game = Game.objects.get()
    assert game.commitment == first
    pages.append(client.get(f"/table/{game.key}/").content.decode())
    assert [proofs(game, page) for page in pages] == [{"commitment"}] * len(pages)
    assert not any(chosen.seed in page for page in (home, *pages))


def test_looking_writes_nothing(client: Client) -> None:
    before = list(Deal.objects.order_by("pk").values())
    path = market(client)
    client.get(f"{path}?draft=take+wug")
    assert list(Deal.objects.order_by("pk").values()) == before
    assert (User.objects.count(), Game.objects.count()) == (0, 0)


@pytest.mark.parametrize("moves", ["take www", "buy 3-blue-02", "nonsense", ""])
def test_a_refused_move_changes_nothing(client: Client, moves: str) -> None:
    path = market(client)
    assert client.post(path, {"number": 0, "moves": moves}).status_code == 422
    assert (User.objects.count(), Game.objects.count(), Deal.objects.count()) == (0, 0, first_moves.DEALS)


def test_a_deal_is_played_once(client: Client) -> None:
    path = market(client)
    client.post(path, {"number": 0, "moves": "take wug"})
    other = Client()
    for answer in (other.get(path), other.post(path, {"number": 0, "moves": "take wug"})):
        assert answer["Location"].startswith("/first-move/")
        assert path not in answer["Location"]
    assert Game.objects.count() == 1


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize(
    ("moves", "kept"), [("take wug", True), ("reserve L1", True), ("reserve 1-blue-99", False), ("", False)]
)
def test_a_move_is_carried_over_to_another_deal(client: Client, moves: str, kept: bool, htmx: bool) -> None:
    path = market(client)
    client.post(path, {"number": 0, "moves": "take wug"})
    other, headers = Client(), {"HX-Request": "true"} if htmx else {}
    answers = [
        other.get(path, {"draft": moves}, headers=headers, follow=True),
        other.post(path, {"number": 0, "moves": moves}, headers=headers, follow=True),
    ]
    for answer in answers:
        page, [(address, _status)] = answer.content.decode(), answer.redirect_chain
        fresh = address.partition("?")[0]
        assert "Someone else has played that deal" in page
        assert (f'name="moves" value="{moves}"' in page) == kept
        assert f'action="{fresh}"' in page
        if htmx:
            assert answer["HX-Replace-Url"].partition("?")[0] == fresh
    assert (Game.objects.count(), User.objects.count()) == (1, 1)
    if kept:
        assert "/table/" in other.post(fresh, {"number": 0, "moves": moves})["Location"]


def test_without_another_deal_a_page_says_so(client: Client) -> None:
    path = market(client)
    Deal.objects.all().delete()
    for answer in (client.get(path), client.post(path, {"number": 0, "moves": "take wug"})):
        assert answer.status_code == 410
        assert "This deal is gone" in answer.content.decode()


def test_deals_are_replaced_every_hour() -> None:
    Deal.objects.all().delete()
    with at(START):
        sweep.sweep()
        old = set(Deal.objects.values_list("key", flat=True))
        sweep.sweep()
        assert Deal.objects.count() == len(old) == first_moves.DEALS
        path = market(Client())
    with at(START + first_moves.DEAL_TIME):
        sweep.sweep()
        assert Deal.objects.count() == 2 * first_moves.DEALS
        assert deal(market(Client())).key not in old
        assert Client().get(path).status_code == 200
    with at(START + 2 * first_moves.DEAL_TIME + timedelta(seconds=1)):
        sweep.sweep()
        assert not old & set(Deal.objects.values_list("key", flat=True))
        assert Client().get(path)["Location"].startswith("/first-move/")


def test_without_deals_the_market_is_a_picture(client: Client) -> None:
    Deal.objects.all().delete()
    page = client.get("/").content.decode()
    assert "The market opens" in page
    assert "/first-move/" not in page


def test_a_site_without_guests_shows_a_picture(client: Client, settings: Any) -> None:
    settings.GUESTS = False
    path = f"/first-move/{Deal.objects.earliest('pk').key}/"
    assert "/first-move/" not in client.get("/").content.decode()
    assert client.post(path, {"number": 0, "moves": "take wug"})["Location"].startswith("/account/login/")
    assert Game.objects.count() == 0


def test_a_guest_plays_on(client: Client) -> None:
    client.post(market(client), {"number": 0, "moves": "take wug"})
    game = Game.objects.with_seats().get()
    assert game.index_of(game.host) == 0  # type: ignore[arg-type]
    assert client.get(f"/table/{game.key}/").status_code == 200


@pytest.mark.parametrize("htmx", [False, True])
def test_a_guest_with_too_many_games_is_told(client: Client, settings: Any, htmx: bool) -> None:
    settings.BOT_TABLES = 1
    client.post("/play/duel/")
    sent = {"HX-Request": "true"} if htmx else {}
    answer = client.post(market(client), {"number": 0, "moves": "take wug"}, headers=sent)
    assert answer["HX-Redirect" if htmx else "Location"] == "/games/"
    assert "You can have one running game against bots." in client.get("/games/").content.decode()
