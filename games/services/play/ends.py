"""How a game ends: played out, resigned, or decided because players left."""

from datetime import datetime
from typing import Any, TypedDict

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.models import Game, Preview, Seat
from games.rules.base import IllegalAction, Outcome
from games.services.clocks import running
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.play.look import NotYours, position
from games.services.ratings import counting
from games.services.statistics import counting as statistics
from games.services.versions import writing

CARETAKER = "greedy"
"""The bot that plays for a user who left."""


def win_by_staying(game: Game) -> None:
    """Decide a game that was played to the end without a seat that can win: the last to leave wins, and the others
    count as away too long."""
    seats = list(Seat.objects.filter(game=game))
    winners = _last_to_leave(seats)
    Seat.objects.filter(pk__in=[seat.pk for seat in winners]).update(won=True)
    for seat in seats:
        if seat.caretaker and not seat.out and seat not in winners:
            Seat.objects.filter(pk=seat.pk).update(absent=True)
            writing.record(game, "absent", seat.index)


def conclude(game: Game) -> None:
    """Date the seats of a finished game, count it for ratings and statistics, and owe everybody at the table a notice
    about the result; if everybody may find the game, also owe its preview."""
    Seat.objects.filter(game=game).update(ended_at=game.ended_at)
    counting.count(game)
    statistics.count(game)
    people = User.objects.filter(pk__in=Seat.objects.filter(game=game).values("user"))
    notices.owe_all(notices.Kind.FINISHED, game, people, f"finished:{game.pk}")
    if game.audience == Game.Audience.ANYONE:
        Preview.objects.create(game=game)


def seats_out(game: Game) -> list[int]:
    """Seats that cannot win: resigned, absent, or still played by a caretaker."""
    away = Seat.objects.filter(Q(resigned=True) | Q(absent=True) | ~Q(caretaker=""), game=game)
    return [seat.index for seat in away if seat.index is not None]


class EndFields(TypedDict, total=False):
    """Fields of a finished game."""

    status: Game.Status
    ending: Game.Ending
    reason: str
    ended_at: datetime


def ended(at: datetime, ending: Game.Ending) -> EndFields:
    """The fields of a game that ends in that way at that instant."""
    return {"status": Game.Status.FINISHED, "ending": ending, "ended_at": at}


def outcome(game: Game) -> Outcome:
    """The result of a game that was played to its end."""
    ruleset, state = position(game)
    found = ruleset.outcome(state, out=seats_out(game))
    assert found is not None
    return found


def resign(game: Game, user: User) -> None:
    """Let the user leave a running game for good. With two seats, the other one wins. With more, a bot plays for the
    seat and cannot win; the last person left wins, or if there is none, the best bot. Resigning again changes nothing.
    Raises `NotYours`."""

    def give_up() -> None:
        seats = list(Seat.objects.filter(game=game).order_by("index"))
        mine = next((seat for seat in seats if seat.user_id == user.pk), None)
        if mine is None:
            raise NotYours
        if mine.resigned:
            return
        if not game.is_active:
            raise IllegalAction("game_over")
        with transaction.atomic():
            was_to_act = game.to_act == mine.index
            mine.resigned, mine.caretaker = True, CARETAKER
            acts = {**running.STOPPED, "bot_to_act": CARETAKER} if was_to_act else {}
            over = change_as_decided(game, seats, Game.Ending.RESIGNED, **acts)
            Seat.objects.filter(pk=mine.pk).update(
                resigned=True, absent_since=None, caretaker="" if over else CARETAKER
            )
            writing.record(game, "resigned", mine.index)
            notices.turn_is_over(game, mine)
            writing.tend_soon(game)

    writing.attempt(game, give_up)


def change_as_decided(game: Game, seats: list[Seat], ending: Game.Ending, **fields: Any) -> bool:
    """Write these fields of a game that a player has left, and its end if this decides it. Return whether the game is
    over."""
    winners = decided(seats)
    if winners:
        fields |= {**ended(now(), ending), **running.STOPPED, "to_act": None, "bot_to_act": None}
    writing.change(game, **fields)
    if winners:
        for seat in winners:
            seat.won = True
        # The callers have changed these seats; ratings need to know who is out.
        Seat.objects.bulk_update(seats, ["won", "resigned", "absent", "caretaker"])
        conclude(game)
    return bool(winners)


def decided(seats: list[Seat]) -> list[Seat]:
    """The winners if the game is decided because seats are out, otherwise none. If only one seat or one person is
    left, they win; if no person is left, the best bot wins; if no seat is left, the last to leave wins."""
    left = [seat for seat in seats if not seat.out] or _last_to_leave(seats)
    people = [seat for seat in left if seat.user_id]
    if len(left) == len(seats) or len(people) > 1:
        return []
    return people or _leaders(left)


def _last_to_leave(seats: list[Seat]) -> list[Seat]:
    """The seats that stayed longest."""
    at = now()

    def stayed(seat: Seat) -> tuple[bool, bool, bool, datetime]:
        return not seat.resigned, not seat.absent, not seat.caretaker, seat.absent_since or at

    longest = max(map(stayed, seats))
    return [seat for seat in seats if stayed(seat) == longest]


def _leaders(seats: list[Seat]) -> list[Seat]:
    best = max(seat.score for seat in seats)
    return [seat for seat in seats if seat.score == best]
