"""Writes the results of played decisions. Each step is a function; `record` lists them in order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games.models import Game, Move, Seat
from games.models.position import Position
from games.rules import codec
from games.rules.base import Event, Outcome, Ruleset, Step
from games.services.clocks import running
from games.services.clocks.arithmetic import NOTHING, after_turn
from games.services.clocks.moment import now
from games.services.clocks.running import ClockFields, Reading
from games.services.outbox import notices
from games.services.play.actor import Actor
from games.services.play.ends import EndFields, conclude, ended, seats_out, win_by_staying
from games.services.versions import writing


@dataclass(frozen=True)
class Played:
    """Decisions of one seat that the rules have played and that are not stored yet."""

    game: Game
    actor: Actor
    seat: Seat
    ruleset: Ruleset[Any, Any]
    before: Any
    """The state before the decisions."""
    steps: Sequence[Step[Any]]
    first: int
    """The number of the first decision."""
    outcome: Outcome | None
    """`None` unless the game is over."""
    at: datetime = field(default_factory=now)

    @classmethod
    def by(
        cls, game: Game, actor: Actor, seat: Seat, ruleset: Ruleset[Any, Any], before: Any, notations: Sequence[str]
    ) -> "Played":
        """Play the decisions by the rules; raises their `Refusal`."""
        steps = ruleset.apply_all(before, notations)
        over = steps[-1].state.to_act is None
        outcome = ruleset.outcome(steps[-1].state, out=seats_out(game)) if over else None
        return cls(game, actor, seat, ruleset, before, steps, game.number, outcome)

    @property
    def state(self) -> Any:
        """The state after the decisions."""
        return self.steps[-1].state

    @property
    def number(self) -> int:
        """The number of the next decision."""
        return self.first + len(self.steps)

    @property
    def ends_turn(self) -> bool:
        """Whether the turn is over. No decision follows one that ends a turn."""
        return self.state.to_act != self.seat.index or self.steps[-1].ends_turn

    def public(self) -> list[Any]:
        """The observations of a spectator before the first decision and after each one."""
        return [self.ruleset.observe(state, None) for state in (self.before, *(step.state for step in self.steps))]


def record(played: Played) -> list[Move]:
    """Write all results of the decisions, in one transaction. Raises `writing.Moved` if the game has changed in the
    meantime."""
    # The version guards what is read before the transaction. Only one can write to SQLite, so it has to be short.
    clock = running.read(played.game, played.seat, played.at)
    following = next_seat(played)
    public, dumped = played.public(), played.ruleset.dump(played.state)
    with transaction.atomic():
        claim_version(played, stop_clock(played, clock, following))
        keep_position(played, dumped)
        moves = add_moves(played, clock.used, public)
        update_seats(played, public)
        mark_winners(played)
        owe_notices(played, following)
        writing.tend_soon(played.game)
    return moves


def next_seat(played: Played) -> Seat | None:
    """The seat that decides next; `None` if the game is over."""
    to_act = played.state.to_act
    if to_act in (None, played.seat.index):
        return None if to_act is None else played.seat
    return Seat.objects.select_related("user").get(game=played.game, index=to_act)


def stop_clock(played: Played, clock: Reading, following: Seat | None) -> ClockFields:
    """Stop the clock of the seat that decided. Returns the fields of the game in which the next clock runs."""
    game, seat = played.game, played.seat
    if not played.ends_turn:
        seat.bank = clock.left
        # The bank and the start of the clock change together, so the deadline stays the same.
        return {"carried": NOTHING, "clock_started_at": played.at if game.clock_started_at else None}
    if seat.bank is not None and not seat.acting_bot:
        pace = running.pace(game)
        assert pace
        seat.bank = after_turn(pace, clock.left or NOTHING)
    return running.begin(game, following, played.number, played.at)


def claim_version(played: Played, clock: ClockFields) -> None:
    """Change the row of the game if it still has the version that was read."""
    over, seat, following = played.outcome, played.seat.index, played.state.to_act
    assert seat is not None  # the game has started
    codes = {event.code for step in played.steps for event in step.events}
    all_passed = following == seat and "passed" in codes
    ending: EndFields = {}
    if over:
        how = Game.Ending.PLAYED if over.winners else Game.Ending.ABSENCE
        ending = {**ended(played.at, how), "reason": over.reason}
    writing.change(
        played.game,
        number=played.number,
        to_act=played.state.to_act,
        round=played.game.round + (following is not None and (following < seat or all_passed)),
        is_last_round=played.game.is_last_round or "last_round" in codes,
        changed_at=played.at,
        bot_claimed_until=None,
        **clock,
        **ending,
    )


def keep_position(played: Played, dumped: codec.Json) -> None:
    """Replace the secret half of the game."""
    Position.objects.filter(game=played.game).update(state=dumped)


def add_moves(played: Played, used: timedelta, public: Sequence[Any]) -> list[Move]:
    """Add a move for each decision. The first one carries all the time used."""
    seat, index = played.seat, played.seat.index
    assert index is not None  # the game has started
    mine = [seen.players[index] for seen in public]
    return Move.objects.bulk_create(
        Move(
            game=played.game,
            number=played.first + place,
            seat=index,
            actor=played.actor.kind(seat),
            notation=str(step.played[0]),
            made_at=played.at,
            time_used=NOTHING if place else used,
            events=stored_events(step.events),
            points=mine[place + 1].points - mine[place].points,
            tokens=sum(mine[place + 1].tokens),
            **played.actor.took(played.at),
        )
        for place, step in enumerate(played.steps)
    )


def stored_events(events: Iterable[Event]) -> list[Any]:
    """The events in the form that a move stores."""
    return [[event.code, event.facts] for event in events]


def update_seats(played: Played, public: Sequence[Any]) -> None:
    """Update the scores, and for the seat that decided, its clock and the moves its user has seen. Moves that a bot
    makes while the user is absent are new to them."""
    seats = Seat.objects.filter(game=played.game)
    for index, (was, player) in enumerate(zip(public[0].players, public[-1].players, strict=True)):
        if player.points != was.points:
            seats.filter(index=index).update(score=player.points)
    # The user who makes the last move sees the result at once, but not on the page of a link from a mail.
    seen_end = bool(played.outcome and played.actor.user and played.actor.turn is None)
    seen_number = played.seat.seen_number if played.seat.absent_since else played.number
    seats.filter(pk=played.seat.pk).update(seen_number=seen_number, bank=played.seat.bank, seen_end=seen_end)


def mark_winners(played: Played) -> None:
    """If the game is over, mark the winners. If nobody can win by the rules, the last to leave wins."""
    if played.outcome and played.outcome.winners:
        Seat.objects.filter(game=played.game, index__in=played.outcome.winners).update(won=True)
    elif played.outcome:
        win_by_staying(played.game)


def owe_notices(played: Played, following: Seat | None) -> None:
    """Close the notices about the decision, and owe those about the next one or the end."""
    game = played.game
    if not played.ends_turn:
        notices.turn_goes_on(game, played.seat)
        return
    notices.turn_is_over(game, played.seat)
    if following is None:
        conclude(game)
    else:
        notices.turn_begins(game, following)
