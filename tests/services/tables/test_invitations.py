"""Invitations to a table: mails, limits, answers and reminders."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress

from accounts.models import User
from accounts.services import create_confirmed
from games.models import Game, Incident, Invitation, Notice, Seat
from games.models.position import Position
from games.services.outbox import opt_out
from games.services.tables import invitations, tables
from games.services.tables.tables import TableRefusal, TableSpec, TooMany
from games.services.work import sweep
from tests.factories import person
from tests.services.races import race

pytestmark = pytest.mark.django_db

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANN, BEA = "ann@example.net", "bea@example.net"


@pytest.fixture
def alice(db: None) -> User:
    return create_confirmed("alice", "alice@example.org", "correct horse")


@pytest.fixture
def table(alice: User) -> Game:
    return tables.create(alice, TableSpec("splendor", 4))


def owed(*kinds: str) -> list[tuple[str, str]]:
    """The recipients and keys of notices; the keys of invitations without their row number."""
    notices = Notice.objects.select_related("recipient").order_by("pk")
    found = notices.filter(kind__in=kinds) if kinds else notices
    return [(one.recipient.username if one.recipient else one.address, one.key.rsplit(":", 1)[0]) for one in found]


def answers(game: Game) -> dict[str, str]:
    return {one.address: str(one.answer) for one in game.invitation_set.all()}


def invitation(game: Game, address: str = ANN) -> Invitation:
    return Invitation.objects.select_related("game").get(game=game, address=address)


def seated(game: Game) -> list[str]:
    return [str(seat) for seat in Game.objects.with_seats().get(pk=game.pk).seat_set.all()]


def everything() -> list[Any]:
    models = (Game, Seat, Position, Invitation, Notice, Incident, User)
    return [list(model.objects.order_by("pk").values()) for model in models]


# --- inviting ---


def test_who_reads_an_address_is_written_to_and_a_person_as_that_person(alice: User, bob: User, charlie: User) -> None:
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


def test_asked_twice_is_asked_once(table: Game, alice: User, bob: User) -> None:
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


def test_ten_addresses_a_day(alice: User, bob: User) -> None:
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
    assert Invitation.objects.count() == 14


def test_what_is_taken_back_has_been_counted(table: Game, alice: User) -> None:
    invitations.invite(table, alice, [], addresses(10))
    for address in addresses(10):
        invitations.revoke(table, alice, address)
    with pytest.raises(TooMany):
        invitations.invite(table, alice, [], [ANN])


def test_so_many_people_may_be_asked_to_a_table(table: Game, alice: User) -> None:
    people = [person(f"guest{number}") for number in range(21)]
    before = everything()
    with pytest.raises(TableRefusal, match="too_many_guests"):
        invitations.invite(table, alice, people)
    assert everything() == before
    invitations.invite(table, alice, people[1:])
    assert len(owed("invited")) == 20


def test_taken_back_and_asked_again(table: Game, alice: User, bob: User) -> None:
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
    invitations.invite(table, alice, [bob], [ANN])
    assert answers(table) == {ANN: ""}
    assert list(table.invited.all()) == [bob]
    assert owed() == [("bob", "invited:game"), (ANN, "invited")]


def test_who_sits_at_the_table_is_not_taken_back(alice: User, bob: User, charlie: User) -> None:
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


# --- answering ---


def test_who_has_no_account_gets_one_and_the_seat(table: Game, alice: User) -> None:
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


def test_a_guest_with_an_account_joins_with_it_or_with_another(alice: User, bob: User, charlie: User) -> None:
    dora = person("dora")
    for answering in (None, bob, charlie):
        game = tables.create(alice, TableSpec("splendor", 4, addresses=["bob@example.org"], admission="named"))
        for _ in range(2):
            assert invitations.accept(invitation(game, "bob@example.org"), answering) == (answering or bob)
        assert seated(game) == ["alice", str(answering or bob)]
        assert answers(game) == {"bob@example.org": "accepted"}
        tables.leave(game, answering or bob)
        # A guest can join again on the table's page, but the link is used up.
        with pytest.raises(TableRefusal, match="answered"):
            invitations.accept(invitation(game, "bob@example.org"), dora)
        tables.join(game, answering or bob)


def test_sitting_down_at_the_table_is_an_answer_too(alice: User, bob: User, charlie: User) -> None:
    game = tables.create(
        alice, TableSpec("splendor", 4, addresses=["bob@example.org"], admission="named", audience="seats")
    )
    assert (game.is_visible_to(bob), game.is_visible_to(charlie)) == (True, False)
    assert list(Game.objects.inviting(bob)) == [game]
    with pytest.raises(TableRefusal, match="not_invited"):
        tables.join(game, charlie)
    tables.join(game, bob)
    assert answers(game) == {"bob@example.org": "accepted"}


def test_a_sign_up_that_merely_typed_the_address_goes(table: Game, alice: User) -> None:
    squatter = person("squatter")
    User.objects.filter(pk=squatter.pk).update(email=ANN)
    EmailAddress.objects.create(user=squatter, email=ANN, verified=False, primary=True)
    invitations.invite(table, alice, [], [ANN])
    assert owed() == [(ANN, "invited")]
    guest = invitations.accept(invitation(table), username="Ann")
    assert set(User.objects.all()) == {alice, guest}


def test_a_name_that_was_taken_in_the_meantime(table: Game, alice: User, bob: User) -> None:
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
def test_too_late(table: Game, alice: User, bob: User, happens: Callable[[Game, User], None]) -> None:
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


def test_an_answer_is_to_the_invitation_as_it_is_by_then(table: Game, alice: User, bob: User) -> None:
    invitations.invite(table, alice, [], [ANN])
    read = invitation(table)
    invitations.revoke(table, alice, ANN)
    with pytest.raises(TableRefusal, match="revoked"):
        invitations.accept(read, bob)
    with pytest.raises(TableRefusal, match="revoked"):
        invitations.decline(read)


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
        ("declined", {"user": bob.pk, "name": "bob"}),
        # The names reveal no owner of an address.
        *(("declined", {"invitation": pk}) for pk in pks),
    ]
    assert [game.is_visible_to(user) for user in (bob, charlie)] == [False, False]
    with pytest.raises(TableRefusal, match="leave_instead"):
        invitations.decline_seat(game, alice)
    # A guest can change their mind with the link.
    invitations.accept(invitation(game, "charlie@example.org"))
    assert seated(game) == ["alice", "charlie"]


# --- reminders ---


def test_a_reminder_two_days_before_the_end(alice: User, bob: User, charlie: User) -> None:
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
