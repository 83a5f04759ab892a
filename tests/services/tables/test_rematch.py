"""Rematches: each game has one, and everyone moves up one seat."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import User
from games.models import Game, Notice, Seat
from games.models.position import Position
from games.services import play
from games.services.absence import timeouts
from games.services.tables import invitations, rematch, tables
from games.services.tables.tables import TableRefusal, TableSpec
from tests.factories import person, state
from tests.services.races import race

pytestmark = pytest.mark.django_db

KEPT = ("title", "seats", "pace", "days", "at_zero", "vacations", "audience")


@pytest.fixture
def people(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


def played(people: list[User], **spec: Any) -> Game:
    """A finished game of these people: everybody except the first resigned, or the only one did."""
    bots = spec.pop("bots", [])
    game = tables.create(people[0], TableSpec("splendor", len(people) + len(bots), bots=bots, **spec))
    for user in people[1:]:
        tables.join(game, user)
    for user in people[1:]:
        play.resign(game, user)
    if not people[1:]:
        play.resign(game, people[0])
    game.refresh_from_db()
    assert game.status == "finished"
    return game


def order(game: Game) -> list[str]:
    return [str(seat.user or seat.bot) for seat in game.seat_set.select_related("user").order_by("index")]


def owed(kind: str) -> list[str]:
    found = Notice.objects.filter(kind=kind).select_related("recipient").order_by("recipient")
    return [f"{one.recipient}: {one.key}" for one in found]


def test_a_rematch_has_the_same_settings_and_all_can_accept(people: list[User]) -> None:
    alice, bob, charlie = people
    game = played(people, pace="days", days=2, at_zero="wait", vacations=False, audience="seats", admission="open")
    version = game.version
    table = rematch.offer(game, bob)
    assert [getattr(table, name) for name in KEPT] == [getattr(game, name) for name in KEPT]
    assert (table.status, table.follows, table.host, table.admission) == ("open", game, bob, "named")
    assert table.expires_at == table.created_at + timedelta(days=7)
    assert set(table.invited.all()) == {alice, charlie}
    assert owed("rematch") == [f"alice: rematch:{table.pk}", f"charlie: rematch:{table.pk}"]
    # An open result page shows the rematch.
    game.refresh_from_db()
    assert game.version == version + 1
    assert state(table).seed != state(game).seed
    tables.join(table, charlie)
    assert rematch.offer(game, alice) == table
    table.refresh_from_db()
    first, *others = order(game)
    assert (table.status, order(table)) == ("active", [*others, first])


def test_in_a_series_of_rematches_everybody_begins_once(people: list[User]) -> None:
    game = played(people)
    began = [order(game)[0]]
    for _ in range(3):
        table = rematch.offer(game, people[0])
        for user in reversed(people):
            rematch.offer(game, user)
        for user in people[1:]:
            play.resign(table, user)
        game = Game.objects.get(pk=table.pk)
        began.append(order(game)[0])
    assert set(began[:3]) == {"alice", "bob", "charlie"}
    assert began[3] == began[0]


def test_bots_keep_their_places(alice: User, bob: User) -> None:
    for _ in range(5):
        game = played([alice, bob], bots=["greedy", "random"])
        table = rematch.offer(game, alice)
        rematch.offer(game, bob)
        first, *others = order(game)
        assert order(table) == [*others, first]


def test_a_rematch_against_bots_alone_starts_at_once(alice: User) -> None:
    game = played([alice], bots=["greedy", "greedy"])
    table = rematch.offer(game, alice)
    assert table.status == "active"
    first, *others = order(game)
    assert order(table) == [*others, first]
    assert owed("rematch") == []
    assert rematch.offer(game, alice) == table


def test_new_players_fill_the_gaps_in_the_order_in_which_they_joined(alice: User, bob: User) -> None:
    old = [alice, bob, person("old"), person("older")]
    game = played(old)
    table = tables.create(alice, TableSpec("splendor", 4, follows=game))
    for user in (person("new"), person("newer"), bob):
        tables.join(table, user)
    _first, *others = [name if name in ("alice", "bob") else "" for name in order(game)]
    places = [*others, _first]
    expected = iter(("new", "newer"))
    assert order(table) == [name or next(expected) for name in places]


def test_two_offers_make_one_rematch(people: list[User]) -> None:
    game = played(people)
    assert rematch.offer(game, people[0]) == rematch.offer(game, people[0])
    assert Game.objects.count() == 2
    assert Seat.objects.filter(game__follows=game).count() == 1
    assert len(owed("rematch")) == 2


def test_a_declined_seat_is_free_for_others(people: list[User]) -> None:
    alice, bob, _charlie = people
    dora = person("dora")
    for leaver in people:
        game = played(people)
        table = rematch.offer(game, alice if leaver != alice else bob)
        if leaver != table.host:
            invitations.decline_seat(table, leaver)
        host = table.host
        assert host is not None
        invitations.invite(table, host, [dora])
        for user in (dora, *people):
            if user not in (leaver, host):
                tables.join(table, user)
        first, *others = order(game)
        assert order(table) == ["dora" if name == leaver.username else name for name in (*others, first)]


def test_only_players_of_a_finished_game_can_offer_a_rematch(people: list[User], duel: Game) -> None:
    alice, _bob, charlie = people
    with pytest.raises(TableRefusal, match="not_over"):
        rematch.offer(duel, alice)
    play.resign(duel, alice)
    with pytest.raises(TableRefusal, match="not_played"):
        rematch.offer(duel, charlie)
    assert Game.objects.count() == 1


def test_a_rematch_expires_after_a_week_and_is_offered_once(alice: User, bob: User) -> None:
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False) as clock:
        game = played([alice, bob])
        table = rematch.offer(game, alice)
        clock.shift(timedelta(days=7))
        assert tables.expire() == 0
        clock.shift(timedelta(seconds=1))
        assert tables.expire() == 1
        assert rematch.offer(game, bob) == table
    assert (Game.objects.get(pk=table.pk).status, Game.objects.count()) == ("cancelled", 2)


def test_rematches_count_towards_the_table_limit_of_newcomers(alice: User, bob: User, settings: Any) -> None:
    settings.NEWCOMER_TABLES = 1
    game = played([alice, bob])
    tables.create(bob, TableSpec("duel", 2))
    with pytest.raises(TableRefusal, match="too_many_tables"):
        rematch.offer(game, bob)
    rematch.offer(game, alice)
    with pytest.raises(TableRefusal, match="too_many_tables"):
        rematch.offer(game, bob)


def test_closed_accounts_are_not_invited(people: list[User]) -> None:
    alice, bob, charlie = people
    game = played(people)
    User.objects.filter(pk=charlie.pk).update(is_active=False)
    assert set(rematch.offer(game, alice).invited.all()) == {bob}


# --- a game in which somebody never made a first move ---


def abandoned(people: list[User], bots: list[str] | None = None) -> tuple[Game, User]:
    """A game whose first player never acted, and that player."""
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False) as clock:
        game = tables.create(
            people[0], TableSpec("splendor", len(people) + len(bots or []), bots=bots or [], pace="fast")
        )
        for user in people[1:]:
            tables.join(game, user)
        game.refresh_from_db()
        seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
        assert seat.user is not None
        Notice.objects.filter(kind="turn").update(closed_at=game.started_at, outcome="sent")
        clock.shift(timedelta(hours=25))
        timeouts.time_out(game)
    game.refresh_from_db()
    assert game.ending == "abandoned"
    return game, seat.user


def test_present_players_are_seated_again_and_absent_ones_invited(people: list[User]) -> None:
    game, missing = abandoned(people)
    table = Game.objects.get(follows=game)
    assert {seat.user for seat in table.seat_set.select_related("user")} == set(people) - {missing}
    assert list(table.invited.all()) == [missing]
    assert (table.status, table.pace) == ("open", "fast")
    assert owed("invited") == [f"{missing}: invited:game:{table.pk}"]
    assert owed("rematch") == []
    assert Position.objects.get(game=table).state != Position.objects.get(game=game).state
    tables.join(table, missing)
    first, *others = order(game)
    assert order(table) == [*others, first]


def test_a_game_dealt_again_has_its_new_table_as_rematch(people: list[User]) -> None:
    game, missing = abandoned(people)
    assert rematch.offer(game, missing) == Game.objects.get(follows=game)


def test_bots_alone_get_no_rematch(alice: User) -> None:
    for _ in range(20):
        game = tables.create(alice, TableSpec("duel", 2, bots=["greedy"]))
        game.refresh_from_db()
        seat = Seat.objects.get(game=game, index=game.to_act)
        if seat.user_id:
            break
    assert rematch.deal_again(game, seat) is None
    assert not Game.objects.filter(follows__isnull=False).exists()


# --- at the same moment ---


@pytest.mark.slow
def test_simultaneous_offers_make_one_table(database: str) -> None:
    expected = {"success": 8, "refused": 0, "tables": 1, "seats": 2, "status": "active"}
    assert race("rematch", database, "race_tables") == expected
