"""A game stops without a result if everybody in it agrees."""

import pytest

from accounts.models import User
from games.models import Game, Notice, RatingChange, Seat
from games.services import play
from games.services.absence import pauses
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from games.services.work import sweep
from tests.factories import DAY, acting, at, begun, each_began, kinds, person, post, run_out, take_turn

pytestmark = pytest.mark.django_db


def playing(people: list[User]) -> Game:
    game = begun(people, "splendor")
    for _turn in range(2 * len(people)):
        take_turn(game)
    return game


def test_a_game_that_all_agree_to_stop_counts_for_nobody(alice: User, bob: User, mailoutbox: list[object]) -> None:
    game = playing([alice, bob])
    pauses.ask_to_stop(game, alice)
    pauses.ask_to_stop(game, alice)
    assert game.is_active
    pauses.play_on(game, alice)
    pauses.ask_to_stop(game, bob)
    assert game.is_active
    pauses.ask_to_stop(game, alice)
    game.refresh_from_db()
    assert (game.status, game.ending, game.to_act, game.deadline) == ("cancelled", "agreed", None, None)
    assert kinds(game)[-3:] == ["asked_stop", "asked_stop", "stopped"]
    assert not RatingChange.objects.exists()
    assert Notice.objects.get(game=game, kind="closed").recipient == bob
    post()
    assert "Everyone agreed to stop the game. It doesn’t count." in mailoutbox[-1].body  # type: ignore[attr-defined]
    with pytest.raises(play.NotYours):
        pauses.ask_to_stop(game, bob)


@pytest.mark.parametrize("how", ["cancelled", "expired", "agreed", "abandoned"])
def test_nobody_has_to_see_the_end_of_a_cancelled_game(alice: User, bob: User, how: str) -> None:
    if how in ("cancelled", "expired"):
        game = tables.create(alice, TableSpec("splendor", 3))
        tables.join(game, bob)
    else:
        game = begun([alice, bob], pace="normal")
    if how == "cancelled":
        tables.cancel(game, alice)
    elif how == "expired":
        with at(now() + tables.TABLE_LIFETIME + DAY):
            tables.expire()
    elif how == "agreed":
        for user in (alice, bob):
            pauses.ask_to_stop(game, user)
    else:
        run_out(game)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("cancelled", how)
    assert set(game.seat_set.values_list("seen_end", flat=True)) == {True}


def test_a_wish_to_stop_is_taken_back_alone(alice: User, bob: User) -> None:
    game = playing([alice, bob, person("clara")])
    for user in (alice, bob):
        pauses.ask_to_stop(game, user)
    pauses.play_on(game, alice)
    assert [seat.user for seat in Seat.objects.filter(game=game, wants_stop=True)] == [bob]


def test_only_those_still_in_the_game_are_asked(alice: User, bob: User) -> None:
    clara, dora = person("clara"), person("dora")
    game = playing([alice, bob, clara])
    with pytest.raises(play.NotYours):
        pauses.ask_to_stop(game, dora)
    play.resign(game, clara)
    with pytest.raises(play.NotYours):
        pauses.ask_to_stop(game, clara)
    pauses.ask_to_stop(game, alice)
    pauses.ask_to_stop(game, bob)
    assert game.ending == Game.Ending.AGREED


def test_bots_do_not_agree(alice: User) -> None:
    game = begun([alice], bots=1)
    with pytest.raises(pauses.ClockRefusal) as refusal:
        pauses.ask_to_stop(game, alice)
    assert refusal.value.code == "nobody_agrees"


@pytest.mark.parametrize(("act", "status"), [("ask_to_stop", "cancelled"), ("ask", "active")])
def test_the_others_have_agreed_when_the_last_one_leaves(alice: User, bob: User, act: str, status: str) -> None:
    game = begun([alice, bob, person("clara")])
    each_began(game)
    late = acting(game).user
    for seat in game.seat_set.exclude(user=late):
        assert seat.user
        getattr(pauses, act)(game, seat.user)
    run_out(game)
    sweep.tend(game.pk)
    game.refresh_from_db()
    assert (game.status, bool(game.paused_at)) == (status, status == "active")
    assert game.status == "active" or not sweep.due().exists()
    # Nobody stopped it themselves, so everybody is told.
    told = {notice.recipient for notice in Notice.objects.filter(game=game, kind="closed")}
    assert told == ({seat.user for seat in game.seat_set.select_related("user")} if status == "cancelled" else set())
    assert not Seat.objects.filter(game=game, wants_stop=True).exists()
