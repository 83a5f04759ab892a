"""The pages around the board, by each kind of reader: Alice makes tables, Bob plays, Charlie is a stranger."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services import play, tables
from games.services.tables import Plan
from tests.views.conftest import As

pytestmark = pytest.mark.django_db

NEW = {
    "title": "splendor",
    "seats": "3",
    "bots": "0",
    "strength": "greedy",
    "admission": "link",
    "invited": "",
    "audience": "link",
    "pace": "fast",
}
POSTS = ["join", "leave", "cancel", "resign"]


def address(name: str, game: Game) -> str:
    return reverse(name, args=[game.key])


def text(page: bytes) -> str:
    """What a reader sees of a page, in one line."""
    main = page.decode().split("<main", 1)[1].split("</main>", 1)[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def rows(page: bytes, group: str) -> list[str]:
    """The tables of a group, as a reader sees them."""
    section = re.search(rf'<section[^>]*aria-labelledby="group-{group}">(.*?)</section>', page.decode(), re.DOTALL)
    return [text(f"<main{row}</main>".encode()) for row in section[1].split("<li")[1:]] if section else []


def names(game: Game) -> set[str]:
    return {str(seat) for seat in game.seat_set.select_related("user")}


# --- who may open what ---


@pytest.mark.parametrize("name", ["mine", "new"])
def test_own_pages_ask_for_a_log_in(client: Client, name: str) -> None:
    for response in (client.get(reverse(name)), client.post(reverse(name)) if name == "new" else client.get("/games/")):
        assert response.status_code == 302
        assert response["Location"] == f"/account/login/?next={reverse(name)}"


@pytest.mark.parametrize("name", POSTS)
def test_what_changes_a_table_needs_a_post(as_: As, alice: User, name: str) -> None:
    game = tables.create(alice, Plan("duel", 2))
    before = Game.objects.filter(pk=game.pk).values().get()
    for reader in (None, alice):
        for method in ("get", "head", "put"):
            response = getattr(as_(reader), method)(address(name, game))
            assert response.status_code == (302 if name == "resign" and method != "put" else 405)
    assert Game.objects.filter(pk=game.pk).values().get() == before


@pytest.mark.parametrize("name", POSTS)
def test_without_a_log_in_nothing_changes(client: Client, alice: User, name: str) -> None:
    game = tables.create(alice, Plan("duel", 2))
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
def test_who_sees_an_open_table(as_: As, alice: User, bob: User, charlie: User, audience: str) -> None:
    plan = Plan("splendor", 3, invited=[bob], admission="named", audience=audience)
    game = tables.create(alice, plan)
    expected = 404 if audience == "seats" else 200
    for reader, status in [(None, expected), (alice, 200), (bob, 200), (charlie, expected)]:
        response = as_(reader).get(address("table", game))
        assert response.status_code == status
        if status == 200:
            assert response["Cache-Control"] == "private, no-store"
    for name in POSTS:
        logged_out = as_(None).post(address(name, game)).status_code
        assert logged_out == (302 if name == "resign" else 404 if audience == "seats" else 302)
        assert as_(charlie).post(address(name, game)).status_code == (404 if audience == "seats" else 302)
    assert names(game) == {"alice"}


# --- an open table ---


def offers(page: bytes) -> set[str]:
    """What the page lets the reader do with the table."""
    return set(re.findall(r'action="/table/\w+/(\w+)/"', page.decode()))


def test_the_lobby_offers_what_the_reader_can_do(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, Plan("splendor", 4, bots=["greedy"]))
    tables.join(game, bob)
    pages = {reader: as_(reader).get(address("table", game)).content for reader in (None, alice, bob, charlie)}
    assert {reader: offers(page) for reader, page in pages.items()} == {
        None: set(),
        alice: {"cancel"},
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


def test_the_lobby_of_a_named_table(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, Plan("duel", 2, invited=[bob], admission="named"))
    assert offers(as_(bob).get(address("table", game)).content) == {"join"}
    stranger = as_(charlie).get(address("table", game)).content
    assert offers(stranger) == set()
    assert "kept for players whom the maker of the table named" in text(stranger)
    assert "bob" not in text(stranger)
    assert "bob" in text(as_(alice).get(address("table", game)).content)


@pytest.mark.parametrize(
    ("ending", "words"), [("cancelled", "was cancelled before the game began"), ("expired", "It did not fill in time")]
)
def test_the_lobby_of_a_closed_table(as_: As, alice: User, charlie: User, ending: str, words: str) -> None:
    game = tables.create(alice, Plan("duel", 2))
    Game.objects.filter(pk=game.pk).update(status="cancelled", ending=ending)
    for reader in (None, alice, charlie):
        page = as_(reader).get(address("table", game)).content
        assert words in text(page)
        assert offers(page) == set()


def test_an_open_table_costs_as_many_queries_with_two_seats_as_with_four(as_: As, alice: User, bob: User) -> None:
    counts = []
    for seats, bots in [(2, []), (4, ["greedy", "random"])]:
        game = tables.create(alice, Plan("splendor", seats, bots=bots, invited=[bob], admission="named"))
        client = as_(alice)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(address("table", game))
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- sitting down, getting up, calling it off ---


def test_joining_fills_the_table_and_starts_it(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, Plan("splendor", 3))
    for reader in (bob, bob, charlie):
        response = as_(reader).post(address("join", game))
        assert (response.status_code, response["Location"]) == (302, address("table", game))
    game.refresh_from_db()
    assert (game.status, names(game)) == ("active", {"alice", "bob", "charlie"})
    assert game.seat_set.count() == 3


def said(response: object) -> list[str]:
    return [str(message) for message in response.context["messages"]]  # type: ignore[attr-defined]


def test_refusals_are_said_on_the_next_page(as_: As, alice: User, bob: User, charlie: User) -> None:
    def try_(reader: User, name: str, game: Game) -> list[str]:
        return said(as_(reader).post(address(name, game), follow=True))

    named = tables.create(alice, Plan("splendor", 3, invited=[bob], admission="named"))
    assert try_(charlie, "join", named) == ["Only the players whom its maker named may sit down at this table."]
    assert try_(charlie, "cancel", named) == ["Only who made the table can do that."]
    assert try_(alice, "leave", named) == ["You made this table: cancel it instead of leaving it."]
    assert try_(alice, "resign", named) == ["You have no seat in a running game here."]
    assert try_(alice, "cancel", named) == []
    assert try_(alice, "cancel", named) == []
    assert try_(bob, "join", named) == ["This table is not open any more."]
    assert names(named) == {"alice"}


def test_leaving_frees_the_seat_and_cancelling_closes_the_table(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, Plan("splendor", 3))
    tables.join(game, bob)
    page = as_(bob).post(address("leave", game), follow=True).content
    assert "2 seats are free" in text(page)
    assert offers(page) == {"join"}
    page = as_(alice).post(address("cancel", game), follow=True).content
    assert "was cancelled before the game began" in text(page)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("cancelled", "cancelled")


# --- resigning ---


def test_resigning_is_asked_first(as_: As, duel: Game, alice: User) -> None:
    page = as_(alice).get(address("resign", duel))
    assert page.status_code == 200
    assert "If you resign, the game ends and bob wins. It cannot be taken back." in text(page.content)
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
        (1, ["greedy", "random"], "no other person is left, and the best of the bots wins"),
        (3, [], "play on, a bot takes your seat, and you cannot win any more."),
    ],
)
def test_the_question_says_what_comes_of_it(
    as_: As, alice: User, bob: User, charlie: User, people: int, bots: list[str], words: str
) -> None:
    game = tables.create(alice, Plan("splendor", people + len(bots), bots=bots))
    for other in [bob, charlie][: people - 1]:
        tables.join(game, other)
    assert words in text(as_(alice).get(address("resign", game)).content)


def test_only_who_plays_can_resign(as_: As, duel: Game, alice: User, charlie: User) -> None:
    assert as_(None).get(address("resign", duel))["Location"].startswith("/account/login/")
    for method in ("get", "post"):
        response = getattr(as_(charlie), method)(address("resign", duel))
        assert (response.status_code, response["Location"]) == (302, address("table", duel))
    play.resign(duel, alice)
    for method in ("get", "post"):
        assert getattr(as_(alice), method)(address("resign", duel)).status_code == 302
    assert duel.seat_set.filter(resigned=True).count() == 1


# --- a new table ---


def test_the_form_makes_the_table_that_it_says(as_: As, alice: User, bob: User) -> None:
    plan = NEW | {
        "title": "splendor",
        "seats": "4",
        "bots": "1",
        "strength": "random",
        "admission": "named",
        "invited": "BOB, alice",
        "audience": "seats",
        "pace": "relaxed",
    }
    refused = as_(alice).post(reverse("new"), plan)
    assert refused.status_code == 422
    assert "2 seats are free: name at least 2 other players." in text(refused.content)

    response = as_(alice).post(reverse("new"), plan | {"seats": "3"})
    game = Game.objects.get()
    assert response["Location"] == address("table", game)
    assert (game.title, game.seats, game.pace, game.admission) == ("splendor", 3, "relaxed", "named")
    assert (game.audience, game.status, game.created_by) == ("seats", "open", alice)
    assert list(game.invited.all()) == [bob]
    assert {seat.bot for seat in game.seat_set.all()} == {"", "random"}


def test_against_the_computer_alone_the_game_starts_at_once(as_: As, alice: User) -> None:
    as_(alice).post(reverse("new"), NEW | {"title": "duel", "seats": "2", "bots": "1", "audience": "seats"})
    assert Game.objects.get().status == "active"


def test_names_count_only_where_they_are_asked_for(as_: As, alice: User) -> None:
    assert as_(alice).post(reverse("new"), NEW | {"invited": "nobody-at-all"}).status_code == 302
    assert not Game.objects.get().invited.exists()


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"title": ""}, "title", "Choose one of the games."),
        ({"title": "chess"}, "title", "Choose one of the games."),
        ({"seats": "9"}, "seats", "Choose how many players sit at the table."),
        ({"title": "duel"}, "seats", "Splendor Duel is for 2 players."),
        ({"bots": "x"}, "bots", "Choose how many seats the computer plays."),
        ({"bots": "3"}, "bots", "One seat is yours: leave it free of the computer."),
        ({"strength": "cheating"}, "strength", "Choose how the computer plays."),
        ({"admission": "nobody"}, "admission", "Choose who may sit down."),
        ({"audience": "the press"}, "audience", "Choose who may watch."),
        ({"pace": "warp"}, "pace", "Choose how fast you want to play."),
        ({"audience": "seats"}, "audience", "Who is to sit down must be able to see the table"),
        ({"audience": "seats", "admission": "open"}, "audience", "Who is to sit down must be able to see the table"),
        ({"admission": "named", "invited": "bob"}, "invited", "2 seats are free: name at least 2 other players."),
        (
            {"admission": "named", "invited": "bob bob alice"},
            "invited",
            "2 seats are free: name at least 2 other players.",
        ),
        ({"admission": "named", "invited": "bob zoe"}, "invited", "There is no player called zoe."),
        ({"admission": "named", "invited": "zoe, yan"}, "invited", "There are no players called zoe, yan."),
        ({"admission": "named", "invited": "x" * 401}, "invited", "These are too many names for one table."),
        ({"admission": "named", "invited": "bob\0"}, "invited", "Null characters are not allowed."),
    ],
)
def test_what_cannot_be_is_said_at_its_field(
    as_: As, alice: User, bob: User, change: dict[str, str], field: str, words: str
) -> None:
    response = as_(alice).post(reverse("new"), NEW | change)
    page = response.content.decode()
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    at_field = page.split(f'id="field-{field}"', 1)[1].split("</ul>", 1)[0]
    assert words in text(f"<main>{at_field}</main>".encode())
    # What was chosen stays chosen.
    if field != "pace":
        assert re.search(r'name="pace" value="fast"[^>]* checked', page)
    assert not Game.objects.exists()


def test_an_empty_post_names_every_field_that_must_be_chosen(as_: As, alice: User) -> None:
    response = as_(alice).post(reverse("new"))
    assert response.status_code == 422
    required = {"title", "seats", "bots", "strength", "admission", "audience", "pace"}
    assert set(response.context["form"].errors) == required


def test_a_person_who_has_left_cannot_be_named(as_: As, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    response = as_(alice).post(
        reverse("new"), NEW | {"title": "duel", "seats": "2", "admission": "named", "invited": "bob"}
    )
    assert "There is no player called bob." in text(response.content)


@pytest.mark.parametrize(("asked", "chosen"), [("duel", "duel"), ("", None), ("<b>", None), (None, "splendor")])
def test_the_address_chooses_the_title(as_: As, alice: User, asked: str | None, chosen: str | None) -> None:
    page = as_(alice).get(reverse("new"), {} if asked is None else {"title": asked}).content.decode()
    assert re.findall(r'name="title" value="(\w+)"[^>]*checked', page) == ([chosen] if chosen else [])
    assert "<b>&" not in page


# --- the list ---


def test_every_table_is_in_its_group(as_: As, alice: User, bob: User, charlie: User, duel: Game) -> None:
    waiting_for_others = tables.create(alice, Plan("splendor", 3))
    invitation = tables.create(bob, Plan("splendor", 2, invited=[alice], admission="named", audience="seats"))
    listed = tables.create(charlie, Plan("splendor", 4, admission="open"))
    tables.create(charlie, Plan("splendor", 4))
    watched = tables.create(charlie, Plan("duel", 2, bots=["greedy"], audience="anyone"))
    tables.create(charlie, Plan("duel", 2, bots=["greedy"]))
    lost = tables.create(alice, Plan("duel", 2))
    tables.join(lost, charlie)
    play.resign(lost, alice)
    first, second = sorted((alice, bob), key=lambda user: duel.seat_set.get(user=user).index or 0)

    page = as_(first).get(reverse("mine")).content
    assert len(rows(page, "turn")) == 1
    assert duel.short_key in rows(page, "turn")[0]
    assert "The cards are dealt, you begin" in rows(page, "turn")[0]
    assert "One table waits for you" in text(page)
    assert "(1)" in page.decode().split("</title>")[0]
    page = as_(second).get(reverse("mine")).content
    assert duel.short_key in rows(page, "waiting")[0]
    assert f"{first} has the move" in rows(page, "waiting")[0]

    page = as_(alice).get(reverse("mine")).content
    [row] = rows(page, "open")
    assert waiting_for_others.short_key in row
    assert "Nobody else yet" in row
    assert "2 seats free · about two weeks" in row
    by_name, by_list = rows(page, "join")
    assert invitation.short_key in by_name
    assert "for you" in by_name
    assert listed.short_key in by_list
    assert "3 seats free" in by_list
    [row] = rows(page, "watch")
    assert watched.short_key in row
    [row] = rows(page, "finished")
    assert lost.short_key in row
    assert "charlie won. You resigned." in row
    [row] = rows(as_(charlie).get(reverse("mine")).content, "finished")
    assert "You won. alice resigned." in row


def test_the_last_decision_is_told_in_words(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, Plan("splendor", 2))
    tables.join(game, bob)
    first, second = (seat.user for seat in game.seat_set.order_by("index"))
    assert first
    assert second
    game.refresh_from_db()
    play.submit(game, play.Actor(first), 0, ["take wug"])
    [row] = rows(as_(second).get(reverse("mine")).content, "turn")
    assert f"{first}: Take 1 diamond, 1 sapphire and 1 emerald" in row
    # The score of each, the reader's first.
    assert f"You: 0 {first}: 0" in row


def test_somebody_new_is_welcomed(as_: As, charlie: User) -> None:
    page = as_(charlie).get(reverse("mine"))
    assert "Welcome, charlie" in text(page.content)
    assert "You do not sit at any table yet." in text(page.content)
    assert "No table waits for players just now." in text(page.content)
    assert 'role="search"' not in page.content.decode()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "bo"}, ["with bob"]),
        ({"q": "BOB", "title": "duel"}, ["with bob"]),
        ({"q": " bob ", "title": "splendor"}, []),
        ({"title": "splendor"}, ["with charlie"]),
        ({"title": "chess"}, ["with bob", "with charlie"]),
        ({"q": "alice"}, []),
        ({"q": "%"}, []),
    ],
)
def test_search(
    as_: As, alice: User, bob: User, charlie: User, query: dict[str, str], found: list[str], duel: Game
) -> None:
    other = tables.create(alice, Plan("splendor", 2))
    tables.join(other, charlie)
    page = as_(alice).get(reverse("mine"), query).content
    keys = {"with bob": duel.short_key, "with charlie": other.short_key}
    shown = rows(page, "turn") + rows(page, "waiting")
    assert sorted(name for name, key in keys.items() if any(key in row for row in shown)) == found
    if not found:
        assert "You sit at no such table with a player whose name begins with" in text(page)


def finish(alice: User, other: User, number: int) -> None:
    for _ in range(number):
        game = tables.create(alice, Plan("duel", 2))
        tables.join(game, other)
        play.resign(game, other)


def test_finished_games_come_in_pages(as_: As, alice: User, bob: User, charlie: User) -> None:
    finish(alice, bob, 21)
    finish(alice, charlie, 1)
    client = as_(alice)
    page = client.get(reverse("mine")).content
    assert len(rows(page, "finished")) == 20
    assert "Page 1 of 2" in text(page)
    page = client.get(reverse("mine"), {"page": "2", "q": "bob"}).content
    assert len(rows(page, "finished")) == 1
    assert 'href="?page=1&amp;q=bob#group-finished"' in page.decode()
    for wrong, number in [("0", 2), ("99", 2), ("x", 1), ("-1", 2), ("9" * 500, 2)]:
        page = client.get(reverse("mine"), {"page": wrong}).content
        assert f"Page {number} of 2" in text(page)


def test_the_list_costs_the_same_for_many_games(as_: As, alice: User, bob: User, charlie: User) -> None:
    def more(number: int) -> None:
        for _ in range(number):
            running = tables.create(alice, Plan("splendor", 3, bots=["greedy"]))
            tables.join(running, bob)
            second = tables.create(alice, Plan("duel", 2))
            tables.join(second, charlie)
            tables.create(alice, Plan("splendor", 4, bots=["greedy"]))
            tables.create(bob, Plan("splendor", 4, bots=["greedy"], admission="open"))
            watched = tables.create(bob, Plan("splendor", 3, bots=["greedy"], audience="anyone"))
            tables.join(watched, charlie)
            finish(alice, bob, 1)

    def cost() -> int:
        client = as_(alice)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("mine")).status_code == 200
        return len(queries)

    more(3)
    few = cost()
    more(27)
    assert cost() == few
    assert few <= 16


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
    game = tables.create(alice, Plan("duel", 2))
    for name in POSTS[:2]:
        response = client.post(address(name, game), b"\xff" * 2000, content_type=form)
        assert response.status_code == 302
    for key in ("ZZZZZZZZZZZZ", "x" * 300, "-"):
        for name in POSTS:
            assert client.post(reverse(name, args=[key])).status_code == 404
    assert Game.objects.count() == 1
