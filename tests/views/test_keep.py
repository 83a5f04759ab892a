"""Keep this game: a guest gets an account with the same games by entering the code from their mail."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.services import create_confirmed, is_confirmed
from games.models import Game, Invitation, Notice
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import guests, invitations, tables
from games.services.tables.tables import TableSpec
from tests.accounts.pages import PASSWORD, last_code
from tests.factories import As, post
from tests.views.invitations.asked import asked, link

pytestmark = pytest.mark.django_db

ANN = {"username": "ann", "email": "Ann@example.net", "time_zone": "Europe/Paris"}


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def visitor() -> Client:
    client = Client()
    client.post("/play/duel/")
    return client


def user_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_a_guest_becomes_an_account_with_the_same_games(visitor: Client) -> None:
    before = user_of(visitor)
    [game] = Game.objects.of(before)
    back = f"/table/{game.key}/"
    answer = visitor.post("/keep/", ANN | {"next": back})
    assert answer["Location"] == "/keep/code/"
    before.refresh_from_db()
    assert (before.is_guest, before.email) == (True, "")
    assert visitor.post("/keep/code/", {"code": last_code("ann@example.net")})["Location"] == back
    after = user_of(visitor)
    assert after == before
    assert (after.is_guest, after.username, after.email, after.time_zone) == (
        False, "ann", "ann@example.net", "Europe/Paris",
    )  # fmt: skip
    assert is_confirmed(after)
    assert [seat.user for seat in game.seat_set.all() if not seat.bot] == [after]
    assert "Your games are kept under the name ann." in text(visitor.get(back))


def test_a_guest_s_own_time_zone_stays(visitor: Client) -> None:
    User.objects.filter(pk=user_of(visitor).pk).update(time_zone="Asia/Tokyo")
    visitor.post("/keep/", ANN)
    visitor.post("/keep/code/", {"code": last_code("ann@example.net")})
    assert user_of(visitor).time_zone == "Asia/Tokyo"


def test_without_a_script_the_time_zone_is_asked_for(visitor: Client) -> None:
    visitor.post("/keep/", ANN | {"time_zone": "", "next": "foo"})
    answer = visitor.post("/keep/code/", {"code": last_code("ann@example.net")})
    assert answer["Location"] == "/settings/time-zone/?next=foo"


def test_the_browser_of_a_new_account_is_known(visitor: Client) -> None:
    visitor.post("/keep/", ANN)
    visitor.post("/keep/code/", {"code": last_code("ann@example.net")})
    user = user_of(visitor)
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    post()
    mail.outbox.clear()
    visitor.post("/account/logout/")
    visitor.post("/account/login/", {"login": "ann", "password": PASSWORD})
    post()
    assert not mail.outbox


def test_too_many_sign_ups_from_a_network_are_told_so(visitor: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "signup": "1/d/ip"}
    assert visitor.post("/keep/", ANN).status_code == 302
    answer = visitor.post("/keep/", ANN | {"email": "other@example.net"})
    assert (answer.status_code, "sent you a code" in text(answer)) == (429, False)
    assert answer["Retry-After"] == "86400"


def test_keeping_a_seat_answers_the_invitation_to_the_address(visitor: Client, alice: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    invitation = Invitation.objects.create(game=game, address="ann@example.net", invited_by=alice, at=now())
    tables.join(game, user_of(visitor))
    visitor.post("/keep/", ANN)
    visitor.post("/keep/code/", {"code": last_code("ann@example.net")})
    invitation.refresh_from_db()
    assert invitation.answer == "accepted"


def test_the_session_of_a_new_account_is_listed_and_may_choose_a_password(visitor: Client) -> None:
    visitor.post("/keep/", ANN)
    visitor.post("/keep/code/", {"code": last_code("ann@example.net")})
    assert "This session" in text(visitor.get("/settings/sessions/"))
    assert visitor.post("/account/password/set/", {"password1": PASSWORD})["Location"] == "/settings/"


def test_keeping_is_offered_after_the_first_move_and_at_the_end(visitor: Client) -> None:
    user = user_of(visitor)
    [game] = Game.objects.of(user).with_seats()
    table, offer = f"/table/{game.key}/", "Keep this game"
    assert offer not in text(visitor.get(table))
    while game.to_act == game.index_of(user):
        visitor.post(table, {"number": game.number, "moves": str(play.look(game, user).legal[0])})
        game = Game.objects.with_seats().get()
    assert offer in text(visitor.get(table))
    assert offer not in text(Client().get(table))
    visitor.post(f"{table}keep-later/")
    assert offer not in text(visitor.get(table))
    play.resign(game, user)
    assert text(visitor.get(table)).count(offer) == 1


def test_an_address_that_was_only_typed_blocks_nobody(visitor: Client, client: Client) -> None:
    visitor.post("/keep/", ANN)
    form = {"username": "ann", "email": "ann@example.net", "password1": PASSWORD}
    cache.clear()
    assert client.post("/account/signup/", form)["Location"] == "/account/confirm-email/"
    client.post("/account/confirm-email/", {"code": last_code("ann@example.net")})
    assert User.objects.get(username="ann").email == "ann@example.net"
    code = visitor.session["keep"]["code"]
    assert "Someone has just taken this name or address." in text(
        visitor.post("/keep/code/", {"code": code}, follow=True)
    )
    assert user_of(visitor).is_guest


def test_a_bad_code_loses_nothing(visitor: Client) -> None:
    visitor.post("/keep/", ANN)
    assert "Wrong code." in text(visitor.post("/keep/code/", {"code": "wrong"}))
    visitor.post("/keep/code/", {"code": "wrong"})
    answer = visitor.post("/keep/code/", {"code": "wrong"}, follow=True)
    assert "Your games are still here" in text(answer)
    right = last_code("ann@example.net")
    assert visitor.post("/keep/code/", {"code": right})["Location"] == "/keep/"
    assert (user_of(visitor).is_guest, len(Game.objects.of(user_of(visitor)))) == (True, 1)


def test_a_code_is_valid_for_15_minutes(visitor: Client) -> None:
    visitor.post("/keep/", ANN)
    right = last_code("ann@example.net")
    with time_machine.travel(now() + timedelta(minutes=16)):
        assert visitor.post("/keep/code/", {"code": right})["Location"] == "/keep/"
    assert user_of(visitor).is_guest


def test_pages_do_not_tell_whether_an_address_has_an_account(visitor: Client) -> None:
    create_confirmed("ben", "ben@example.net", PASSWORD)
    answer = visitor.post("/keep/", ANN | {"email": "ben@example.net"}, follow=True)
    assert "Enter the eight letters we sent to ben@example.net" in text(answer)
    post()
    [letter] = mail.outbox
    assert letter.subject.startswith("You already have an account")
    for code in ("", "BBBB-BBBB"):
        assert visitor.post("/keep/code/", {"code": code}).status_code == 422
    assert user_of(visitor).is_guest


def test_guests_cannot_flood_an_address(visitor: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"confirm_email": "1/10s/key"}
    assert [visitor.post("/keep/", ANN).status_code for _ in range(2)] == [302, 429]
    assert Notice.objects.filter(address="ann@example.net").count() == 1


def test_an_account_is_mailed_about_the_turn_it_has(alice: User, as_: As) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    user = guests.sit_down(game)
    game.refresh_from_db()
    while game.seat_set.get(index=game.to_act).user != user:
        mover = game.seat_set.get(index=game.to_act).user
        assert mover
        game = Game.objects.with_seats().get(pk=game.pk)
        play.submit(game, play.Actor(mover), game.number, [str(play.look(game, mover).legal[0])])
        game.refresh_from_db()
    assert not Notice.objects.filter(recipient=user).exists()
    client = as_(user)
    client.post("/keep/", ANN)
    client.post("/keep/code/", {"code": last_code("ann@example.net")})
    kinds = {notice.kind for notice in Notice.objects.filter(recipient=user)}
    assert kinds == {Notice.Kind.TURN, Notice.Kind.REMINDER}


# --- who may sign up ---


def test_a_site_may_be_closed(visitor: Client, client: Client, settings: Any, alice: User) -> None:
    settings.SIGN_UP = "closed"
    assert "isn’t taking new players" in text(client.get("/account/signup/"))
    assert (visitor.get("/keep/").status_code, visitor.post("/keep/", ANN).status_code) == (403, 403)
    assert "Sign up" not in text(client.get("/"))


def test_a_site_may_be_open_by_invitation(visitor: Client, client: Client, settings: Any, alice: User) -> None:
    settings.SIGN_UP = "invitation"
    assert "New players need an invitation." in text(client.get("/account/signup/"))
    assert visitor.get("/keep/").status_code == 403
    game = tables.create(alice, TableSpec("splendor", 3))
    visitor.post(f"/table/{game.key}/join/")
    assert visitor.get("/keep/").status_code == 200


def test_the_footer_names_the_host(client: Client, settings: Any) -> None:
    assert "Legal notice" not in text(client.get("/"))
    settings.CONTACT, settings.LEGAL_NOTICE = "host@example.org", "https://example.org/legal"
    page = client.get("/").content.decode()
    assert '<a href="mailto:host@example.org">Contact</a>' in page
    assert '<a href="https://example.org/legal">Legal notice</a>' in page


def test_a_closed_site_makes_no_account_from_an_invitation(client: Client, settings: Any) -> None:
    alma = create_confirmed("alma", "alma@example.org", PASSWORD)
    invitation = asked(alma)
    assert Notice.objects.filter(kind="invited").count() == 1
    settings.SIGN_UP = "closed"
    page = client.get(link(invitation))
    assert "isn’t taking new players" in text(page)
    assert "Take the seat" not in text(page)
    assert "I have an account" in text(page)
    answer = client.post(link(invitation), {"username": "ann"})
    assert (answer.status_code, "isn’t taking new players" in text(answer)) == (409, True)
    # Nobody is invited who could not come.
    invitations.invite(invitation.game, alma, [], ["bea@example.net"])
    assert Notice.objects.filter(kind="invited").count() == 1
    client.force_login(alma)
    assert "get an invitation by email" not in text(client.get(f"/table/{invitation.game.key}/"))
    assert not User.objects.filter(username="ann").exists()
