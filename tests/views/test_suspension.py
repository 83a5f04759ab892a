"""Suspended people can neither log in nor act, and learn why; their games go on, and the suspension ends by itself."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import services as accounts
from accounts.models import Offence, User
from games.models import Game, Notice, Seat
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import links
from games.services.moderation import acts
from games.services.play.actor import Actor
from games.services.tables import guests, invitations, rematch, tables
from games.services.tables.tables import TableRefusal, TableSpec
from tests.accounts.pages import log_in, user_of
from tests.factories import START, As, acting, actor, at, begun, decide, run_out, told_all
from tests.mails.reading import text, write
from tests.staff import member

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)
PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    cache.clear()


@pytest.fixture
def alice(db: None) -> User:
    """Alice, who can log in."""
    return accounts.create_confirmed("alice", "alice@example.org", PASSWORD, time_zone="Europe/Paris")


def suspend(user: User, days: int = 7) -> None:
    acts.suspend(User.objects.filter(username="mia").first() or member(), user, days, Offence.ABUSE, "Be kind.")


def test_a_suspension_owes_its_mail(alice: User) -> None:
    suspend(alice)
    [notice] = Notice.objects.filter(recipient=alice)
    assert notice.facts["subject"] == "Your Cabochon account is suspended"
    assert "Their note: Be kind." in notice.facts["text"]


def test_sessions_end_and_the_right_password_says_why(client: Client, alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="fr")
    alice.refresh_from_db()
    begun([alice, bob])
    there = Client()
    with at(START):
        assert log_in(there, "alice", PASSWORD).status_code == 302
        assert there.get("/games/").status_code == 200
        suspend(alice)
        assert there.get("/games/").status_code == 302
        wrong = log_in(client, "alice", "wrong secret")
        assert wrong.status_code == 200
        assert "Be kind." not in wrong.content.decode()
        session = client.session
        session["written"] = "something"
        session.save()
        answer = log_in(client, "alice", PASSWORD)
        assert "written" not in client.session
        page = answer.content.decode()
        assert answer.status_code == 403
        assert 'lang="fr"' in page
        assert "Be kind." in page
        assert "insultes" in page
        assert "11 mai 2026" in page
        assert {"private", "no-store"} <= {*answer["Cache-Control"].split(", ")}
    assert user_of(client) is None


def test_a_suspension_reads_no_sessions(alice: User) -> None:
    with CaptureQueriesContext(connection) as asked:
        suspend(alice)
    assert not any("session_data" in query["sql"] for query in asked.captured_queries)


def test_a_session_that_began_meanwhile_ends_with_the_page(as_: As, alice: User) -> None:
    suspend(alice)
    client = as_(alice)
    assert client.get("/games/", headers={"HX-Request": "true"}).status_code == 401
    answer = client.post("/tables/new/")
    assert answer.status_code == 403
    assert {"private", "no-store"} <= {*answer["Cache-Control"].split(", ")}
    assert "Be kind." in answer.content.decode()
    assert "_auth_user_id" not in client.session
    assert client.get("/").status_code == 200


def test_a_suspension_ends_by_itself(client: Client, alice: User, bob: User) -> None:
    game = begun([alice, bob])
    suspend(alice)
    with at(now() + WEEK + timedelta(minutes=1)):
        alice.refresh_from_db()
        assert not alice.is_suspended
        assert log_in(client, "alice", PASSWORD).status_code == 302
        assert client.get(f"/table/{game.key}/").status_code == 200
        tables.create(alice, TableSpec("duel", 2))


def test_staff_lift_a_suspension(client: Client, alice: User) -> None:
    suspend(alice)
    acts.lift(User.objects.get(username="mia"), alice, "They apologized")
    assert log_in(client, "alice", PASSWORD).status_code == 302


def test_suspended_people_do_not_act_but_their_games_go_on(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], pace="normal", at_zero="caretaker")
        decide(game)
        decide(game)
        user = actor(game)
        told_all()
        deadline = Game.objects.get(pk=game.pk).deadline
        suspend(user)
        assert not Actor(user).acts_for(acting(game))
        with pytest.raises(play.NotYours):
            play.submit(game, Actor(user), game.number, [str(play.look(game, user).legal[0])])
        assert Game.objects.get(pk=game.pk).deadline == deadline
    seat = run_out(game)
    seat.refresh_from_db()
    assert (seat.user, bool(seat.caretaker)) == (user, True)


def test_links_answer_in_words_and_mails_have_none(client: Client, alice: User, bob: User) -> None:
    game = begun([alice, bob])
    user = actor(game)
    link = links.issue(game, acting(game), str(play.look(game, user).legal[0]))
    assert "/m/" in text(write("turn", user, game, key=f"turn:{game.pk}:{game.number}"))
    suspend(user)
    for answer in (client.get(link), client.post(link, {"number": game.number, "moves": "pass"})):
        assert answer.status_code == 410
        assert "This account is suspended" in answer.content.decode()
        assert "Be kind." not in answer.content.decode()
    user.refresh_from_db()
    assert "/m/" not in text(write("turn", user, game, key=f"turn:{game.pk}:{game.number}"))


def test_suspended_people_join_invite_and_open_nothing(alice: User, bob: User) -> None:
    over = begun([alice, bob])
    play.resign(over, alice)
    theirs, own = tables.create(bob, TableSpec("duel", 2)), tables.create(alice, TableSpec("duel", 2))
    written = tables.create(bob, TableSpec("splendor", 2, name="x"))
    accounts.suspend(alice, now() + WEEK, Offence.SPAM, "")
    for ask in (
        lambda: tables.join(theirs, alice),
        lambda: tables.create(alice, TableSpec("duel", 2)),
        lambda: tables.create(alice, TableSpec("duel", 2, bots=["easy"])),
        lambda: invitations.invite(own, alice, [bob]),
        lambda: rematch.offer(over, alice),
        lambda: tables.take_seat(written, alice),
    ):
        with pytest.raises(TableRefusal) as refusal:
            ask()
        assert refusal.value.code == "suspended"


def test_seats_at_tables_that_have_not_started_become_free(alice: User, bob: User) -> None:
    own, joined = tables.create(alice, TableSpec("duel", 2)), tables.create(bob, TableSpec("splendor", 3))
    tables.join(joined, alice)
    running = begun([alice, bob])
    suspend(alice)
    own.refresh_from_db()
    assert own.status == Game.Status.CANCELLED
    assert [seat.user for seat in Seat.objects.filter(game=joined)] == [bob]
    assert Seat.objects.filter(game=running, user=alice).exists()


def test_a_game_that_is_dealt_again_gives_a_suspended_player_no_seat(alice: User, bob: User, charlie: User) -> None:
    with at(START):
        game = begun([alice, bob, charlie], pace="normal")
        absent = actor(game)
        [suspended, other] = [user for user in (alice, bob, charlie) if user != absent]
        suspend(suspended, days=100)
    run_out(game)
    [table] = Game.objects.filter(follows=game)
    assert [seat.user for seat in table.seat_set.all()] == [other]


def test_a_user_who_is_suspended_meanwhile_starts_no_game(
    as_: As, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_facts: object) -> None:
        raise TableRefusal("suspended")

    client = as_(alice)
    monkeypatch.setattr(guests, "play_bot", refuse)
    assert client.post("/play/duel/")["Location"] == reverse("mine")
