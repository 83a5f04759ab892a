"""Access, joining, leaving and resigning for each kind of reader: Alice hosts, Bob plays, and Charlie is a stranger."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from tests.factories import NEW, As
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db

POSTS = ["join", "leave", "rename", "cancel", "resign", "invite", "revoke", "decline", "rematch"]


def names(game: Game) -> set[str]:
    return {str(seat) for seat in game.seat_set.select_related("user")}


# --- access ---


@pytest.mark.parametrize("name", ["mine", "new"])
def test_own_pages_ask_for_a_log_in(client: Client, name: str) -> None:
    for response in (client.get(reverse(name)), client.post(reverse(name)) if name == "new" else client.get("/games/")):
        assert response.status_code == 302
        assert response["Location"] == f"/account/login/?next={reverse(name)}"


@pytest.mark.parametrize("name", POSTS)
def test_changing_a_table_needs_a_post(as_: As, alice: User, name: str) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    before = Game.objects.filter(pk=game.pk).values().get()
    for reader in (None, alice):
        for method in ("get", "head", "put"):
            response = getattr(as_(reader), method)(address(name, game))
            assert response.status_code == (302 if name == "resign" and method != "put" else 405)
    assert Game.objects.filter(pk=game.pk).values().get() == before


@pytest.mark.parametrize("name", POSTS)
def test_anonymous_posts_change_nothing(client: Client, alice: User, name: str) -> None:
    game = tables.create(alice, TableSpec("duel", 2, admission="open"))
    response = client.post(address(name, game))
    back = address("resign" if name == "resign" else "table", game)
    assert (response.status_code, response["Location"]) == (302, f"/account/login/?next={back}")
    game.refresh_from_db()
    assert (game.status, game.version, names(game)) == ("open", 0, {"alice"})


def test_a_post_without_its_token_is_refused(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(reverse("new"), NEW).status_code == 403
    assert not Game.objects.exists()


@pytest.mark.parametrize("audience", ["seats", "link", "anyone"])
def test_the_audience_of_an_open_table_is_enforced(
    as_: As, alice: User, bob: User, charlie: User, audience: str
) -> None:
    spec = TableSpec("splendor", 3, invited=[bob], admission="named", audience=audience)
    game = tables.create(alice, spec)
    expected = 404 if audience == "seats" else 200
    for reader, status in [(None, expected), (alice, 200), (bob, 200), (charlie, expected)]:
        response = as_(reader).get(address("table", game))
        assert response.status_code == status
        if status == 200:
            assert response["Cache-Control"] == "private, no-store"
    for name in POSTS:
        logged_out = as_(None).post(address(name, game)).status_code
        # Others than new guests are sent to the log-in, whether the table exists or not.
        assert logged_out == (404 if (name, audience) == ("join", "seats") else 302)
        assert as_(charlie).post(address(name, game)).status_code == (404 if audience == "seats" else 302)
    assert names(game) == {"alice"}


# --- an open table ---


def offers(page: bytes) -> set[str]:
    """The actions that the page offers the reader."""
    return set(re.findall(r'action="/table/\w+/(\w+)/"', page.decode()))


def test_the_lobby_offers_the_reader_s_actions(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 4, bots=["greedy"]))
    tables.join(game, bob)
    pages = {reader: as_(reader).get(address("table", game)).content for reader in (None, alice, bob, charlie)}
    assert {reader: offers(page) for reader, page in pages.items()} == {
        None: {"join"},
        alice: {"cancel", "invite", "rename"},
        bob: {"leave"},
        charlie: {"join"},
    }
    for page in pages.values():
        assert "One seat is free" in text(page)
        assert "about two weeks" in text(page)
        assert f'value="http://testserver{address("table", game)}"' in page.decode()
        assert game.commitment in text(page)
        assert all(name in text(page) for name in ("alice", "bob", "Greedy bot", "free"))
    login = f"/account/login/?next={address('table', game)}"
    assert login in pages[None].decode()
    assert login not in pages[charlie].decode()


def test_the_lobby_of_a_table_for_named_guests(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2, invited=[bob], admission="named"))
    assert offers(as_(bob).get(address("table", game)).content) == {"join", "decline"}
    stranger = as_(charlie).get(address("table", game)).content
    assert offers(stranger) == set()
    assert "kept for players invited by the host" in text(stranger)
    assert "bob" not in text(stranger)
    assert "bob" in text(as_(alice).get(address("table", game)).content)


@pytest.mark.parametrize(
    ("ending", "words"), [("cancelled", "cancelled it before the game started"), ("expired", "It didn’t fill in time")]
)
def test_the_lobby_of_a_closed_table(as_: As, alice: User, charlie: User, ending: str, words: str) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    Game.objects.filter(pk=game.pk).update(status="cancelled", ending=ending)
    for reader in (None, alice, charlie):
        page = as_(reader).get(address("table", game)).content
        assert words in text(page)
        assert offers(page) == set()


# --- joining, leaving, cancelling ---


def test_joining_fills_the_table_and_starts_it(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    for reader in (bob, bob, charlie):
        response = as_(reader).post(address("join", game))
        assert (response.status_code, response["Location"]) == (302, address("table", game))
    game.refresh_from_db()
    assert (game.status, names(game)) == ("active", {"alice", "bob", "charlie"})
    assert game.seat_set.count() == 3


def said(response: object) -> list[str]:
    return [str(message) for message in response.context["messages"]]  # type: ignore[attr-defined]


def test_refusals_are_shown_on_the_next_page(as_: As, alice: User, bob: User, charlie: User) -> None:
    def try_(reader: User, name: str, game: Game) -> list[str]:
        return said(as_(reader).post(address(name, game), follow=True))

    named = tables.create(alice, TableSpec("splendor", 3, invited=[bob], admission="named"))
    assert try_(charlie, "join", named) == ["Only players invited by the host can join this table."]
    assert try_(charlie, "cancel", named) == ["Only the host can do that."]
    assert try_(alice, "leave", named) == ["You are the host. Cancel the table instead of leaving it."]
    assert try_(alice, "resign", named) == ["You don’t have a seat in a running game here."]
    assert try_(alice, "cancel", named) == []
    assert try_(alice, "cancel", named) == []
    assert try_(bob, "join", named) == ["This table is no longer open."]
    assert names(named) == {"alice"}


def test_leaving_frees_the_seat_and_cancelling_closes_the_table(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    tables.join(game, bob)
    page = as_(bob).post(address("leave", game), follow=True).content
    assert "2 seats are free" in text(page)
    assert offers(page) == {"join"}
    page = as_(alice).post(address("cancel", game), follow=True).content
    assert "cancelled it before the game started" in text(page)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("cancelled", "cancelled")


# --- resigning ---


def test_resigning_must_be_confirmed(as_: As, duel: Game, alice: User) -> None:
    page = as_(alice).get(address("resign", duel))
    assert page.status_code == 200
    assert "If you resign, the game ends and bob wins. You can’t undo this." in text(page.content)
    duel.refresh_from_db()
    assert duel.status == "active"
    assert as_(alice).post(address("resign", duel))["Location"] == address("table", duel)
    duel.refresh_from_db()
    assert (duel.status, duel.ending) == ("finished", "resigned")
    assert [str(seat) for seat in duel.seat_set.filter(won=True)] == ["bob"]


@pytest.mark.parametrize(
    ("people", "bots", "words"),
    [
        (2, ["greedy"], "If you resign, the game ends and bob wins."),
        (1, ["greedy", "random"], "Only bots are left, and the best of them wins"),
        (3, [], "play on. A bot takes your seat, and you can no longer win."),
    ],
)
def test_the_question_explains_the_consequences(
    as_: As, alice: User, bob: User, charlie: User, people: int, bots: list[str], words: str
) -> None:
    game = tables.create(alice, TableSpec("splendor", people + len(bots), bots=bots))
    for other in [bob, charlie][: people - 1]:
        tables.join(game, other)
    assert words in text(as_(alice).get(address("resign", game)).content)


def test_people_who_are_out_do_not_play_on(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3, at_zero="forfeit", seated=[bob, charlie]))
    game.seat_set.filter(user=bob).update(absent=True, caretaker="greedy", absent_since=now())
    assert "If you resign, the game ends and charlie wins." in text(as_(alice).get(address("resign", game)).content)
    play.resign(game, alice)
    assert [str(seat) for seat in game.seat_set.filter(won=True)] == ["charlie"]


def test_only_players_can_resign(as_: As, duel: Game, alice: User, charlie: User) -> None:
    assert as_(None).get(address("resign", duel))["Location"].startswith("/account/login/")
    for method in ("get", "post"):
        response = getattr(as_(charlie), method)(address("resign", duel))
        assert (response.status_code, response["Location"]) == (302, address("table", duel))
    play.resign(duel, alice)
    for method in ("get", "post"):
        assert getattr(as_(alice), method)(address("resign", duel)).status_code == 302
    assert duel.seat_set.filter(resigned=True).count() == 1


# --- nonsense ---


NONSENSE = [
    "",
    " ",
    "\0",
    "\x1b[2J",
    "<script>alert(1)</script>",
    "'; drop table",
    "é\u202e💎",
    "9" * 400,
    "x" * 50_000,
]


@pytest.mark.parametrize("junk", NONSENSE)
def test_nonsense_is_never_an_error(as_: As, alice: User, junk: str) -> None:
    client = as_(alice)
    for query in ({"q": junk}, {"title": junk}, {"page": junk}, {"q": junk, "title": "duel", "page": junk}):
        response = client.get(reverse("mine"), query)
        assert response.status_code == 200
        assert "<script>alert" not in response.content.decode()
    for field in NEW:
        response = client.post(reverse("new"), NEW | {"admission": "named"} | {field: junk})
        assert response.status_code == 422
        assert "<script>alert" not in response.content.decode()
    assert client.get(reverse("new"), {"title": junk}).status_code == 200
    assert not Game.objects.exists()


def test_bytes_and_repeated_fields_are_never_an_error(as_: As, alice: User) -> None:
    client = as_(alice)
    form = "application/x-www-form-urlencoded"
    for body in (b"\xff\xfe\x00title=%ff&seats[]=3", b"title=duel&title=splendor&seats=2&seats=%00", b"{}"):
        assert client.post(reverse("new"), body, content_type=form).status_code == 422
    assert client.post(reverse("new"), b"[1]", content_type="application/json").status_code == 422
    assert client.get(reverse("mine") + "?q=%ff%fe&page=%00&title=%c3%28").status_code == 200
    game = tables.create(alice, TableSpec("duel", 2))
    for name in POSTS[:2]:
        response = client.post(address(name, game), b"\xff" * 2000, content_type=form)
        assert response.status_code == 302
    for key in ("ZZZZZZZZZZZZ", "x" * 300, "-"):
        for name in POSTS:
            assert client.post(reverse(name, args=[key])).status_code == 404
    assert Game.objects.count() == 1
