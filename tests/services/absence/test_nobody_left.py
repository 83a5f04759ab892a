"""A game ends when all its players have left, in whatever order they left, and even after an outage of the sweep."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from accounts.models import User
from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Seat
from games.services import play
from games.services.absence import timeouts
from games.services.work import sweep, thinking
from tests.factories import DAY, START, acting, at, begun, decide, each_began, kinds, person, put, told_all

pytestmark = pytest.mark.django_db
NAMES = ("alice", "bob", "clara", "dora")


def people(number: int) -> list[User]:
    return [person(name) for name in NAMES[:number]]


def quick_game(users: list[User], title: str = "splendor", bots: int = 0) -> Game:
    """A game with a day per turn, so that all clocks run out within two days; everybody has made their first move."""
    with at(START):
        game = begun(users, title, bots, pace="fast")
        each_began(game)
    return game


def person_to_act(game: Game) -> Seat:
    """Let the bots play until a person is to act; return their seat."""
    while acting(game).acting_bot:
        seat = acting(game)
        with at(seat.absent_since or game.changed_at):
            thinking.think(game.pk)
    return acting(game)


def leave(game: Game) -> Seat:
    """Let the next person to act run out of time; the sweep does not check players who left earlier."""
    seat = person_to_act(game)
    assert game.deadline is not None
    with at(game.deadline):
        told_all()
        timeouts.time_out(game)
    game.refresh_from_db()
    seat.refresh_from_db()
    assert seat.caretaker
    return seat


def winners(game: Game) -> list[str]:
    return [str(seat) for seat in Seat.objects.select_related("user").filter(game=game, won=True).order_by("index")]


def result(game: Game) -> tuple[str, str, list[str]]:
    game.refresh_from_db()
    return game.status, game.ending, winners(game)


@pytest.mark.parametrize("title", TITLES)
def test_after_an_outage_the_last_player_to_be_late_wins(title: str) -> None:
    """The result is the same as without an outage: the first player to be too late is out, and the other has won."""
    game = quick_game(people(2), title)
    first, second = leave(game), leave(game)
    assert first.absent_since is not None
    assert second.absent_since is not None
    assert second.absent_since < first.absent_since + timeouts.CARETAKER_GRACE
    with at(second.absent_since + 2 * timeouts.CARETAKER_GRACE):
        sweep.sweep()
        assert result(game) == ("finished", "absence", [str(second)])
        sweep.sweep()
        thinking.think(game.pk)
    assert kinds(game)[-3:] == ["timed_out", "timed_out", "absent"]
    assert Seat.objects.get(pk=first.pk).absent


CASES = [(hows, 0) for seats in (2, 3) for hows in product(("leaves", "resigns"), repeat=seats)]
CASES += [(("leaves", "leaves", "resigns", "leaves"), 0), (("resigns", "leaves", "leaves", "leaves"), 0)]
CASES += [(hows, 1) for seats in (1, 2) for hows in product(("leaves", "resigns"), repeat=seats)]


@pytest.mark.parametrize(("hows", "bots"), CASES, ids=lambda part: str(part))
def test_the_last_person_left_wins_in_any_order_of_leaving(hows: tuple[str, ...], bots: int) -> None:
    """A player who resigns is out at once; one who leaves is out only after the outage. With a single person, the bot
    wins."""
    game = quick_game(people(len(hows)), bots=bots)
    out: dict[str, list[str]] = {"resigns": [], "leaves": []}
    for how in hows:
        if game.is_active:
            seat = person_to_act(game) if how == "resigns" else leave(game)
            if how == "resigns":
                assert seat.user
                play.resign(game, seat.user)
            out[how].append(str(seat))
    ending = "absence" if game.is_active else "resigned"
    with at(START + 9 * DAY):
        sweep.sweep()
    stayed = {user.username for user in User.objects.all()} - {*out["resigns"], *out["leaves"]}
    last = [*out["resigns"], *out["leaves"], *stayed][-1]
    assert result(game) == ("finished", ending, [last if len(hows) > 1 else "Greedy bot"])


def end_by_a_bot(game: Game) -> None:
    """Let the bot of the seat to act make the last decision of a game of bots."""
    state, notation = before_the_last_decision(game.title, game.seats)
    put(game, state)
    play.submit(game, play.BOT, game.number, [notation])


@cache
def before_the_last_decision(title: str, seats: int) -> tuple[Any, str]:
    """A position, and the decision that ends its game."""
    ruleset, greedy = TITLES[title].ruleset, TITLES[title].bot("greedy")
    state, rng = ruleset.initial(seats, bytes(32)), Random(title)
    while True:
        action = greedy.choose(ruleset.observe(state, state.to_act), ruleset.legal_actions(state), rng, Limit())
        after = ruleset.apply(state, action).state
        if after.to_act is None:
            return state, str(action)
        state = after


@pytest.mark.parametrize(("title", "seats"), [("splendor", 2), ("splendor", 3), ("splendor", 4), ("duel", 2)])
def test_if_bots_end_a_game_the_last_person_to_leave_wins(title: str, seats: int) -> None:
    game = quick_game(people(seats), title)
    gone = [leave(game) for _seat in range(seats)]
    end_by_a_bot(game)
    assert result(game) == ("finished", "absence", [str(gone[-1])])
    assert Counter(kinds(game)[-2 * seats + 1 :]) == {"timed_out": seats, "absent": seats - 1}
    assert set(game.seat_set.filter(absent=False)) == {gone[-1]}
    with at(START + 9 * DAY):
        sweep.sweep()
    assert result(game) == ("finished", "absence", [str(gone[-1])])


def test_a_bot_with_its_own_seat_can_win_a_game_ended_by_bots() -> None:
    game = quick_game(people(2), bots=1)
    leave(game), leave(game)
    end_by_a_bot(game)
    assert result(game) == ("finished", "played", ["Greedy bot"])


def test_nobody_wins_a_duel_through_the_bot_in_an_empty_seat(alice: User, bob: User) -> None:
    """The present player wins, although the absent player's bot has met a condition of victory."""
    game = quick_game([alice, bob], "duel")
    gone = leave(game)
    state, _notation = before_the_last_decision("duel", 2)
    if state.to_act != gone.index:
        game.seat_set.update(index=None)
        Seat.objects.filter(pk=gone.pk).update(index=state.to_act)
        game.seat_set.exclude(pk=gone.pk).update(index=1 - state.to_act)
    end_by_a_bot(game)
    assert result(game) == ("finished", "absence", [str(seat) for seat in game.seat_set.all() if seat.pk != gone.pk])


@pytest.mark.parametrize("others", [1, 2])
def test_a_player_back_too_late_before_any_sweep_cannot_win(others: int) -> None:
    """With two players, the other one has won; with three, the game continues."""
    game = quick_game(people(1 + others))
    gone = leave(game)
    assert gone.user
    with at(START + 9 * DAY):
        timeouts.come_back(game, gone.user)
    gone.refresh_from_db()
    assert gone.absent
    if others == 1:
        other = game.seat_set.exclude(pk=gone.pk).get()
        assert result(game) == ("finished", "absence", [str(other)])
    else:
        assert gone.caretaker == ""
        assert result(game) == ("active", "", [])


def test_each_absent_player_has_four_decisions_of_the_bot(db: None) -> None:
    """What the bot decides for one of two absent players does not count for the other."""
    game = quick_game(people(4))
    gone = [leave(game), leave(game)]
    since = gone[1].absent_since
    assert since is not None
    with at(since):
        while game.move_set.filter(actor="caretaker").count() < timeouts.MAX_CARETAKER_DECISIONS + 1:
            decide(game)
        timeouts.settle(game)
    made = Counter(game.move_set.filter(actor="caretaker").values_list("seat", flat=True))
    assert made.keys() == {seat.index for seat in gone}
    assert max(made.values()) < timeouts.MAX_CARETAKER_DECISIONS
    assert not game.seat_set.filter(absent=True).exists()


@pytest.mark.parametrize("title", TITLES)
def test_a_stuck_game_is_ended(title: str) -> None:
    """An earlier version could mark everybody as out at once, and continue the game."""
    game = quick_game(people(2), title)
    leave(game)
    last = leave(game)
    Seat.objects.update(absent=True)
    end_by_a_bot(game)
    assert result(game) == ("finished", "absence", [str(last)])
