"""Tables before the game: made, joined, left, started, cancelled, expired."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Incident, Position, Seat
from games.rules import chance
from games.services import tables
from games.services.tables import NotPossible, Plan

pytestmark = pytest.mark.django_db


def seated(game: Game) -> list[str]:
    return [str(seat.user or seat.bot) for seat in game.seat_set.order_by("index", "pk")]


def test_a_table_waits_for_its_players_and_shows_its_commitment(alice: User) -> None:
    game = tables.create(alice, Plan("splendor", 3, pace="fast", audience="anyone", admission="open"))
    state = TITLES["splendor"].ruleset.load(Position.objects.get(game=game).state)
    assert game.commitment == chance.commitment("splendor", 1, state.seed)
    assert (game.status, game.to_act, game.number) == ("open", None, 0)
    assert (game.pace, game.audience, game.admission) == ("fast", "anyone", "open")
    assert seated(game) == ["alice"]
    assert len(game.key) == 12


def test_the_last_to_sit_down_starts_the_game_in_an_order_that_follows_from_the_seed(alice: User, bob: User) -> None:
    game = tables.create(alice, Plan("splendor", 3, bots=["greedy"]))
    tables.join(game, bob)
    game.refresh_from_db()
    state = TITLES["splendor"].ruleset.load(Position.objects.get(game=game).state)
    assert (game.status, game.to_act) == ("active", 0)
    assert game.started_at is not None
    assert seated(game) == list(chance.shuffle(state.seed, "seats", 0, ["alice", "greedy", "bob"]))
    assert sorted(seat.index for seat in game.seat_set.all() if seat.index is not None) == [0, 1, 2]


def test_a_table_full_of_bots_but_one_starts_at_once(alice: User) -> None:
    assert tables.create(alice, Plan("splendor", 4, bots=["greedy", "random", "greedy"])).status == "active"


def test_sitting_down_twice_is_sitting_down_once(alice: User, bob: User) -> None:
    game = tables.create(alice, Plan("splendor", 4))
    for _ in range(2):
        tables.join(game, bob)
    assert seated(game) == ["alice", "bob"]
    assert list(Incident.objects.values_list("kind", flat=True)) == ["joined"]


def test_a_started_table_takes_nobody(duel: Game, charlie: User) -> None:
    with pytest.raises(NotPossible, match="not_open"):
        tables.join(duel, charlie)
    with pytest.raises(NotPossible, match="not_open"):
        tables.leave(duel, charlie)
    with pytest.raises(NotPossible, match="not_yours"):
        tables.cancel(duel, charlie)


def test_only_the_named_may_sit_down(alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, Plan("duel", 2, invited=[bob], admission="named"))
    with pytest.raises(NotPossible, match="not_invited"):
        tables.join(game, charlie)
    tables.join(game, bob)
    game.refresh_from_db()
    assert game.status == "active"


def test_leaving_frees_the_seat(alice: User, bob: User) -> None:
    game = tables.create(alice, Plan("splendor", 3))
    tables.join(game, bob)
    tables.leave(game, bob)
    assert seated(game) == ["alice"]
    with pytest.raises(NotPossible, match="cancel_instead"):
        tables.leave(game, alice)


def test_the_maker_cancels(alice: User, bob: User) -> None:
    game = tables.create(alice, Plan("splendor", 3))
    with pytest.raises(NotPossible, match="not_yours"):
        tables.cancel(game, bob)
    for _ in range(2):
        tables.cancel(game, alice)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("cancelled", "cancelled")
    with pytest.raises(NotPossible, match="not_open"):
        tables.join(game, bob)


def test_a_table_that_nobody_fills_expires(alice: User) -> None:
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        game = tables.create(alice, Plan("splendor", 3))
        clock.shift(tables.EXPIRY)
        assert tables.expire() == 0
        clock.shift(timedelta(seconds=1))
        assert tables.expire() == 1
        assert tables.expire() == 0
    game.refresh_from_db()
    assert (game.status, game.ending) == ("cancelled", "expired")
    assert game.ended_at == start + tables.EXPIRY + timedelta(seconds=1)


@pytest.mark.parametrize(
    "broken",
    [
        {"bot": "greedy"},
        {"user": None},
        {"user": None, "bot": "greedy", "caretaker": "greedy"},
    ],
)
def test_the_database_refuses_a_seat_of_nobody_or_of_two(alice: User, bob: User, broken: dict[str, str]) -> None:
    game = tables.create(alice, Plan("splendor", 3))
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(**{"game": game, "user": bob, **broken})


def test_the_database_refuses_a_running_game_without_a_seat_to_act(duel: Game) -> None:
    for broken in ({"to_act": None}, {"to_act": 2}, {"status": "finished"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Game.objects.filter(pk=duel.pk).update(**broken)
