"""Every game names the bot that is to act, so the sweep finds waiting bots without reading seats."""

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.work import bot_queues
from tests.factories import acting, at, begun, decide, each_began, run_out, table

pytestmark = pytest.mark.django_db


def named(game: Game) -> str | None:
    """The bot that the game names, which must be the one of its seat to act."""
    game.refresh_from_db()
    seat = Seat.objects.filter(game=game, index=game.to_act).first()
    assert (game.bot_to_act or "") == (seat.acting_bot if seat and game.is_active else "")
    waiting = [bot.name for bot in bot_queues.waiting(Game.objects.all(), now()) if bot.game == game.pk]
    assert waiting == ([game.bot_to_act] if game.bot_to_act else [])
    return game.bot_to_act


def test_a_bot_in_a_seat(alice: User) -> None:
    game = begun([alice], "duel", bots=1)
    found = set()
    for _decision in range(12):
        found.add(named(game))
        decide(game)
    assert found == {None, "greedy"}


def test_a_caretaker_until_the_player_is_back(alice: User, bob: User) -> None:
    game = table([alice, bob])
    assert named(game) is None
    seat = run_out(game)
    assert named(game) == play.CARETAKER
    with at(timezone.now()):
        assert seat.user
        timeouts.come_back(game, seat.user)
    assert named(game) is None


def test_a_table_that_waits_has_no_caretaker(alice: User, bob: User) -> None:
    game = table([alice, bob], at_zero="wait")
    run_out(game)
    assert named(game) is None


def test_a_bot_for_a_player_who_resigned(alice: User, bob: User, charlie: User) -> None:
    game = begun([alice, bob, charlie])
    each_began(game)
    user = acting(game).user
    assert user
    play.resign(game, user)
    assert named(game) == play.CARETAKER
    decide(game)
    assert named(game) is None


def test_no_bot_after_the_end(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat = run_out(game)
    assert named(game)
    other = bob if seat.user == alice else alice
    play.resign(game, other)
    game.refresh_from_db()
    assert not game.is_active
    assert named(game) is None
    ended = set(Seat.objects.filter(game=game).values_list("ended_at", flat=True))
    assert ended == {game.ended_at}
