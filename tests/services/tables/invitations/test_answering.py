"""Answers to an invitation: accept or decline it, with or without an account."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress

from accounts.models import User
from games.models import Game, Incident, Notice
from games.services.clocks.moment import now
from games.services.tables import invitations, tables
from games.services.tables.tables import TableRefusal, TableSpec
from tests.factories import person
from tests.services.tables.invitations.rows import ANN, START, answers, everything, invitation, owed, seated

pytestmark = pytest.mark.django_db


def test_a_guest_without_an_account_gets_one_and_the_seat(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    guest = invitations.accept(invitation(table), username="Ann", time_zone="Europe/Rome")
    assert (guest.username, guest.email, guest.time_zone) == ("Ann", ANN, "Europe/Rome")
    assert not guest.has_usable_password()
    confirmed = EmailAddress.objects.filter(user=guest)
    assert list(confirmed.values_list("email", "verified", "primary")) == [(ANN, True, True)]
    assert seated(table) == ["alice", "Ann"]
    assert answers(table) == {ANN: "accepted"}
    assert invitations.is_new(invitation(table), guest)
    assert invitations.accept(invitation(table), username="Other") == guest
    assert User.objects.count() == 2


def test_a_new_account_is_new_for_a_minute(table: Game, alice: User, bob: User) -> None:
    with time_machine.travel(START, tick=False) as clock:
        invitations.invite(table, alice, [], [ANN, "bob@example.org"])
        guest = invitations.accept(invitation(table), username="Ann")
        assert invitations.accept(invitation(table, "bob@example.org")) == bob
        assert not invitations.is_new(invitation(table, "bob@example.org"), bob)
        clock.shift(timedelta(seconds=59))
        assert invitations.is_new(invitation(table), guest)
        clock.shift(timedelta(seconds=1))
        assert not invitations.is_new(invitation(table), guest)


def test_a_guest_with_an_account_joins_with_it_or_another(alice: User, bob: User, charlie: User) -> None:
    dora = person("dora")
    for answering in (None, bob, charlie):
        game = tables.create(alice, TableSpec("splendor", 4, addresses=["bob@example.org"], admission="named"))
        for _ in range(2):
            assert invitations.accept(invitation(game, "bob@example.org"), answering) == (answering or bob)
        assert seated(game) == ["alice", str(answering or bob)]
        assert answers(game) == {"bob@example.org": "accepted"}
        # The link is used up.
        with pytest.raises(TableRefusal, match="answered"):
            invitations.accept(invitation(game, "bob@example.org"), dora)


def test_leaving_declines_the_invitation(alice: User, bob: User, charlie: User) -> None:
    spec = TableSpec("splendor", 4, invited=[charlie], addresses=[bob.email], admission="named", audience="seats")
    game = tables.create(alice, spec)
    for user in (bob, charlie):
        tables.join(game, user)
        tables.leave(game, user)
    assert (answers(game), list(game.invited.all())) == ({bob.email: "declined"}, [])
    assert [game.is_visible_to(user) for user in (bob, charlie)] == [False, False]
    # The link in Bob's mail leads back, and the host can ask both again.
    invitations.accept(invitation(game, bob.email), bob)
    tables.leave(game, bob)
    for _ in range(2):
        invitations.invite(game, alice, [bob, charlie])
    assert owed("invited") == [
        ("charlie", "invited:game"),
        ("bob", "invited"),
        ("bob", f"invited:game:{game.pk}"),
        ("charlie", f"invited:game:{game.pk}"),
    ]
    tables.join(game, bob)


def test_a_decliner_who_is_invited_again_gets_another_mail(table: Game, alice: User, bob: User) -> None:
    for _ in range(2):
        invitations.invite(table, alice, [bob])
        Notice.objects.update(outcome="sent", closed_at=now())
        invitations.decline_seat(table, bob)
    invitations.invite(table, alice, [bob])
    assert owed("invited") == [("bob", "invited:game"), *[("bob", f"invited:game:{table.pk}")] * 2]


def test_joining_the_table_answers_the_invitation(alice: User, bob: User, charlie: User) -> None:
    game = tables.create(
        alice, TableSpec("splendor", 4, addresses=["bob@example.org"], admission="named", audience="seats")
    )
    assert (game.is_visible_to(bob), game.is_visible_to(charlie)) == (True, False)
    assert list(Game.objects.inviting(bob)) == [game]
    # An invitation to another table opens this one to nobody.
    tables.create(alice, TableSpec("duel", 2, addresses=["charlie@example.org"]))
    with pytest.raises(TableRefusal, match="not_invited"):
        tables.join(game, charlie)
    tables.join(game, bob)
    assert answers(game) == {"bob@example.org": "accepted"}
    assert invitation(game, bob.email).answered_at is not None


def test_accepting_deletes_an_unconfirmed_sign_up_with_the_address(table: Game, alice: User) -> None:
    squatter = person("squatter")
    User.objects.filter(pk=squatter.pk).update(email=ANN)
    EmailAddress.objects.create(user=squatter, email=ANN, verified=False, primary=True)
    invitations.invite(table, alice, [], [ANN])
    assert owed() == [(ANN, "invited")]
    guest = invitations.accept(invitation(table), username="Ann")
    assert set(User.objects.all()) == {alice, guest}


def test_a_name_taken_in_the_meantime_is_refused(table: Game, alice: User, bob: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    before = everything()
    with pytest.raises(invitations.NameTaken):
        invitations.accept(invitation(table), username="B0B")
    assert everything() == before


def begin(game: Game, alice: User) -> None:
    for seat in range(3):
        tables.join(game, person(f"guest{seat}"))


def close(game: Game, alice: User) -> None:
    tables.cancel(game, alice)


@pytest.mark.parametrize("happens", [begin, close])
def test_answers_are_refused_once_the_table_has_started_or_closed(
    table: Game, alice: User, bob: User, happens: Callable[[Game, User], None]
) -> None:
    invitations.invite(table, alice, [bob], [ANN])
    happens(table, alice)
    before = everything()
    for act in (invitations.accept, invitations.decline):
        with pytest.raises(TableRefusal, match="not_open"):
            act(invitation(table))
    with pytest.raises(TableRefusal, match="not_open"):
        invitations.decline_seat(table, bob)
    assert everything() == before


def test_a_closed_account_does_not_join(table: Game, alice: User, bob: User) -> None:
    invitations.invite(table, alice, [], ["bob@example.org"])
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(TableRefusal, match="inactive"):
        invitations.accept(invitation(table, "bob@example.org"))


def test_answering_a_revoked_invitation_is_refused(table: Game, alice: User, bob: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    read = invitation(table)
    invitations.revoke(table, alice, ANN)
    with pytest.raises(TableRefusal, match="revoked"):
        invitations.accept(read, bob)
    with pytest.raises(TableRefusal, match="revoked"):
        invitations.decline(read)


def test_a_link_that_is_clicked_in_two_tabs_declines_once(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    for tab in [invitation(table), invitation(table)]:
        invitations.decline(tab)
    assert Incident.objects.filter(kind="declined").count() == 1


def test_the_table_shows_who_declined(alice: User, bob: User, charlie: User) -> None:
    spec = TableSpec(
        "splendor", 4, invited=[bob], addresses=[ANN, "charlie@example.org"], audience="seats", admission="named"
    )
    game = tables.create(alice, spec)
    for _ in range(2):
        invitations.decline_seat(game, bob)
        invitations.decline_seat(game, charlie)
        invitations.decline(invitation(game))
    assert answers(game) == {ANN: "declined", "charlie@example.org": "declined"}
    pks = [invitation(game, address).pk for address in ("charlie@example.org", ANN)]
    assert list(Incident.objects.order_by("pk").values_list("kind", "facts")) == [
        ("declined", {"user": bob.pk}),
        # The names do not reveal who owns an address.
        *(("declined", {"invitation": pk}) for pk in pks),
    ]
    assert [game.is_visible_to(user) for user in (bob, charlie)] == [False, False]
    with pytest.raises(TableRefusal, match="leave_instead"):
        invitations.decline_seat(game, alice)
    # A guest can change their mind with the link.
    invitations.accept(invitation(game, "charlie@example.org"))
    assert seated(game) == ["alice", "charlie"]
