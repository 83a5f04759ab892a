"""Play without an account: guests play bots and join by a link, and can do nothing to strangers."""

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse

from accounts import urls as accounts_urls
from accounts.models import User
from accounts.services import create_confirmed, create_guest
from games import tasks
from games import urls as games_urls
from games.catalogue import TITLES
from games.models import Game, Invitation, Move, Notice, Preferences, Seat, Tally
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import guests, rematch, tables
from games.services.tables.tables import TableRefusal, TableSpec
from games.services.work import bot_queues, sweep
from tests.accounts.pages import PASSWORD
from tests.check_shuffle import run
from tests.factories import NEW, START, As, at, begun, person, state

pytestmark = pytest.mark.django_db

DAYS_30 = timedelta(days=30)


def bots() -> list[Game]:
    return list(Game.objects.with_seats().order_by("pk"))


@pytest.fixture
def visitor() -> Client:
    return Client()


def guest(game: Game) -> User:
    return User.objects.get(is_guest=True, pk__in=game.seat_set.values("user"))


def start(client: Client, title: str = "splendor") -> Game:
    client.post(f"/play/{title}/")
    return Game.objects.with_seats().latest("pk")


# --- a game against a bot ---


@pytest.mark.parametrize("title", TITLES)
def test_one_post_starts_a_game_in_which_the_visitor_begins(visitor: Client, title: str) -> None:
    answer = visitor.post(f"/play/{title}/")
    [game] = bots()
    mine, bot = game.seat_set.all()
    assert answer["Location"] == reverse("table", args=[game.key])
    assert (game.title, game.to_act, mine.index, bot.bot) == (title, 0, 0, "beginner")
    assert mine.user is not None
    assert (mine.user.is_guest, mine.user.email, mine.user.has_usable_password()) == (True, "", False)
    decision = str(play.look(game, mine.user).legal[0])
    assert visitor.post(answer["Location"], {"number": 0, "moves": decision}).status_code == 302
    assert [move.seat for move in Move.objects.filter(game=game)] == [0]


def test_a_user_starts_one_too(as_: As, alice: User) -> None:
    game = start(as_(alice), "duel")
    assert (game.host, User.objects.count()) == (alice, 1)


def test_looking_makes_no_guest(visitor: Client) -> None:
    assert [visitor.get(path).status_code for path in ("/", "/play/duel/")] == [200, 405]
    assert visitor.post("/play/chess/").status_code == 404
    assert (User.objects.count(), Game.objects.count()) == (0, 0)


def test_the_name_follows_the_readers_language(visitor: Client, as_: As, alice: User) -> None:
    game = start(visitor)
    number = guest(game).username.removeprefix("guest-")
    assert f"Guest {number}" in visitor.get("/games/").content.decode()
    assert guest(game).username not in as_(alice).get(reverse("table", args=[game.key])).content.decode()


@pytest.mark.parametrize("name", ["guest-12", "Guest.ana", "invité-1", "invite-1", "deleted-7"])
def test_nobody_can_sign_up_under_such_a_name(visitor: Client, name: str) -> None:
    form = {"username": name, "email": "ana@example.org", "password1": "three blue sapphires"}
    assert "This name is reserved." in visitor.post("/account/signup/", form).content.decode()


def test_without_cookies_one_page_says_so() -> None:
    answer = Client(enforce_csrf_checks=True).post("/play/splendor/")
    assert answer.status_code == 403
    assert "Your browser blocks cookies" in answer.content.decode()
    assert User.objects.count() == 0


def test_a_site_can_do_without_guests(visitor: Client, settings: Any, alice: User) -> None:
    settings.GUESTS = False
    game = tables.create(alice, TableSpec("duel", 2))
    for path in ("/play/splendor/", f"/table/{game.key}/join/"):
        assert visitor.post(path)["Location"].startswith("/account/login/?next=/table")
    assert User.objects.count() == 1
    assert "/play/" not in visitor.get("/").content.decode()


def test_a_network_can_bring_thirty_guests_in_an_hour(visitor: Client, settings: Any) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"guest": "30/h/ip"}
    network = "2001:db8:0:1::{:x}"
    answers = [Client().post("/play/duel/", REMOTE_ADDR=network.format(n)).status_code for n in range(31)]
    assert answers == [302] * 30 + [429]
    assert User.objects.count() == 30
    assert Client().post("/play/duel/", REMOTE_ADDR="2001:db8:0:2::1").status_code == 302


def test_the_result_says_that_no_seats_were_drawn(visitor: Client) -> None:
    game = start(visitor, "duel")
    play.resign(game, guest(game))
    page = visitor.get(reverse("table", args=[game.key])).content.decode()
    assert "the host began, and the seats weren’t shuffled" in page
    command = re.search(r'<code class="exact">python3 check_shuffle.py (.*?)</code>', page)
    assert command
    code, said = run(*command[1].split())
    assert (code, said.splitlines()[:2]) == (0, ["The seal fits the seed.", "Turn order: the order of joining."])


# --- a seat by a link ---


def test_a_guest_is_told_in_utc_how_long_their_seat_is_held(visitor: Client, alice: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    with at(START):
        page = visitor.post(reverse("join", args=[game.key]), follow=True)
    assert re.search(r"Your seat is held until [^.<]+ UTC\.", page.content.decode())


def test_a_visitor_takes_a_seat_by_a_link(visitor: Client, alice: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    page = visitor.get(reverse("table", args=[game.key])).content.decode()
    assert "alice invites you to Splendor Duel" in page
    said = " ".join(page.partition('class="expected"')[2].partition("<a")[0].split())
    assert said == (
        "> Splendor Duel is a game of gems and cards that you can learn in a few minutes. A game for 2 players that"
        " takes about two weeks, with a move a day."
    )
    assert page.index("Take the seat") < page.index("I have an account")
    visitor.post(f"/table/{game.key}/join/")
    game.refresh_from_db()
    assert (game.status, guest(game).is_guest) == (Game.Status.ACTIVE, True)


def test_a_refusal_makes_no_guest(visitor: Client, alice: User, bob: User) -> None:
    full, named = tables.create(alice, TableSpec("duel", 2)), TableSpec("duel", 2, admission="named", invited=[bob])
    tables.join(full, bob)
    listed = tables.create(alice, TableSpec("duel", 2, admission="open"))
    for game in (full, listed, tables.create(alice, named)):
        visitor.post(f"/table/{game.key}/join/")
    assert User.objects.count() == 2


def test_a_visitor_is_told_that_a_table_is_full(visitor: Client, alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    path = reverse("table", args=[game.key])
    assert "Take the seat" in visitor.get(path).content.decode()
    tables.join(game, bob)
    answer = visitor.post(f"{path}join/", follow=True)
    assert (answer.status_code, "This table is no longer open." in answer.content.decode()) == (200, True)
    assert User.objects.count() == 2


def test_an_open_table_frees_the_seat_after_two_days(alice: User, bob: User) -> None:
    with at(START):
        game = tables.create(alice, TableSpec("splendor", 4))
        tables.join(game, bob)
        guests.sit_down(game)
    with at(START + tables.GUEST_SEAT_TIME - timedelta(minutes=1)):
        sweep.sweep()
        assert guests.free_seats() == 0
        assert game.seat_set.count() == 3
    with at(START + tables.GUEST_SEAT_TIME):
        sweep.sweep()
        assert [seat.user for seat in game.seat_set.order_by("pk")] == [alice, bob]


def test_a_guest_who_gets_an_account_while_seats_are_freed_keeps_theirs(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at(START):
        game = tables.create(alice, TableSpec("splendor", 4))
        visitor = guests.sit_down(game)
    free = tables.free

    def meanwhile(game: Game, seat: Seat) -> None:
        guests.kept(visitor)
        free(game, seat)

    monkeypatch.setattr(tables, "free", meanwhile)
    with at(START + tables.GUEST_SEAT_TIME):
        assert guests.free_seats() == 0
    assert game.seat_set.filter(user=visitor).exists()


# --- nothing to strangers ---


def test_a_guest_mails_nobody_and_gets_no_mail(as_: As, alice: User) -> None:
    user, friend = create_guest(), tables.create(alice, TableSpec("duel", 2))
    client = as_(user)
    client.post(f"/table/{friend.key}/join/")
    for data in ({"admission": "named", "invited": "bob@example.net, alice"}, {"way": "link"}, {"admission": "open"}):
        answer = client.post("/tables/new/", NEW | data)
        assert answer.status_code == 422
    mine = start(client)
    for table in (friend, mine):
        client.post(f"/table/{table.key}/invite/", {"guests": "bob@example.net"})
        client.post(f"/table/{table.key}/rematch/")
    client.post("/settings/mail/test/")
    assert client.get("/account/email/")["Location"] == "/settings/"
    client.post("/account/email/", {"email": "bob@example.net", "action_add": ""})
    assert Invitation.objects.count() == 0
    assert [notice.recipient for notice in Notice.objects.all()] == [alice] * Notice.objects.count()
    assert {game.host for game in bots()} == {alice, user}


def test_a_guest_does_not_ask_people_for_a_rematch(alice: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    user = guests.sit_down(game)
    game.refresh_from_db()
    play.resign(game, alice)
    with pytest.raises(TableRefusal, match="guest"):
        rematch.offer(game, user)
    again = rematch.offer(game, alice)
    assert rematch.offer(game, user) == again
    assert Notice.objects.filter(recipient=user).count() == 0


def test_guests_cannot_fill_tables(as_: As, alice: User) -> None:
    user = create_guest()
    client = as_(user)
    listed = tables.create(alice, TableSpec("duel", 2, admission="open"))
    client.post(f"/table/{listed.key}/join/")
    assert Seat.objects.filter(user=user).count() == 0
    for _ in range(4):
        client.post("/play/duel/")
    assert Seat.objects.filter(user=user).count() == 3


@pytest.mark.parametrize(("most", "words"), [(1, "You can have one running game"), (9, "You can have 3 running games")])
def test_guests_are_told_their_limit(as_: As, settings: Any, most: int, words: str) -> None:
    settings.BOT_TABLES = most
    client = as_(create_guest())
    *_, answer = [client.post("/play/duel/", follow=True) for _ in range(4)]
    assert answer.redirect_chain == [("/games/", 302)]
    assert f"{words} against bots." in answer.content.decode()


def test_guests_have_these_settings_and_no_others(as_: As) -> None:
    guest, names = create_guest(), {f"accounts:{page.name}" for page in accounts_urls.own}
    names |= {str(page.name) for page in games_urls.urlpatterns}
    found = set()
    for name in names:
        with suppress(NoReverseMatch):
            path = reverse(name, args=[1] if name == "accounts:end_session" else [])
            if path.startswith("/settings/"):
                answers = [as_(guest).post(path), as_(guest).get(path)]
                found |= {name} - {name for answer in answers if answer.headers.get("Location") == "/settings/"}
    assert found == {"accounts:settings", "accounts:time_zone", "vacation", "blocked"} | {
        "accounts:theme",
        "accounts:language",
        "time_off",
        "vacation_back",
    }
    assert Preferences.of(guest).calendar == ""


def test_bots_serve_people_before_guests(alice: User) -> None:
    games = [guests.play_bot("duel", None)[0] for _ in range(2)]
    games.append(tables.create(alice, TableSpec("duel", 2, bots=["easy"], host_begins=True)))
    for game in games:
        user = game.host
        assert user
        turn = game.turn_number
        while game.is_active and game.turn_number == turn:
            play.submit(game, play.Actor(user), game.number, [str(play.look(game, user).legal[0])])
            game.refresh_from_db()
    first, second, hers = (game.pk for game in games)
    waiting = [bot.game for bot in bot_queues.waiting(Game.objects.all(), now())]
    assert waiting == [hers, first, second]
    assert bot_queues.next_game(first, None, now()) == hers


# --- the way to an account ---


@pytest.fixture
def ben() -> User:
    cache.clear()
    return create_confirmed("ben", "ben@example.org", PASSWORD, time_zone="Europe/Paris")


def test_a_person_who_logs_in_takes_the_games_along(visitor: Client, alice: User, ben: User) -> None:
    game, both = start(visitor), tables.create(alice, TableSpec("splendor", 3))
    tables.join(both, ben)
    user = guest(game)
    visitor.post("/account/login/", {"login": "ben", "password": "wrong"})
    assert visitor.get("/games/").context["user"] == user
    tables.join(both, user)
    answer = visitor.post("/account/login/", {"login": "ben", "password": PASSWORD}, follow=True)
    assert [seat.user for seat in Seat.objects.filter(game=game, bot="")] == [ben]
    assert {seat.user for seat in Seat.objects.filter(game=both)} == {alice, ben, user}
    assert f"You already had a seat at {both.short_key}" in answer.content.decode()
    assert Game.objects.get(pk=game.pk).host == ben


def test_a_person_with_a_seat_at_an_open_table_needs_no_second_one(visitor: Client, alice: User, ben: User) -> None:
    both = tables.create(alice, TableSpec("splendor", 4))
    tables.join(both, ben)
    tables.join(both, guest(start(visitor)))
    visitor.post("/account/login/", {"login": "ben", "password": PASSWORD})
    assert [seat.user for seat in Seat.objects.filter(game=both).order_by("pk")] == [alice, ben]
    assert not User.objects.filter(is_guest=True).exists()


def test_a_guest_whose_games_are_all_taken_along_is_gone(visitor: Client, ben: User) -> None:
    game = start(visitor)
    visitor.post("/account/login/", {"login": "ben", "password": PASSWORD})
    assert User.objects.get() == ben
    assert Game.objects.with_seats().get(pk=game.pk).index_of(ben) == 0


def test_a_browser_knows_the_account_of_a_guest_who_logs_in_after_midnight(visitor: Client, ben: User) -> None:
    with at(START):
        start(visitor)
        visitor.get("/games/")
    with at(START + timedelta(days=1)):
        visitor.post("/account/login/", {"login": "ben", "password": PASSWORD})
        known = visitor.cookies[settings.BROWSER_COOKIE_NAME].value.partition(":")[0].split(".")
        assert known[0] == str(ben.pk)
        assert visitor.get("/games/").context["user"] == ben


def test_idle_guests_are_deleted_with_their_games_against_bots(visitor: Client, alice: User) -> None:
    with at(START):
        old, (shared, user) = guests.play_bot("duel", None), guests.play_bot("duel", None)
        tables.join(tables.create(alice, TableSpec("splendor", 3)), user)
        play.resign(shared, user)
        assert Tally.objects.filter(user=user).exists()
        theirs = tables.create(person("bob"), TableSpec("duel", 2, bots=["easy"]))
    with at(START + DAYS_30 - timedelta(days=1)):
        active, _user = guests.play_bot("duel", None)
        tasks.forget_guests()
        assert old[1] in User.objects.all()
    with at(START + DAYS_30), CaptureQueriesContext(connection) as queries:
        tasks.forget_guests()
    left = set(Game.objects.filter(title="duel").values_list("pk", flat=True))
    assert left == {theirs.pk, active.pk}
    assert old[1] not in User.objects.all()
    assert user in User.objects.all()
    assert shared.pk not in left
    assert not Tally.objects.filter(user=user).exists()
    # A guest's session could only be found by reading those of everybody.
    assert not [each for each in queries if "session_data" in each["sql"]]


def test_many_idle_guests_are_deleted_in_several_tasks(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One of them cannot be deleted, which does not stop the others."""
    asked: list[tuple[int]] = []
    monkeypatch.setattr(current_app, "send_task", lambda _name, arguments, *_, **__: asked.append(arguments))
    monkeypatch.setattr(sweep, "GUESTS_AT_ONCE", 2)
    with at(START):
        first, *_others = (guests.play_bot("duel", None)[1] for _guest in range(5))

    def fail(execute: Any, sql: str, values: Any, *question: Any) -> Any:
        if sql.startswith('DELETE FROM "accounts_user"') and first.pk in values:
            raise DatabaseError
        return execute(sql, values, *question)

    left = []
    with at(START + DAYS_30), connection.execute_wrapper(fail):
        tasks.forget_guests()
        left.append(User.objects.count())
        while asked:
            tasks.forget_guests(*asked.pop())
            left.append(User.objects.count())
    assert left == [4, 2, 1]
    assert User.objects.get() == first
    assert caplog.messages == ["A duty of the sweep failed."]


@pytest.mark.parametrize("closed", [False, True], ids=["deleted", "private"])
def test_a_guest_is_told_why_their_game_is_gone(visitor: Client, alice: User, settings: Any, closed: bool) -> None:
    """The page says the same about a private table, so it never reveals that one exists."""
    game = start(visitor)
    path = reverse("table", args=[game.key])
    if closed:
        Game.objects.update(audience="seats")
        visitor.logout()
    else:
        with at(now() + DAYS_30):
            tasks.forget_guests()
    page = visitor.get(path)
    assert page.status_code == 404
    assert "A guest’s games are deleted after 30 days without a move." in page.content.decode()
    assert '<a class="btn btn-act" href="/">Start a new game</a>' in page.content.decode()
    settings.GUESTS = False
    assert "guest" not in visitor.get(path).content.decode()


def test_two_guests_have_no_address() -> None:
    assert [create_guest().email for _ in range(2)] == ["", ""]
    assert state(guests.play_bot("duel", None)[0]).to_act == 0


# --- the first page shows real tables ---


def test_the_first_page_shows_public_tables(visitor: Client, settings: Any, alice: User, bob: User) -> None:
    def shown() -> list[str]:
        page = Client().get("/").content.decode()
        assert ("Watch a game" in page) == ('class="watch"' in page)
        return re.findall(r'<a href="/table/(\w+)/">', page)

    assert shown() == []
    private, theirs = begun([alice, bob]), start(visitor)
    Game.objects.filter(pk=theirs.pk).update(audience="anyone")
    tables.create(alice, TableSpec("duel", 2, audience="anyone"))
    assert shown() == []
    games = [begun([alice, bob], "duel", audience="anyone", name=name) for name in ("Friday", "Sunday", "Monday")]
    assert shown() == [games[2].key, games[1].key]
    assert private.key not in shown()
    play.resign(games[2], alice)
    assert shown() == [games[1].key, games[0].key]
    settings.PUBLIC_TABLES = False
    assert shown() == []


def test_a_guest_learns_that_an_account_is_closed(visitor: Client, ben: User) -> None:
    start(visitor)
    User.objects.filter(pk=ben.pk).update(is_active=False)
    answer = visitor.post("/account/login/", {"login": "ben", "password": PASSWORD}, follow=True)
    assert "closed your account" in answer.content.decode()
