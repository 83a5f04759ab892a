"""Tables before their game starts: people create, join, leave and cancel them, and they start or expire."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.services import create_confirmed
from games.catalogue import TITLES
from games.models import Game, Incident, Invitation, Notice, Seat
from games.models.position import Position
from games.rules import chance
from games.services import play
from games.services.outbox import opt_out
from games.services.tables import invitations, tables
from games.services.tables.tables import TableRefusal, TableSpec
from splendor_site import settings as site
from tests.factories import begun, person, post

pytestmark = pytest.mark.django_db


def seated(game: Game) -> list[str]:
    return [str(seat.user or seat.bot) for seat in game.seat_set.order_by("index", "pk")]


def test_a_table_waits_for_its_players_and_shows_its_commitment(alice: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3, pace="fast", audience="anyone", admission="open"))
    state = TITLES["splendor"].ruleset.load(Position.objects.get(game=game).state)
    assert game.commitment == chance.commitment("splendor", 2, state.seed)
    assert (game.status, game.to_act, game.number) == ("open", None, 0)
    assert (game.pace, game.audience, game.admission) == ("fast", "anyone", "open")
    assert seated(game) == ["alice"]
    assert len(game.key) == 12
    assert (game.days, game.at_zero, game.vacations, game.follows) == (None, "caretaker", True, None)
    assert game.expires_at == game.created_at + timedelta(days=14)


def test_the_game_has_the_chosen_clock(alice: User, bob: User) -> None:
    spec = TableSpec("duel", 2, pace="days", days=4, at_zero="forfeit", vacations=False)
    game = tables.create(alice, spec)
    tables.join(game, bob)
    game.refresh_from_db()
    assert (game.pace, game.days, game.at_zero, game.vacations) == ("days", 4, "forfeit", False)
    assert game.started_at is not None
    assert game.deadline == game.started_at + timedelta(days=4)
    with pytest.raises(IntegrityError), transaction.atomic():
        tables.create(alice, TableSpec("duel", 2, pace="days"))


def test_the_last_to_join_starts_the_game_and_the_seed_decides_the_order(alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3, bots=["greedy"]))
    tables.join(game, bob)
    game.refresh_from_db()
    state = TITLES["splendor"].ruleset.load(Position.objects.get(game=game).state)
    assert (game.status, game.to_act) == ("active", 0)
    assert game.started_at is not None
    assert seated(game) == list(chance.shuffle(state.seed, "seats", 0, ["alice", "greedy", "bob"]))
    assert sorted(seat.index for seat in game.seat_set.all() if seat.index is not None) == [0, 1, 2]


def test_a_table_full_of_bots_but_one_starts_at_once(alice: User) -> None:
    assert tables.create(alice, TableSpec("splendor", 4, bots=["greedy", "random", "greedy"])).status == "active"


def test_joining_twice_gives_one_seat(alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 4))
    for _ in range(2):
        tables.join(game, bob)
    assert seated(game) == ["alice", "bob"]
    assert list(Incident.objects.values_list("kind", flat=True)) == ["joined"]


def test_nobody_can_join_a_started_table(duel: Game, charlie: User) -> None:
    with pytest.raises(TableRefusal, match="not_open"):
        tables.join(duel, charlie)
    with pytest.raises(TableRefusal, match="not_open"):
        tables.leave(duel, charlie)
    with pytest.raises(TableRefusal, match="not_host"):
        tables.cancel(duel, charlie)


def test_only_invited_people_can_join(alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2, invited=[bob], admission="named"))
    with pytest.raises(TableRefusal, match="not_invited"):
        tables.join(game, charlie)
    tables.join(game, bob)
    game.refresh_from_db()
    assert game.status == "active"


def test_leaving_frees_the_seat(alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    tables.join(game, bob)
    tables.leave(game, bob)
    assert seated(game) == ["alice"]
    with pytest.raises(TableRefusal, match="cancel_instead"):
        tables.leave(game, alice)


def test_people_of_other_tables_cannot_leave_a_table(alice: User, bob: User) -> None:
    here, there = (tables.create(alice, TableSpec("splendor", 3)) for _table in range(2))
    tables.join(there, bob)
    before = Game.objects.values("version").get(pk=here.pk)
    tables.leave(here, bob)
    assert Game.objects.values("version").get(pk=here.pk) == before
    assert not here.incident_set.filter(kind="left").exists()
    assert seated(there) == ["alice", "bob"]


def test_the_host_cancels(alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    with pytest.raises(TableRefusal, match="not_host"):
        tables.cancel(game, bob)
    for _ in range(2):
        tables.cancel(game, alice)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("cancelled", "cancelled")
    with pytest.raises(TableRefusal, match="not_open"):
        tables.join(game, bob)


def test_a_table_that_does_not_fill_expires(alice: User) -> None:
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        game = tables.create(alice, TableSpec("splendor", 3))
        clock.shift(tables.TABLE_LIFETIME)
        assert tables.expire() == 0
        clock.shift(timedelta(seconds=1))
        assert tables.expire() == 1
        assert tables.expire() == 0
    game.refresh_from_db()
    assert (game.status, game.ending) == ("cancelled", "expired")
    assert game.ended_at == start + tables.TABLE_LIFETIME + timedelta(seconds=1)


def test_joining_extends_the_life_of_a_table(alice: User, bob: User) -> None:
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False) as clock:
        game = tables.create(alice, TableSpec("splendor", 3))
        clock.shift(timedelta(days=13))
        tables.join(game, bob)
        clock.shift(timedelta(days=1))
        tables.leave(game, bob)
        clock.shift(timedelta(days=13))
        assert tables.expire() == 0
        clock.shift(timedelta(seconds=1))
        assert tables.expire() == 1


# --- notices ---


def told(kind: str) -> list[str]:
    found = Notice.objects.filter(kind=kind).select_related("recipient")
    return sorted(str(one.recipient or one.address) for one in found)


def test_the_start_is_mailed_to_players_who_neither_act_nor_joined_last(alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 4, bots=["greedy"]))
    tables.join(game, bob)
    assert told("started") == []
    tables.join(game, charlie)
    first = Seat.objects.select_related("user").get(game=game, index=0).user
    assert told("started") == sorted(str(user) for user in (alice, bob) if user != first)
    assert set(Notice.objects.filter(kind="started").values_list("key", flat=True)) <= {f"started:{game.pk}"}


def test_a_table_that_starts_at_once_sends_no_mail(alice: User) -> None:
    tables.create(alice, TableSpec("duel", 2, bots=["greedy"]))
    assert told("started") == []


@pytest.mark.parametrize("way", ["cancelled", "expired"])
def test_closing_a_table_is_mailed_to_its_players_and_guests(way: str, bob: User, charlie: User) -> None:
    alice = create_confirmed("alice", "alice@example.org", "correct horse")
    dora, emil = person("dora"), person("emil")
    opt_out.refuse("refused@example.net")
    addresses = [f"{name}@example.net" for name in ("ann", "bea", "cora", "refused")] + ["emil@example.org"]
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False) as clock:
        game = tables.create(alice, TableSpec("splendor", 4, invited=[bob, charlie], addresses=addresses))
        tables.join(game, bob)
        invitations.decline_seat(game, charlie)
        invitations.decline(Invitation.objects.select_related("game").get(address="bea@example.net"))
        clock.shift(timedelta(minutes=3))
        post()
        invitations.decline(Invitation.objects.select_related("game").get(address="cora@example.net"))
        # People who have not been told of the table yet get no mail.
        invitations.invite(game, alice, [dora], ["late@example.net"])
        if way == "cancelled":
            tables.cancel(game, alice)
        else:
            clock.shift(tables.TABLE_LIFETIME + timedelta(seconds=1))
            assert tables.expire() == 1
    expected = ["ann@example.net", "bob", str(emil)] + (["alice"] if way == "expired" else [])
    assert told("closed") == sorted(expected)


# --- the number of tables ---


def test_newcomers_can_join_five_tables(alice: User, bob: User, settings: Any) -> None:
    settings.NEWCOMER_TABLES = 5
    running = tables.create(bob, TableSpec("duel", 2))
    tables.join(running, alice)
    for _ in range(2):
        tables.create(alice, TableSpec("duel", 2))
    joined = [tables.create(bob, TableSpec("splendor", 3)) for _ in range(3)]
    for game in joined[:2]:
        tables.join(game, alice)
    before = [list(model.objects.values()) for model in (Game, Seat, Position, Incident)]
    with pytest.raises(TableRefusal, match="too_many_tables"):
        tables.create(alice, TableSpec("duel", 2))
    with pytest.raises(TableRefusal, match="too_many_tables"):
        tables.join(joined[2], alice)
    assert [list(model.objects.values()) for model in (Game, Seat, Position, Incident)] == before
    # A seat that the user leaves is free again. A resigned game does not count as finished.
    tables.leave(joined[0], alice)
    tables.join(joined[2], alice)
    play.resign(running, alice)
    tables.create(alice, TableSpec("duel", 2))
    with pytest.raises(TableRefusal):
        tables.create(alice, TableSpec("duel", 2))
    # After finishing a game there is no limit.
    Seat.objects.filter(game=running).update(resigned=False)
    for _ in range(3):
        tables.create(alice, TableSpec("duel", 2))


def test_games_that_go_on_without_a_newcomer_do_not_count(alice: User, bob: User, charlie: User, settings: Any) -> None:
    settings.NEWCOMER_TABLES = 1
    game = begun([bob, alice, charlie])
    play.resign(game, alice)
    assert game.is_active
    tables.create(alice, TableSpec("duel", 2))


def test_everybody_can_have_ten_running_games_against_bots(alice: User, bob: User, settings: Any) -> None:
    """Games against bots do not count towards the limit of newcomers, and tables with people do not count towards this
    limit."""
    settings.NEWCOMER_TABLES, settings.BOT_TABLES = 1, 10
    alone, together = TableSpec("splendor", 3, bots=["greedy"] * 2), TableSpec("splendor", 3, bots=["greedy"])
    games = [tables.create(alice, alone) for _ in range(10)]
    shared = tables.create(alice, together)
    with pytest.raises(TableRefusal, match="too_many_tables"):
        tables.create(alice, together)
    tables.join(shared, bob)
    before = [list(model.objects.values()) for model in (Game, Seat, Position, Incident)]
    with pytest.raises(TableRefusal, match="too_many_bot_tables"):
        tables.create(alice, alone)
    assert [list(model.objects.values()) for model in (Game, Seat, Position, Incident)] == before
    # A first finished game lifts only the other limit.
    play.resign(games[0], alice)
    Seat.objects.filter(game=games[0]).update(resigned=False)
    tables.create(alice, together)
    tables.create(alice, alone)
    with pytest.raises(TableRefusal, match="too_many_bot_tables"):
        tables.create(alice, alone)
    tables.create(bob, alone)


def test_the_limits_of_the_site() -> None:
    assert (site.NEWCOMER_TABLES, site.BOT_TABLES) == (5, 10)


@pytest.mark.parametrize(
    "broken",
    [
        {"bot": "greedy"},
        {"user": None},
        {"user": None, "bot": "greedy", "caretaker": "greedy"},
    ],
)
def test_the_database_refuses_a_seat_without_an_owner_or_with_two(
    alice: User, bob: User, broken: dict[str, str]
) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(**{"game": game, "user": bob, **broken})


def test_the_database_refuses_a_running_game_without_a_seat_to_act(duel: Game) -> None:
    for broken in ({"to_act": None}, {"to_act": 2}, {"status": "finished"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Game.objects.filter(pk=duel.pk).update(**broken)
