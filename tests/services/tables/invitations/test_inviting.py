"""Inviting people to a table: mails, limits, links and reminders."""

from datetime import timedelta

import pytest
import time_machine

from accounts.models import User
from accounts.services import create_confirmed, create_guest
from games.models import Game, Invitation, Notice, Seat
from games.services import play
from games.services.outbox import opt_out
from games.services.tables import invitations, tables
from games.services.tables.tables import TableRefusal, TableSpec, TooMany
from games.services.work import sweep
from tests.factories import begun, person
from tests.services.races import race
from tests.services.tables.invitations.rows import ANN, BEA, START, answers, everything, invitation, owed

pytestmark = pytest.mark.django_db

# --- inviting ---


def test_people_and_addresses_are_invited_by_mail(alice: User, bob: User, charlie: User) -> None:
    spec = TableSpec("splendor", 4, invited=[bob], addresses=["Ann@Example.net", "charlie@example.org"])
    game = tables.create(alice, spec)
    assert answers(game) == {ANN: "", "charlie@example.org": ""}
    assert owed() == [("bob", "invited:game"), (ANN, "invited"), ("charlie", "invited")]
    facts = {one.address or str(one.recipient): one.facts for one in Notice.objects.select_related("recipient")}
    assert facts == {
        "bob": {"by": alice.pk},
        ANN: {"invitation": invitation(game).pk},
        "charlie": {"invitation": invitation(game, "charlie@example.org").pk},
    }
    # The host does not learn whose address it is.
    assert list(game.invited.all()) == [bob]


def test_a_second_invitation_changes_nothing(table: Game, alice: User, bob: User) -> None:
    for _ in range(2):
        invitations.invite(table, alice, [bob], [ANN, ANN.upper()])
    assert answers(table) == {ANN: ""}
    assert owed() == [("bob", "invited:game"), (ANN, "invited")]


def test_seated_people_are_not_invited(table: Game, alice: User, bob: User) -> None:
    tables.join(table, bob)
    invitations.invite(table, alice, [alice, bob], ["alice@example.org", "bob@example.org"])
    # Alice must not learn that the address is Bob's.
    assert answers(table) == {"bob@example.org": ""}
    assert owed("invited") == []
    assert list(table.invited.all()) == []


def test_only_the_host_of_an_open_table_invites(table: Game, alice: User, bob: User) -> None:
    tables.join(table, bob)
    with pytest.raises(TableRefusal, match="not_host"):
        invitations.invite(table, bob, [], [ANN])
    with pytest.raises(TableRefusal, match="not_host"):
        invitations.revoke(table, bob, ANN)
    tables.cancel(table, alice)
    with pytest.raises(TableRefusal, match="not_open"):
        invitations.invite(table, alice, [], [ANN])
    assert answers(table) == {}


def test_a_table_that_starts_at_once_invites_nobody(alice: User, bob: User) -> None:
    tables.create(alice, TableSpec("duel", 2, bots=["greedy"], invited=[bob], addresses=[ANN]))
    assert owed("invited") == []
    assert not Invitation.objects.exists()


def test_only_a_host_with_a_confirmed_address_invites_by_mail(bob: User) -> None:
    before = everything()
    with pytest.raises(TableRefusal, match="not_confirmed"):
        tables.create(bob, TableSpec("duel", 2, addresses=[ANN]))
    assert everything() == before


def test_refused_addresses_get_no_mail_and_nobody_learns_of_it(table: Game, alice: User, bob: User) -> None:
    for address in (ANN, "bob@example.org"):
        opt_out.refuse(address)
    invitations.invite(table, alice, [], [ANN, BEA, "bob@example.org"])
    assert answers(table) == {ANN: "", BEA: "", "bob@example.org": ""}
    assert owed("invited") == [(BEA, "invited")]


def addresses(number: int, name: str = "guest") -> list[str]:
    return [f"{name}{place}@example.net" for place in range(number)]


def test_a_host_can_invite_ten_addresses_a_day(alice: User, bob: User) -> None:
    with time_machine.travel(START, tick=False) as clock:
        first = tables.create(alice, TableSpec("splendor", 4, addresses=addresses(4)))
        clock.shift(timedelta(hours=1))
        invitations.invite(first, alice, [], addresses(9))
        clock.shift(timedelta(hours=2))
        second = tables.create(alice, TableSpec("duel", 2))
        before = everything()
        for attempt, wait in ((1, None), (2, 21), (5, 21), (6, 22), (11, 24)):
            if wait is None:
                continue
            with pytest.raises(TooMany, match="too_many_addresses") as refusal:
                invitations.invite(second, alice, [], addresses(attempt, "other"))
            assert refusal.value.wait == timedelta(hours=wait)
        with pytest.raises(TooMany):
            tables.create(alice, TableSpec("duel", 2, addresses=addresses(2, "other")))
        assert everything() == before
        # Addresses that are already invited do not count, nor do people invited by name.
        invitations.invite(first, alice, [bob], [*addresses(9), "other0@example.net"])
        with pytest.raises(TooMany):
            invitations.invite(second, alice, [], [ANN])
        clock.shift(timedelta(hours=21))
        invitations.invite(second, alice, [], addresses(4, "other"))
        with pytest.raises(TooMany):
            invitations.invite(second, alice, [], [ANN])
        # Other hosts have their own ten.
        dora = create_confirmed("dora", "dora@example.org", "correct horse")
        tables.create(dora, TableSpec("duel", 2, addresses=addresses(10)))
    assert Invitation.objects.count() == 24


def test_revoked_addresses_still_count(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], addresses(10))
    for address in addresses(10):
        invitations.revoke(table, alice, address)
    with pytest.raises(TooMany):
        invitations.invite(table, alice, [], [ANN])


def test_a_table_has_at_most_twenty_guests(table: Game, alice: User) -> None:
    people = [person(f"guest{number}") for number in range(21)]
    before = everything()
    with pytest.raises(TableRefusal, match="too_many_guests"):
        invitations.invite(table, alice, people)
    assert everything() == before
    invitations.invite(table, alice, people[1:])
    assert len(owed("invited")) == 20


def test_revoked_guests_can_be_invited_again(table: Game, alice: User, bob: User) -> None:
    invitations.invite(table, alice, [bob], [ANN])
    for _ in range(2):
        invitations.revoke(table, alice, "bob")
        invitations.revoke(table, alice, ANN.upper())
    assert answers(table) == {ANN: "revoked"}
    assert list(table.invited.all()) == []
    with pytest.raises(TableRefusal, match="revoked"):
        invitations.accept(invitation(table), bob)
    with pytest.raises(TableRefusal, match="revoked"):
        invitations.decline(invitation(table))
    invitations.invite(table, alice, [], [BEA])
    invitations.decline(invitation(table, BEA))
    assert invitations.invite(table, alice, [bob], [ANN, BEA]) == [BEA]
    assert answers(table) == {ANN: "", BEA: "declined"}
    assert list(table.invited.all()) == [bob]
    assert owed() == [("bob", "invited:game"), (ANN, "invited"), (BEA, "invited")]


def test_an_answer_stays_when_its_invitation_is_revoked_afterwards(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], [ANN, BEA])
    invitations.decline(invitation(table))
    invitations.revoke(table, alice, ANN)
    assert answers(table) == {ANN: "declined", BEA: ""}


def test_seated_guests_cannot_be_revoked(alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 4, bots=["greedy"], invited=[bob, charlie]))
    tables.join(game, bob)
    for guest in ("bob", "charlie"):
        invitations.revoke(game, alice, guest)
    assert list(game.invited.all()) == [bob]


# --- links ---


def test_a_link_leads_to_its_invitation_and_no_other_is_taken(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    url = invitations.accept_url(invitation(table))
    token = url.rstrip("/").rpartition("/")[2]
    assert invitations.read(token) == invitation(table)
    pk, _dot, signature = token.partition(".")
    for forged in ("", "1", token[:-1], f"{int(pk) + 1}.{signature}", f"x.{signature}", opt_out.never_again_url(ANN)):
        with pytest.raises(invitations.ForgedInvitation):
            invitations.read(forged)
    table.delete()
    with pytest.raises(invitations.ForgedInvitation):
        invitations.read(token)


def test_guests_are_no_acquaintances(alice: User, bob: User) -> None:
    for user in (bob, create_guest()):
        begun([alice, user], "duel")
    assert invitations.acquaintances(alice) == [bob]


def test_acquaintances_are_those_of_the_latest_games(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MAX_ACQUAINTANCES", 2)
    for place, user in enumerate((charlie, *[bob] * 6)):
        play.resign(begun([alice, user], "duel"), user)
        if place == 5:
            assert invitations.acquaintances(alice) == [bob, charlie]
    Seat.objects.update(seen_end=True)
    assert invitations.acquaintances(alice) == [bob]


# --- reminders ---


def test_reminders_are_due_two_days_before_the_table_expires(alice: User, bob: User, charlie: User) -> None:
    dora = person("dora")
    with time_machine.travel(START, tick=False) as clock:
        spec = TableSpec("splendor", 4, invited=[bob, charlie], addresses=[ANN, BEA, "dora@example.org"])
        game = tables.create(alice, spec)
        invitations.decline_seat(game, charlie)
        invitations.decline(invitation(game, BEA))
        clock.shift(timedelta(days=12) - timedelta(seconds=1))
        assert invitations.remind() == 0
        clock.shift(timedelta(seconds=1))
        invitations.invite(game, alice, [], ["late@example.net"])
        assert invitations.remind() == 3
        assert invitations.remind() == 0
    reminders = [("bob", "invited-again:game"), (ANN, "invited-again"), ("dora", "invited-again")]
    assert owed("invited")[-3:] == reminders
    facts = {
        one.address or one.recipient_id: one.facts for one in Notice.objects.filter(key__startswith="invited-again")
    }
    asked = {address: invitation(game, address).pk for address in (ANN, "dora@example.org")}
    assert facts == {
        bob.pk: {"by": alice.pk, "again": True},
        ANN: {"invitation": asked[ANN], "again": True},
        dora.pk: {"invitation": asked["dora@example.org"], "again": True},
    }


def test_somebody_with_a_seat_is_not_reminded(table: Game, alice: User, bob: User) -> None:
    with time_machine.travel(table.created_at, tick=False) as clock:
        invitations.invite(table, alice, [], [bob.email])
        # With another address, joining the table does not answer the invitation.
        User.objects.filter(pk=bob.pk).update(email="robert@example.org")
        tables.join(table, User.objects.get(pk=bob.pk))
        clock.shift(timedelta(days=12))
        assert answers(table) == {bob.email: ""}
        assert invitations.remind() == 0


def test_somebody_whose_seat_was_freed_is_reminded_once(table: Game, alice: User, bob: User) -> None:
    with time_machine.travel(table.created_at, tick=False) as clock:
        for _ in range(2):
            invitations.invite(table, alice, [bob])
            tables.join(table, bob)
            invitations.take_out(table, alice, "bob")
        invitations.invite(table, alice, [bob])
        assert [name for name, _key in owed("invited")] == ["bob"] * 3
        clock.shift(timedelta(days=12))
        assert invitations.remind() == 1
        assert owed("invited")[3:] == [("bob", "invited-again:game")]


def test_somebody_who_left_is_not_reminded(table: Game, alice: User, bob: User) -> None:
    with time_machine.travel(table.created_at, tick=False) as clock:
        invitations.invite(table, alice, [bob])
        tables.join(table, bob)
        tables.leave(table, bob)
        clock.shift(timedelta(days=12))
        assert invitations.remind() == 0


def test_accepting_extends_the_life_of_a_table(table: Game, alice: User, bob: User) -> None:
    with time_machine.travel(table.created_at, tick=False) as clock:
        invitations.invite(table, alice, [], [ANN])
        clock.shift(timedelta(days=11))
        tables.join(table, bob)
        clock.shift(timedelta(days=4))
        sweep.sweep()
        assert Game.objects.get().status == "open"
        assert owed("invited") == [(ANN, "invited")]
        clock.shift(timedelta(days=9))
        sweep.sweep()
        assert owed("invited") == [(ANN, "invited"), (ANN, "invited-again")]
        clock.shift(timedelta(days=1, seconds=1))
        sweep.sweep()
        assert Game.objects.get().status == "cancelled"


# --- at the same moment ---


@pytest.mark.slow
def test_eight_processes_invite_ten_addresses_and_no_more(database: str) -> None:
    assert race("invite", database, "race_tables") == {"success": 5, "refused": 3, "rows": 10, "notices": 10}


@pytest.mark.slow
def test_eight_clicks_make_one_account_and_one_seat(database: str) -> None:
    assert race("accept", database, "race_tables") == {"success": 8, "refused": 0, "accounts": 1, "seats": 1}


def test_invitations_are_forgotten_a_month_after_their_table(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    tables.cancel(table, alice)
    for days, left in ((29, 1), (31, 0)):
        with time_machine.travel(table.changed_at + timedelta(days=days)):
            invitations.forget()
        assert Invitation.objects.count() == left


def test_invitations_are_forgotten_a_month_after_the_start(table: Game, alice: User) -> None:
    """Somebody who did not come is not remembered for as long as the others play."""
    invitations.invite(table, alice, [], [ANN])
    while table.status == Game.Status.OPEN:
        tables.join(table, person(f"player{table.seat_set.count()}"))
        table.refresh_from_db()
    for days, left in ((29, 1), (31, 0)):
        with time_machine.travel(table.changed_at + timedelta(days=days)):
            invitations.forget()
        assert Invitation.objects.count() == left


def test_invitations_of_an_open_table_are_kept(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    with time_machine.travel(table.changed_at + timedelta(days=400)):
        invitations.forget()
    assert Invitation.objects.count() == 1
