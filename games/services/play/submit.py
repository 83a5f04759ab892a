"""Plays decisions. Every decision, whoever makes it, goes through `submit`."""

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
    """Who makes a decision: a user, or if there is none, the bot in the seat."""

    user: User | None
    turn: int | None = None
    """For the holder of a link from a mail: the only turn they may decide in, by the number at which it began."""
    asked: datetime | None = None
    began: datetime | None = None
    """When a bot's turn to decide began, and when the bot started to think."""

    def acts_for(self, seat: Seat) -> bool:
        """Whether this actor may decide for the seat now."""
        if self.user is None:
            return bool(seat.program)
        return seat.user_id == self.user.pk and not seat.program

    def kind(self, seat: Seat) -> Move.ActorKind:
        """The kind of actor for the ledger."""
        if self.turn is not None:
            return Move.ActorKind.LINK
        if self.user is not None:
            return Move.ActorKind.USER
        return Move.ActorKind.CARETAKER if seat.caretaker else Move.ActorKind.BOT

    def took(self, at: datetime) -> dict[str, timedelta]:
        """The fields of a bot's move that say how long it waited for a worker and how long it thought."""
        if self.asked is None or self.began is None:
            return {}
        # The clocks of two machines may differ a little.
        return {"waited": max(self.began - self.asked, NOTHING), "thought": max(at - self.began, NOTHING)}


PROGRAM = Actor(None)


def submit(game: Game, actor: Actor, number: int, notations: Sequence[str]) -> list[Move]:
    """Play decisions of the seat to act in order, from that number on, all or none, in one transaction.

    Raises `writing.Stale` if the game has passed the number, `NotYours`, or the rules' `Refusal`. If the same seat
    submits the same decisions again at the same number, this succeeds and changes nothing.
    """

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
    """The moves that an earlier post of the same decisions made; raises `writing.Stale` if there was none."""
    moves = list(game.move_set.filter(number__gte=number).order_by("number")[: len(notations)])
    seats = {move.seat for move in moves}
    if len(moves) == len(notations) and len(seats) == 1:
        seat = Seat.objects.get(game=game, index=seats.pop())
        same = all(_same(game, move.notation, text) for move, text in zip(moves, notations, strict=True))
        if same and actor.acts_for(seat):
            return moves
    raise writing.Stale


def _same(game: Game, notation: str, text: str) -> bool:
    """Whether the text is that notation, possibly without its payment."""
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
    # No decision follows one that ends a turn.
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
        # The bank and the start of the clock change together, so the deadline stays the same.
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
    # The user who makes the last move sees the result at once.
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
