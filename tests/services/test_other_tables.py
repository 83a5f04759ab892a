"""What happens at one table changes nothing at the other tables of the same people."""

import pytest

from accounts.models import User
from accounts.services import create_confirmed, create_guest
from games.models import Block, Game, Incident, Invitation, Seat
from games.services import play
from games.services.play import ends
from games.services.tables import blocks, guests, invitations, tables
from games.services.tables.tables import TableRefusal, TableSpec
from tests.factories import begun, each_began, play_well

pytestmark = pytest.mark.django_db


@pytest.fixture
def other_table(bob: User, charlie: User) -> Game:
    """A table of Bob, with a free seat for Charlie."""
    return tables.create(bob, TableSpec("splendor", 4))


def joins(game: Game, user: User) -> bool:
    tables.join(game, user)
    return Seat.objects.filter(game=game, user=user).exists()


def test_points_and_victories_count_in_their_game(alice: User, bob: User) -> None:
    game, other = (begun([alice, bob], "splendor") for _game in range(2))
    Seat.objects.filter(game=other).update(score=9)
    play_well(game, 1, 400)
    assert game.ending == Game.Ending.PLAYED
    assert Seat.objects.filter(won=True).get().game == game
    assert {*Seat.objects.filter(game=other).values_list("score", flat=True)} == {9}


def test_whoever_resigned_in_another_game_can_win(alice: User, bob: User, charlie: User) -> None:
    people = [alice, bob, charlie]
    game, other = (begun(people, "splendor") for _game in range(2))
    each_began(other)
    play.resign(other, bob)
    assert ends.seats_out(other) == [other.seat_set.get(user=bob).index]
    assert ends.seats_out(game) == []


def test_who_was_taken_out_of_one_table_joins_another(alice: User, other_table: Game, charlie: User) -> None:
    table = tables.create(alice, TableSpec("splendor", 4, invited=[charlie]))
    tables.join(table, charlie)
    invitations.take_out(table, alice, "charlie")
    with pytest.raises(TableRefusal, match="not_invited"):
        tables.join(table, charlie)
    assert joins(other_table, charlie)


def test_others_still_join_a_table_that_somebody_was_taken_out_of(alice: User, bob: User, charlie: User) -> None:
    table = tables.create(alice, TableSpec("splendor", 4))
    tables.join(table, charlie)
    invitations.take_out(table, alice, "charlie")
    assert joins(table, bob)
    assert tables.takes_guests(table)
    assert joins(table, create_guest())


def test_a_block_counts_at_the_tables_of_its_host(alice: User, other_table: Game, charlie: User) -> None:
    blocks.block(alice, charlie)
    assert joins(other_table, charlie)
    assert guests.sit_down(other_table, [charlie.pk])
    table = tables.create(alice, TableSpec("splendor", 4))
    with pytest.raises(TableRefusal, match="not_invited"):
        guests.sit_down(table, [charlie.pk])


def test_somebody_with_a_seat_can_be_blocked(alice: User, bob: User) -> None:
    table = tables.create(alice, TableSpec("splendor", 4, invited=[bob]))
    tables.join(table, bob)
    blocks.block(alice, bob)
    assert Block.objects.filter(by=alice, blocked=bob).exists()
    assert Seat.objects.filter(game=table, user=bob).exists()


def test_declining_one_table_declines_no_other(bob: User, charlie: User) -> None:
    host = create_confirmed("dora", "dora@example.org", "correct horse")
    written = tables.create(host, TableSpec("splendor", 4, addresses=[charlie.email]))
    named = tables.create(bob, TableSpec("splendor", 4, invited=[charlie]))
    invitations.decline_seat(named, charlie)
    assert Invitation.objects.get(game=written).answer == ""
    assert not Incident.objects.filter(game=written, kind="declined").exists()


def test_joining_one_table_accepts_no_other(bob: User, charlie: User) -> None:
    host = create_confirmed("dora", "dora@example.org", "correct horse")
    asked, free = (
        tables.create(host, TableSpec("splendor", 4, addresses=addresses)) for addresses in ([charlie.email], [])
    )
    assert joins(free, charlie)
    assert Invitation.objects.get(game=asked).answer == ""


def test_a_guest_brings_no_blocks_of_others(alice: User, bob: User, charlie: User) -> None:
    blocks.block(alice, charlie)
    guest = create_guest()
    guests.take_along(guest, bob)
    assert [(block.by, block.blocked) for block in Block.objects.all()] == [(alice, charlie)]
