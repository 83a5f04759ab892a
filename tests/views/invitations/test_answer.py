"""Answers to invitations by the link in a mail."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import create_confirmed
from games.models import Game, Invitation
from games.services.absence import pauses
from games.services.clocks.moment import now
from games.services.outbox import opt_out
from games.services.tables import blocks, invitations, tables
from games.services.tables.tables import TableSpec
from tests import factories
from tests.factories import As, person
from tests.views.invitations.asked import ANN, answer, asked, buttons, everything, link, post, seated, user_of
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db


def test_one_click_creates_an_account_and_joins(as_: As, alice: User) -> None:
    invitation, client = asked(alice), as_(None)
    zone = {"time_zone": "Europe/Paris"}
    answered = post(client, invitation, username="ann", **zone)
    assert (answered.status_code, answered["Location"]) == (302, address("table", invitation.game))
    page = text(client.get(answered["Location"]).content)
    assert "You’ve joined as ann. You have no password yet. You can choose one in your settings" in page
    assert (user_of(client), seated(invitation), answer(invitation)) == ("ann", ["alice", "ann"], "accepted")
    ann = User.objects.get(username="ann")
    assert (ann.email, ann.time_zone, ann.has_usable_password()) == (ANN, "Europe/Paris", False)
    assert EmailAddress.objects.filter(user=ann, email=ANN, verified=True, primary=True).exists()
    # The account is complete: the user can set a password and log in with it.
    new = {"password1": "three blue sapphires"}
    assert client.post(reverse("account_set_password"), new).status_code == 302
    other = as_(None)
    assert other.post("/account/login/", {"login": "ann", "password": "three blue sapphires"}).status_code == 302
    assert user_of(other) == "ann"
    # No mail but the invitation was needed.
    factories.post()
    assert [one.subject for one in mail.outbox if "code" in one.subject.lower()] == []


def test_a_guest_without_a_time_zone_is_asked_for_it_next(as_: As, alice: User) -> None:
    invitation = asked(alice)
    answered = post(as_(None), invitation, username="ann")
    assert answered["Location"] == f"/settings/time-zone/?next=%2Ftable%2F{invitation.game.key}%2F"


def test_a_guest_who_takes_the_seat_by_mail_gets_no_second_one(as_: As, alice: User) -> None:
    """They took one by the table's link, in the same browser."""
    invitation, client = asked(alice, admission="link", audience="link"), as_(None)
    client.post(address("join", invitation.game))
    assert len(seated(invitation)) == 2
    post(client, invitation, username="ann", time_zone="UTC")
    assert (seated(invitation), answer(invitation)) == (["alice", "ann"], "accepted")
    assert Game.objects.get(pk=invitation.game_id).status == "open"
    assert not User.objects.filter(is_guest=True).exists()


def test_a_guest_at_a_game_that_has_begun_is_led_to_it(as_: As, alice: User) -> None:
    invitation, client = asked(alice, seats=2, admission="link", audience="link"), as_(None)
    client.post(address("join", invitation.game))
    page = client.get(link(invitation))
    assert "You have a seat at this table The game has started." in text(page.content)
    assert post(client, invitation, username="ann")["Location"] == address("table", invitation.game)


def test_a_code_by_mail_opens_the_new_account_elsewhere(as_: As, alice: User) -> None:
    invitation, client = asked(alice), as_(None)
    post(client, invitation, username="ann", time_zone="UTC")
    mail.outbox.clear()
    other = as_(None)
    assert other.post(reverse("account_reset_password"), {"email": ANN}).status_code == 302
    factories.post()
    [message] = mail.outbox
    assert message.to == [ANN]
    assert re.search(r"^[B-Z]{4}-[B-Z]{4}$", str(message.body), re.MULTILINE)


@pytest.mark.parametrize(
    ("username", "words"),
    [
        ("", "This field is required."),
        ("al", "at least 3 characters"),
        ("bob", "taken"),
        ("B0B", "taken"),
        ("admin", "is reserved"),
        ("a b", "Use letters and digits"),
        ("x" * 21, "at most 20 characters"),
        ("ann\0", "Null characters are not allowed."),
        ("<b>ann</b>", "Use letters and digits"),
    ],
)
def test_impossible_names_are_refused(as_: As, alice: User, bob: User, username: str, words: str) -> None:
    invitation = asked(alice)
    before = everything()
    answered = post(as_(None), invitation, username=username)
    assert answered.status_code == 422
    assert words in text(answered.content)
    assert everything() == before


def test_a_second_click_changes_nothing(as_: As, alice: User) -> None:
    """The second click comes before the answer to the first, so it has no cookie; both lead to the table."""
    with time_machine.travel(invited_at := asked(alice).at, tick=False) as clock:
        invitation = Invitation.objects.get()
        first, second, late = (as_(None) for _ in range(3))
        for client in (first, second):
            answered = post(client, invitation, username="ann", time_zone="UTC")
            assert answered["Location"] == address("table", Game.objects.get())
            assert user_of(client) == "ann"
        assert User.objects.count() == 2
        # Later the link no longer logs anybody in.
        clock.move_to(invited_at + timedelta(minutes=2))
        answered = late.post(link(invitation), {"username": "ann"}, follow=True)
        assert "ann has a seat To play there, log in as ann." in text(answered.content)
        assert user_of(late) is None
    assert seated(invitation) == ["alice", "ann"]


def test_a_guest_with_an_account_gets_the_seat_and_is_asked_to_log_in(as_: As, alice: User, bob: User) -> None:
    invitation, client = asked(alice, "bob@example.org"), as_(None)
    for _ in range(2):
        answered = client.post(link(invitation), follow=True)
        assert "bob has a seat To play there, log in as bob." in text(answered.content)
        login = f"/account/login/?next=%2Ftable%2F{invitation.game.key}%2F"
        assert login in answered.content.decode()
        assert (seated(invitation), user_of(client)) == (["alice", "bob"], None)
    assert User.objects.count() == 2


def test_a_guest_logged_in_to_that_account_plays(as_: As, alice: User, bob: User) -> None:
    invitation, client = asked(alice, "bob@example.org"), as_(bob)
    for _ in range(2):
        assert post(client, invitation)["Location"] == address("table", invitation.game)
    assert seated(invitation) == ["alice", "bob"]


@pytest.mark.parametrize("guest", [ANN, "dora@example.org"])
@pytest.mark.parametrize("who", ["me", "address"])
def test_a_user_logged_in_as_somebody_else_chooses_who_joins(
    as_: As, alice: User, bob: User, guest: str, who: str
) -> None:
    create_confirmed("dora", "dora@example.org", "correct horse", time_zone="UTC")
    invitation, client = asked(alice, guest), as_(bob)
    before = everything()
    for unclear in ({}, {"as": "somebody"}):
        assert post(client, invitation, username="ann", **unclear).status_code == 422
    assert everything() == before
    for _ in range(2):
        answered = post(client, invitation, username="ann", time_zone="UTC", **{"as": who})
        assert answered.status_code == 302
    if who == "me":
        assert (answered["Location"], user_of(client)) == (address("table", invitation.game), "bob")
        assert seated(invitation) == ["alice", "bob"]
    elif guest == ANN:
        assert (answered["Location"], user_of(client)) == (address("table", invitation.game), "ann")
        assert seated(invitation) == ["alice", "ann"]
    else:
        page = text(client.get(answered["Location"]).content)
        assert "dora has a seat You’re logged in as bob. To play there, log in as dora instead." in page
        assert (user_of(client), seated(invitation)) == ("bob", ["alice", "dora"])


def test_a_user_with_another_address_comes_back_to_the_invitation_after_logging_in(
    as_: As, alice: User, bob: User
) -> None:
    """The table's page would not seat them."""
    invitation, client = asked(alice), as_(None)
    page = client.get(link(invitation)).content.decode()
    [login] = re.findall(r'<a href="([^"]*)">I have an account</a>', page)
    answered = client.post(html.unescape(login), {"login": "bob", "password": "correct horse"})
    assert answered["Location"] == link(invitation)
    assert "Join as bob" in buttons(client.get(answered["Location"]).content)


def test_a_guest_can_decline_and_then_accept(as_: As, alice: User) -> None:
    invitation, client = asked(alice), as_(None)
    for _ in range(2):
        assert post(client, invitation, answer="no")["Location"] == link(invitation)
    page = client.get(link(invitation)).content
    assert "You declined, and alice can see it." in text(page)
    assert buttons(page) == ["Take the seat"]
    assert "ann@example.net declined" in text(as_(alice).get(address("table", invitation.game)).content)
    post(client, invitation, username="ann")
    assert seated(invitation) == ["alice", "ann"]
    # A player who has joined leaves on the table's page.
    assert post(client, invitation, answer="no").status_code == 409
    assert (answer(invitation), seated(invitation)) == ("accepted", ["alice", "ann"])


def revoke(invitation: Invitation, alice: User) -> None:
    invitations.revoke(invitation.game, alice, ANN)


def begin(invitation: Invitation, alice: User) -> None:
    Game.objects.filter(pk=invitation.game_id).update(admission="link")
    for name in ("dora", "emil"):
        tables.join(invitation.game, person(name))


def cancel(invitation: Invitation, alice: User) -> None:
    tables.cancel(invitation.game, alice)


def expire(invitation: Invitation, alice: User) -> None:
    with time_machine.travel(invitation.at + timedelta(days=15)):
        tables.expire()


def stop(invitation: Invitation, alice: User) -> None:
    begin(invitation, alice)
    for seat in invitation.game.seat_set.select_related("user"):
        pauses.ask_to_stop(invitation.game, seat.user)  # type: ignore[arg-type]


def answer_as_another(invitation: Invitation, alice: User) -> None:
    other = person("other")
    invitations.accept(invitation, other)
    tables.leave(invitation.game, other)


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (revoke, "Invitation withdrawn alice withdrew this invitation."),
        (begin, "The table is full Others were quicker"),
        (cancel, "This table is closed The host cancelled it before the game started."),
        (expire, "This table is closed It didn’t fill in time"),
        (stop, "This table is closed Everyone agreed to stop the game."),
        (answer_as_another, "Invitation already answered Someone has already used this link to join."),
    ],
)
def test_a_late_answer_is_refused(as_: As, alice: User, bob: User, happens: Any, words: str) -> None:
    invitation = asked(alice)
    happens(invitation, alice)
    before = everything()
    for user in (None, bob):
        client = as_(user)
        page = client.get(link(invitation))
        assert (page.status_code, words in text(page.content)) == (200, True)
        assert buttons(page.content) == []
        for data in ({"username": "ann"}, {"as": "me"}, {"as": "address", "username": "ann"}, {"answer": "no"}):
            answered = client.post(link(invitation), data)
            assert (answered.status_code, words in text(answered.content)) == (409, True)
    assert everything() == before


def test_a_blocked_reader_cannot_answer_for_a_new_account(as_: As, alice: User, bob: User) -> None:
    invitation, client = asked(alice), as_(bob)
    assert client.get(link(invitation)).status_code == 200
    blocks.block(alice, bob)
    assert post(client, invitation, **{"as": "address"}).status_code == 409
    assert (seated(invitation), answer(invitation)) == (["alice"], "")


def test_the_link_of_a_closed_table_says_so_to_those_who_had_a_seat(as_: As, alice: User, bob: User) -> None:
    invitation = asked(alice, "bob@example.org")
    post(as_(bob), invitation)
    cancel(invitation, alice)
    for reader in (bob, None):
        page = text(as_(reader).get(link(invitation)).content)
        assert "This table is closed The host cancelled it before the game started." in page


def test_a_guest_with_too_many_tables_cannot_accept(as_: As, alice: User, bob: User, settings: Any) -> None:
    settings.NEWCOMER_TABLES = 1
    create_confirmed("dora", "dora@example.org", "correct horse")
    tables.create(bob, TableSpec("duel", 2))
    settings.NEWCOMER_TABLES = 2
    tables.create(bob, TableSpec("duel", 2))
    invitation = asked(alice, "bob@example.org")
    before = everything()
    answered = post(as_(bob), invitation)
    assert answered.status_code == 409
    assert "You can join more tables after finishing your first game" in text(answered.content)
    assert everything() == before


def test_a_post_without_its_token_is_refused(alice: User) -> None:
    invitation = asked(alice)
    before = everything()
    client = Client(enforce_csrf_checks=True)
    assert client.post(link(invitation), {"username": "ann"}).status_code == 403
    assert everything() == before


def test_mails_have_the_link_and_opted_out_addresses_get_none(as_: As, alice: User, bob: User) -> None:
    """The test goes through the whole flow, by mail."""
    game = tables.create(alice, TableSpec("splendor", 4, addresses=[ANN, "bea@example.net", "bob@example.org"]))
    with time_machine.travel(now() + timedelta(minutes=3), tick=False):
        factories.post()
    links = {message.to[0]: re.findall(r"http://\S+/i/\S+/", str(message.body))[0] for message in mail.outbox}
    assert set(links) == {ANN, "bea@example.net", "bob@example.org"}
    for invitation in game.invitation_set.all():
        assert links[invitation.address] == invitations.accept_url(invitation)
    opt_out.refuse("bea@example.net")
    mail.outbox.clear()
    again = tables.create(alice, TableSpec("splendor", 4, addresses=[ANN, "bea@example.net"]))
    with time_machine.travel(now() + timedelta(minutes=3), tick=False):
        factories.post()
    assert [message.to for message in mail.outbox] == [[ANN]]
    page = text(as_(alice).get(address("table", again)).content)
    assert "ann@example.net hasn’t answered yet" in page
    assert "bea@example.net hasn’t answered yet" in page
