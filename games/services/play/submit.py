"""The one door that every decision goes through."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move, Seat
from games.models.position import Position
from games.rules.base import Event, IllegalAction, Refusal, Ruleset, Step
from games.services.clocks import running
from games.services.clocks.arithmetic import NOTHING, after_turn
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.play.ends import ended, seats_out, tell_the_end, win_by_staying
from games.services.play.look import NotYours, position
from games.services.versions import writing


@dataclass(frozen=True)
class Actor:
    """Who decides: a person, or without one the program in the seat."""

    user: User | None
    turn: int | None = None
    """The only turn to decide in, by the number at which it began, for who holds a link from a mail to that person."""
    asked: datetime | None = None
    began: datetime | None = None
    """Since when it is a program's turn to decide, and since when it thinks."""

    def acts_for(self, seat: Seat) -> bool:
        """Whether the seat is this actor's to decide for, now."""
        if self.user is None:
            return bool(seat.program)
        return seat.user_id == self.user.pk and not seat.program

    def kind(self, seat: Seat) -> Move.ActorKind:
        """As what the actor goes into the ledger."""
        if self.turn is not None:
            return Move.ActorKind.LINK
        if self.user is not None:
            return Move.ActorKind.USER
        return Move.ActorKind.CARETAKER if seat.caretaker else Move.ActorKind.BOT

    def took(self, at: datetime) -> dict[str, timedelta]:
        """The fields of a move that tell how long a program, which decided then, was waited for and thought."""
        if self.asked is None or self.began is None:
            return {}
        # Two machines may differ by a little.
        return {"waited": max(self.began - self.asked, NOTHING), "thought": max(at - self.began, NOTHING)}


PROGRAM = Actor(None)


def submit(game: Game, actor: Actor, number: int, notations: Sequence[str]) -> list[Move]:
    """Decisions of the seat to act, played in order from that number on in one transaction, all or none.

    Raises `writing.Stale` if the game has passed the number, `NotYours`, or the rules' `Refusal`. The same decisions
    once more, by the same seat at the same number, are a success that changes nothing."""

    def decide() -> list[Move]:
        if number != game.number:
            return _played_already(game, actor, number, notations)
        if not game.is_active:
            raise IllegalAction("game_over")
        seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
        if not actor.acts_for(seat) or actor.turn not in (None, game.turn_number):
            raise NotYours
        ruleset, state = position(game)
        if state.number != number:
            raise writing.Moved  # between the two reads
        steps = ruleset.apply_all(state, notations)
        with transaction.atomic():
            return _write(game, actor, seat, ruleset, state, steps)

    return writing.attempt(game, decide)


def _played_already(game: Game, actor: Actor, number: int, notations: Sequence[str]) -> list[Move]:
    """The moves that a repeated post made; raises `writing.Stale` if it did not make them."""
    moves = list(game.move_set.filter(number__gte=number).order_by("number")[: len(notations)])
    seats = {move.seat for move in moves}
    if len(moves) == len(notations) and len(seats) == 1:
        seat = Seat.objects.get(game=game, index=seats.pop())
        same = all(_same(game, move.notation, text) for move, text in zip(moves, notations, strict=True))
        if same and actor.acts_for(seat):
            return moves
    raise writing.Stale


def _same(game: Game, notation: str, text: str) -> bool:
    """Whether the text is that notation, perhaps without the payment."""
    try:
        read = str(TITLES[game.title].ruleset.parse(text))
    except Refusal:
        return False
    return notation == read or notation.partition(" = ")[0] == read


def _write(
    game: Game, actor: Actor, seat: Seat, ruleset: Ruleset[Any, Any], before: Any, steps: list[Step[Any]]
) -> list[Move]:
    assert seat.index is not None  # the game has started
    at, first, state = now(), game.number, steps[-1].state
    public = [ruleset.observe(each, None) for each in (before, *(step.state for step in steps))]
    mine = [seen.players[seat.index] for seen in public]
    clock = running.read(game, seat, at)
    outcome = ruleset.outcome(state, out=seats_out(game)) if state.to_act is None else None
    # Nothing follows a decision that ends a turn.
    ends = state.to_act != seat.index or steps[-1].ends_turn
    following = seat
    if ends:
        if seat.bank is not None and not seat.program:
            pace = running.pace(game)
            assert pace
            seat.bank = after_turn(pace, clock.left or NOTHING, NOTHING)
        if state.to_act not in (None, seat.index):
            following = Seat.objects.select_related("user").get(game=game, index=state.to_act)
        number = first + len(steps)
        turn = running.begin(game, None if state.to_act is None else following, number, at)
    else:
        seat.bank = clock.left
        # What is left goes with the instant since when it runs: the deadline stays.
        turn = {"carried": NOTHING, "clock_started_at": at if game.clock_started_at else None}
    writing.change(
        game,
        number=first + len(steps),
        to_act=state.to_act,
        changed_at=at,
        bot_claimed_until=None,
        **turn,
        **ended(at, Game.Ending.PLAYED if outcome.winners else Game.Ending.ABSENCE) if outcome else {},
    )
    Position.objects.filter(game=game).update(state=ruleset.dump(state))
    moves = Move.objects.bulk_create(
        Move(
            game=game,
            number=first + index,
            seat=seat.index,
            actor=actor.kind(seat),
            notation=str(step.played[0]),
            made_at=at,
            time_used=NOTHING if index else clock.used,
            events=told(step.events),
            points=mine[index + 1].points - mine[index].points,
            tokens=sum(mine[index + 1].tokens),
            **actor.took(at),
        )
        for index, step in enumerate(steps)
    )
    seats = Seat.objects.filter(game=game)
    for index, (was, player) in enumerate(zip(public[0].players, public[-1].players, strict=True)):
        if player.points != was.points:
            seats.filter(index=index).update(score=player.points)
    # Who makes the last move sees what comes of it.
    seen_end = bool(outcome and actor.user)
    seats.filter(pk=seat.pk).update(seen_number=game.number, bank=seat.bank, seen_end=seen_end)
    if outcome and outcome.winners:
        seats.filter(index__in=outcome.winners).update(won=True)
    elif outcome:
        win_by_staying(game)
    notices.turn_is_over(game, seat)
    if outcome:
        tell_the_end(game)
    elif ends:
        notices.turn_begins(game, following)
    else:
        notices.turn_goes_on(game, seat)
    writing.nudge(game)
    return moves


def told(events: Iterable[Event]) -> list[Any]:
    """The events as a move keeps them."""
    return [[event.code, event.facts] for event in events]
