"""Pauses and stops that all players agree to, and extra time that a player gives another."""

from contextlib import suppress
from typing import Any

from django.db import transaction

from accounts.models import User
from games.models import Game, Incident, Seat
from games.services import play
from games.services.clocks import running
from games.services.clocks.arithmetic import DAY
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.versions import writing

TIME_GIFT = DAY
"""The time that one gift adds to a clock."""


class ClockRefusal(Exception):
    """The pause or extra time is not possible now; `code` says why."""

    def __init__(self, code: str) -> None:
        self.code = code


# --- pauses ---


def ask(game: Game, user: User, *, again: bool = False) -> None:
    """Ask for a pause. It begins when all players still in the game have asked. With `again`, the user must have asked
    before, and all others too. Raises `ClockRefusal`, and `play.NotYours` if the user is not in the game."""

    def act() -> None:
        seats, mine, acting = _seats(game, user)
        others = [seat for seat in seats if seat is not mine and _is_in(seat)]
        agreed = all(seat.wants_pause for seat in others)
        if game.paused_at or (mine.wants_pause and not agreed) or (again and not (mine.wants_pause and agreed)):
            return
        if running.pace(game) is None:
            raise ClockRefusal("no_clock")
        with transaction.atomic():
            at = now()
            if agreed:
                clock = running.kept(game, acting, at)
                writing.change(game, paused_at=at, carried=clock.used, **running.STOPPED)
                Seat.objects.filter(pk=acting.pk).update(bank=clock.left)
            else:
                writing.change(game)
            Seat.objects.filter(pk=mine.pk).update(wants_pause=True)
            writing.record(game, "paused" if agreed else "asked_pause", mine.index)

    writing.attempt(game, act)


def withdraw(game: Game, user: User) -> None:
    """Withdraw the user's request for a pause, unless the pause has begun. Raises `play.NotYours`."""

    def act() -> None:
        _all, mine, _acting = _seats(game, user)
        if mine.wants_pause and not game.paused_at:
            with transaction.atomic():
                writing.change(game)
                Seat.objects.filter(pk=mine.pk).update(wants_pause=False)

    writing.attempt(game, act)


def resume(game: Game, user: User) -> None:
    """End the pause. Raises `play.NotYours`."""

    def act() -> None:
        _all, mine, acting = _seats(game, user)
        if not game.paused_at:
            return
        with transaction.atomic():
            game.paused_at = None
            plays = acting.bank is not None and not acting.acting_bot
            # At a table that waits, a clock that has run out stays at zero.
            runs = plays and (acting.bank or game.at_zero != Game.AtZero.WAIT)
            writing.change(game, paused_at=None, **(running.restart(game, acting, now()) if runs else {}))
            Seat.objects.filter(game=game).update(wants_pause=False)
            writing.record(game, "resumed", mine.index)
            notices.deadline_moved(game, acting)
            if plays and acting.user_id != user.pk:
                notices.clock_runs_again(game, acting)

    writing.attempt(game, act)


# --- the end without a result ---


def ask_to_stop(game: Game, user: User, *, again: bool = False) -> None:
    """Ask the others to stop the game. When all players still in the game have asked, it is cancelled and counts for
    nobody. With `again`, the user must have asked before, and all others too. Raises `ClockRefusal`, and
    `play.NotYours` if the user is not in the game."""

    def act() -> None:
        seats, mine, acting = _seats(game, user)
        others = [seat for seat in seats if seat is not mine and _is_in(seat)]
        agreed = all(seat.wants_stop for seat in others)
        if (mine.wants_stop and not agreed) or (again and not (mine.wants_stop and agreed)):
            return
        if not others:
            raise ClockRefusal("nobody_agrees")
        with transaction.atomic():
            end: dict[str, Any] = {}
            if agreed:
                over = play.ended(now(), Game.Ending.AGREED) | {"status": Game.Status.CANCELLED}
                end = {**running.STOPPED, **over, "to_act": None, "bot_to_act": None}
            writing.change(game, **end)
            if agreed:
                # The index of seats that ask holds only those of running games.
                Seat.objects.filter(game=game).update(wants_stop=False, wants_pause=False, seen_end=True)
            else:
                Seat.objects.filter(pk=mine.pk).update(wants_stop=True)
            writing.record(game, "stopped" if agreed else "asked_stop", mine.index)
            if agreed:
                notices.turn_is_over(game, acting)
                # Nobody acts when the last one who had not agreed has left.
                people = [seat.user for seat in seats if seat.user and (again or seat is not mine)]
                notices.owe_all(notices.Kind.CLOSED, game, people, f"closed:{game.pk}")

    writing.attempt(game, act)


def play_on(game: Game, user: User) -> None:
    """Withdraw the user's request to stop the game. Raises `play.NotYours`."""

    def act() -> None:
        _all, mine, _acting = _seats(game, user)
        if mine.wants_stop:
            with transaction.atomic():
                writing.change(game)
                Seat.objects.filter(pk=mine.pk).update(wants_stop=False)

    writing.attempt(game, act)


def settle(game: Game) -> None:
    """Stop or pause the game if all players still in it have asked for that, because the last one who had not has left.
    The game must have been read with its seats."""
    for wish, act in (("wants_stop", ask_to_stop), ("wants_pause", ask)):
        asker = next((seat.user for seat in game.seat_set.all() if _is_in(seat) and getattr(seat, wish)), None)
        if asker:
            with suppress(ClockRefusal, play.NotYours):
                act(game, asker, again=True)


# --- more time ---


def more_time(game: Game, user: User, to: int | None = None) -> None:
    """Give the seat to act another day; each player can do this once per decision. With `to`, only that seat gets it.
    Raises `ClockRefusal` or `play.NotYours`."""

    def act() -> None:
        _all, mine, acting = _seats(game, user)
        if to not in (None, acting.index):
            raise ClockRefusal("has_moved")
        if acting is mine:
            raise ClockRefusal("own_clock")
        if acting.bank is None or acting.acting_bot:
            raise ClockRefusal("no_clock")
        given = Incident.objects.filter(game=game, kind="gave_time", seat=mine.index, after_number=game.number)
        if given.exists():
            return
        with transaction.atomic():
            acting.bank += TIME_GIFT
            if game.clock_started_at:
                writing.change(game, deadline=running.deadline(game, acting))
            elif game.paused_at:
                writing.change(game)
            else:
                # The clock had run out, and the table's rule is to wait.
                writing.change(game, **running.restart(game, acting, now()))
            Seat.objects.filter(pk=acting.pk).update(bank=acting.bank)
            writing.record(game, "gave_time", mine.index, to=acting.index)
            notices.deadline_moved(game, acting)

    writing.attempt(game, act)


# --- the seats ---


def _seats(game: Game, user: User) -> tuple[list[Seat], Seat, Seat]:
    """The seats of a running game in turn order, the user's own seat, which no bot may be playing, and the seat to
    act."""
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("index"))
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is None or not game.is_active or not _is_in(mine):
        raise play.NotYours
    assert game.to_act is not None
    return seats, mine, seats[game.to_act]


def _is_in(seat: Seat) -> bool:
    """Whether a person, and not a bot, plays for the seat."""
    return seat.user_id is not None and not seat.acting_bot
