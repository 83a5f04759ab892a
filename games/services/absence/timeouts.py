"""Players whose time has run out. Depending on the table's rule, a bot takes over until they are back, they are out,
or the others wait. A game in which a player never made a first move is dealt again."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects

from accounts.models import User
from games.models import Game, Move, Seat
from games.services import play
from games.services.absence import vacations
from games.services.clocks import running
from games.services.clocks.arithmetic import NOTHING
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.tables import rematch
from games.services.versions import writing

CARETAKER_GRACE = timedelta(hours=48)
"""The time within which a player must return to still be able to win."""
MAX_CARETAKER_DECISIONS = 4
"""The number of decisions by the bot after which a player who returns can still play, but not win."""
UNTOLD_EXTENSION = timedelta(minutes=15)
"""The time added to a clock whose owner has not been told of the turn yet."""


def time_out(game: Game, *, just_read: bool = False) -> None:
    """Apply the table's rule if the seat to act has run out of time. No clock runs out before its owner has been
    told of the turn. A game that was just read with its seats is not read again unless it has changed."""

    def act() -> None:
        at = now()
        if not game.is_active or game.deadline is None or game.deadline > at:
            return
        seats = _seats(game)
        assert game.to_act is not None
        seat = seats[game.to_act]
        true = running.deadline(game, seat)
        assert true is not None
        if not notices.told_of_turn(game, seat):
            true = max(true, running.postponed(game, seat, at + UNTOLD_EXTENSION))
        if true <= at and vacations.begin_automatically(game, seat, true):
            return
        with transaction.atomic():
            if true > at:
                writing.change(game, deadline=true)
            elif not Move.objects.filter(game=game, seat=game.to_act).exists():
                _abandon(game, seats, seat)
            else:
                _time_is_up(game, seats, seat, at)

    writing.attempt(game, act, just_read=just_read)


def leave_for_good(game: Game, user: User) -> None:
    """Let a bot play for a user who deletes their account, as if their time had run out; there is no way back."""

    def act() -> None:
        seats = list(Seat.objects.filter(game=game).in_turn_order())
        seat = next((seat for seat in seats if seat.user_id == user.pk), None)
        if seat is None or not game.is_active:
            return
        acts = {**running.STOPPED, "quiet": {}, "bot_to_act": play.CARETAKER} if game.to_act == seat.index else {}
        if not seat.caretaker:
            seat.caretaker, seat.absent_since = play.CARETAKER, now()
            seat.absent = seat.absent or game.at_zero == Game.AtZero.FORFEIT
        with transaction.atomic():
            play.change_as_decided(game, seats, Game.Ending.ABSENCE, **acts)
            kept = ("caretaker", "absent_since", "absent")
            Seat.objects.filter(pk=seat.pk).update(**{name: getattr(seat, name) for name in kept})
            writing.record(game, "deleted", seat.index)
            writing.tend_soon(game)

    writing.attempt(game, act)


def come_back(game: Game, user: User) -> None:
    """Give the seat back to the user, unless the game is over; a user who returns too late cannot win. Raises
    `play.NotYours` if no caretaker has taken over the seat."""

    def act() -> None:
        at = now()
        seat = Seat.objects.select_related("user").filter(game=game, user=user).first()
        if seat is None or seat.resigned:
            raise play.NotYours
        if not seat.caretaker or not game.is_active:
            return
        if seat.absent_since is None:
            raise play.NotYours
        pace = running.pace(game)
        with transaction.atomic():
            seat.caretaker, seat.absent_since = "", None
            if pace and seat.bank is not None:
                seat.bank = max(seat.bank, pace.increment)
            mine = game.to_act == seat.index
            # A turn that a bot has begun is still the same turn.
            turn = running.begin(game, seat, game.turn_number, at) if mine else {}
            writing.change(game, **turn, **({"bot_claimed_until": None} if mine else {}))
            seat.save(update_fields=["caretaker", "absent_since", "bank"])
            writing.record(game, "came_back", seat.index)
            if mine:
                notices.turn_is_taken_back(game, seat)

    settle(game)
    writing.attempt(game, act)


def settle(game: Game, *, just_read: bool = False) -> None:
    """Mark players who have been away too long as out, in the order in which their time ran out, until the game is
    decided. The result does not depend on when this is called. A game that was just read with its seats is not read
    again unless it has changed."""

    def act() -> None:
        if not game.is_active:
            return
        at = now()
        seats = _seats(game)
        away = [(_too_late_from(game, seat), seat) for seat in seats if seat.absent_since and not seat.out]
        late = [seat for since, seat in sorted(away, key=itemgetter(0)) if since <= at]
        if not late:
            return
        out = []
        for seat in late:
            if not play.decided(seats):
                seat.absent = True
                out.append(seat)
        with transaction.atomic():
            play.change_as_decided(game, seats, Game.Ending.ABSENCE)
            for seat in out:
                Seat.objects.filter(pk=seat.pk).update(absent=True)
                writing.record(game, "absent", seat.index)
            writing.tend_soon(game)

    writing.attempt(game, act, just_read=just_read)


def _seats(game: Game) -> list[Seat]:
    """The seats in turn order, as they were read with the game, or else as they are now."""
    prefetch_related_objects([game], Prefetch("seat_set", Seat.objects.in_turn_order()))
    return list(game.seat_set.all())


def _too_late_from(game: Game, seat: Seat) -> datetime:
    """The instant from which the absent owner of the seat is too late to win."""
    since = seat.absent_since
    assert since is not None
    assert seat.index is not None
    # Only the bot decides while the owner is away.
    decided = Move.objects.filter(game=game, seat=seat.index, made_at__gte=since)
    last = decided.order_by("number").values_list("made_at", flat=True)[
        MAX_CARETAKER_DECISIONS - 1 : MAX_CARETAKER_DECISIONS
    ]
    return min([since + CARETAKER_GRACE, *last])


def _time_is_up(game: Game, seats: list[Seat], seat: Seat, at: datetime) -> None:
    due = _told(game)
    seat.bank = NOTHING
    fields: dict[str, Any] = dict(running.STOPPED)
    if game.at_zero == Game.AtZero.WAIT:
        writing.change(game, **fields)
        writing.record(game, "overtime", seat.index, deadline=due)
    else:
        seat.absent_since = at
        # A player who returned too late after an earlier absence stays out.
        seat.absent = seat.absent or game.at_zero == Game.AtZero.FORFEIT
        seat.caretaker = fields["bot_to_act"] = play.CARETAKER
        play.change_as_decided(game, seats, Game.Ending.ABSENCE, **fields)
        notices.turn_is_over(game, seat)
        writing.record(game, "timed_out", seat.index, deadline=due)
    kept = ("bank", "absent_since", "absent", "caretaker")
    Seat.objects.filter(pk=seat.pk).update(**{name: getattr(seat, name) for name in kept})
    key = f"absence:{game.pk}:{seat.index}:{game.number}:{game.version}"
    notices.owe_all(notices.Kind.ABSENCE, game, _people(seats), key, seat=seat.index)
    writing.tend_soon(game)


def _abandon(game: Game, seats: list[Seat], seat: Seat) -> None:
    """End the game without a result, and deal another one to the same people; the absent player is invited to it."""
    due = _told(game)
    writing.change(
        game,
        status=Game.Status.CANCELLED,
        ending=Game.Ending.ABANDONED,
        to_act=None,
        bot_to_act=None,
        ended_at=now(),
        **running.STOPPED,
    )
    # The index of seats that ask holds only those of running games.
    Seat.objects.filter(game=game).update(wants_stop=False, wants_pause=False, seen_end=True)
    writing.record(game, "abandoned", seat.index, deadline=due)
    notices.turn_is_over(game, seat)
    again = rematch.deal_again(game, seat)
    key = f"absence:{game.pk}:{seat.index}:{game.number}:{game.version}"
    notices.owe_all(notices.Kind.ABSENCE, game, _people(seats), key, seat=seat.index, again=again.key if again else "")


def _told(game: Game) -> str:
    """The deadline that has passed, for the incident."""
    assert game.deadline is not None
    return game.deadline.isoformat()


def _people(seats: Iterable[Seat]) -> list[User]:
    return [seat.user for seat in seats if seat.user]
