"""Decisions: what a reader may see of a position, and the one door that every decision goes through."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move, Position, Seat
from games.rules.base import Action, Event, IllegalAction, Outcome, Refusal, Ruleset, Step
from games.services import notices, rows, turns
from games.services.clock import NOTHING, after_turn
from games.services.moment import now


class NotYours(Exception):
    """The actor does not decide for the seat to act."""


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
CARETAKER = "greedy"
"""The bot that plays a seat on whose person left."""


@dataclass(frozen=True)
class Look:
    """What one reader sees of a game, with the decisions it has staged tried out."""

    seat: int | None
    """The reader's seat, `None` for a spectator."""
    seen: Any
    """The observation with the staged decisions tried out."""
    before: Any
    """The observation without them."""
    legal: list[Action[Any]]
    """All options and variants after the staged decisions; empty unless the reader is to act."""
    staged: tuple[str, ...]
    """Complete decisions that reveal nothing and leave the reader to act, in order."""
    prefix: str
    """The piece of the draft after them, a decision or the beginning of one."""


def look(game: Game, user: User | AnonymousUser, draft: str = "") -> Look:
    """The one door to a position for everything that is shown; who may look at all is asked before.

    The draft is notations joined by `;`. Of it is kept what is legal; its last piece may be the beginning of one."""
    seat = seat_of(game, user)
    ruleset, state = _position(game)
    if not game.is_active:
        # Who resigned may have left the turn open.
        state = replace(state, to_act=None, phases=())
    before = ruleset.observe(state, seat)
    if seat is None or seat != state.to_act or _program_acts(game):
        return Look(seat, before, before, [], (), "")
    state, staged, prefix = _stage(ruleset, state, draft)
    return Look(seat, ruleset.observe(state, seat), before, ruleset.all_actions(state), staged, prefix)


def offer(game: Game, seat: Seat, *, variants: bool) -> tuple[Any, list[Action[Any]]]:
    """What a program in that seat, which is to act, sees and may choose from."""
    ruleset, state = _position(game)
    legal = ruleset.all_actions(state) if variants else ruleset.legal_actions(state)
    return ruleset.observe(state, seat.index), legal


def submit(game: Game, actor: Actor, number: int, notations: Sequence[str]) -> list[Move]:
    """Decisions of the seat to act, played in order from that number on in one transaction, all or none.

    Raises `rows.Stale` if the game has passed the number, `NotYours`, or the rules' `Refusal`. The same decisions once
    more, by the same seat at the same number, are a success that changes nothing."""

    def decide() -> list[Move]:
        if number != game.number:
            return _played_already(game, actor, number, notations)
        if game.status != Game.Status.ACTIVE:
            raise IllegalAction("game_over")
        seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
        if not actor.acts_for(seat) or actor.turn not in (None, game.turn_number):
            raise NotYours
        ruleset, state = _position(game)
        if state.number != number:
            raise rows.Moved  # between the two reads
        steps = ruleset.apply_all(state, notations)
        with transaction.atomic():
            return _write(game, actor, seat, ruleset, state, steps)

    return rows.attempt(game, decide)


def _program_acts(game: Game) -> bool:
    """Whether a bot decides now, for its own seat or for a person who is away."""
    return any(seat.program for seat in game.seat_set.all() if seat.index == game.to_act)


def seat_of(game: Game, user: User | AnonymousUser) -> int | None:
    """The index of the reader's seat, `None` for a spectator."""
    return next((seat.index for seat in game.seat_set.all() if seat.user_id and seat.user_id == user.pk), None)


def _position(game: Game) -> tuple[Ruleset[Any, Any], Any]:
    ruleset = TITLES[game.title].ruleset
    return ruleset, ruleset.load(Position.objects.get(game=game).state)


def _stage(ruleset: Ruleset[Any, Any], state: Any, draft: str) -> tuple[Any, tuple[str, ...], str]:
    """Try out what of the draft is complete: the state then, these decisions, and what is left."""
    *pieces, prefix = (piece.strip() for piece in draft.split(";"))
    staged: list[str] = []
    for piece in pieces:
        step = _try(ruleset, state, piece)
        if step is None:
            return state, tuple(staged), ""
        if not _goes_on(state, step):
            return state, tuple(staged), str(step.played[0])
        staged.append(str(step.played[0]))
        state = step.state
    step = _try(ruleset, state, prefix)
    if step and _goes_on(state, step) and not _extensible(ruleset, state, prefix):
        staged.append(str(step.played[0]))
        return step.state, tuple(staged), ""
    return state, tuple(staged), prefix


def _try(ruleset: Ruleset[Any, Any], state: Any, piece: str) -> Step[Any] | None:
    try:
        return ruleset.apply(state, ruleset.parse(piece))
    except Refusal:
        return None


def _goes_on(state: Any, step: Step[Any]) -> bool:
    """Whether the same turn goes on, and its next decision can be made now already."""
    return step.state.to_act == state.to_act and not step.ends_turn and not step.reveals


def _extensible(ruleset: Ruleset[Any, Any], state: Any, piece: str) -> bool:
    """Whether the piece may be the beginning of a longer decision, written in any order."""
    letters = Counter(piece)
    return any(letters < Counter(str(action)) for action in ruleset.legal_actions(state))


def _played_already(game: Game, actor: Actor, number: int, notations: Sequence[str]) -> list[Move]:
    """The moves that a repeated post made; raises `rows.Stale` if it did not make them."""
    moves = list(game.move_set.filter(number__gte=number).order_by("number")[: len(notations)])
    seats = {move.seat for move in moves}
    if len(moves) == len(notations) and len(seats) == 1:
        seat = Seat.objects.get(game=game, index=seats.pop())
        same = all(_same(game, move.notation, text) for move, text in zip(moves, notations, strict=True))
        if same and actor.acts_for(seat):
            return moves
    raise rows.Stale


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
    clock = turns.read(game, seat, at)
    outcome = ruleset.outcome(state, out=_out(game)) if state.to_act is None else None
    # Nothing follows a decision that ends a turn.
    ends = state.to_act != seat.index or steps[-1].ends_turn
    following = seat
    if ends:
        if seat.bank is not None and not seat.program:
            pace = turns.pace(game)
            assert pace
            seat.bank = after_turn(pace, clock.left or NOTHING, NOTHING)
        if state.to_act not in (None, seat.index):
            following = Seat.objects.select_related("user").get(game=game, index=state.to_act)
        number = first + len(steps)
        turn = turns.begin(game, None if state.to_act is None else following, number, at)
    else:
        seat.bank = clock.left
        # What is left goes with the instant since when it runs: the deadline stays.
        turn = {"carried": NOTHING, "clock_started_at": at if game.clock_started_at else None}
    rows.change(
        game,
        number=first + len(steps),
        to_act=state.to_act,
        changed_at=at,
        bot_claimed_until=None,
        **turn,
        **_ended(at, Game.Ending.PLAYED if outcome.winners else Game.Ending.ABSENCE) if outcome else {},
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
        _leave_the_win(game)
    notices.turn_is_over(game, seat)
    if outcome:
        _tell_the_end(game)
    elif ends:
        notices.turn_begins(game, following)
    else:
        notices.turn_goes_on(game, seat)
    rows.nudge(game)
    return moves


def _leave_the_win(game: Game) -> None:
    """Nobody who could have won has stayed to the end: whoever left last wins, and the others were away too long."""
    seats = list(Seat.objects.filter(game=game))
    winners = _last_to_leave(seats)
    Seat.objects.filter(pk__in=[seat.pk for seat in winners]).update(won=True)
    for seat in seats:
        if seat.caretaker and not seat.out and seat not in winners:
            Seat.objects.filter(pk=seat.pk).update(absent=True)
            rows.record(game, "absent", seat.index)


def _tell_the_end(game: Game) -> None:
    people = User.objects.filter(pk__in=Seat.objects.filter(game=game).values("user"))
    notices.owe_all(notices.Kind.FINISHED, game, people, f"finished:{game.pk}")


def told(events: Iterable[Event]) -> list[Any]:
    """The events as a move keeps them."""
    return [[event.code, event.facts] for event in events]


def _out(game: Game) -> list[int]:
    """Seats that cannot win: resigned, absent, or still played by a bot for their owners."""
    away = Seat.objects.filter(Q(resigned=True) | Q(absent=True) | ~Q(caretaker=""), game=game)
    return [seat.index for seat in away if seat.index is not None]


def _ended(at: datetime, ending: Game.Ending) -> dict[str, Any]:
    return {"status": Game.Status.FINISHED, "ending": ending, "ended_at": at}


def outcome(game: Game) -> Outcome:
    """The result of a game that was played to its end."""
    ruleset, state = _position(game)
    found = ruleset.outcome(state, out=_out(game))
    assert found is not None
    return found


def resign(game: Game, user: User) -> None:
    """The person leaves a running game for good. Of two, the other wins; of more, a bot plays the seat on and cannot
    win; the last person left wins, and without any the best bot. Raises `NotYours`; once more changes nothing."""

    def give_up() -> None:
        seats = list(Seat.objects.filter(game=game).order_by("index"))
        mine = next((seat for seat in seats if seat.user_id == user.pk), None)
        if mine is None:
            raise NotYours
        if mine.resigned:
            return
        if game.status != Game.Status.ACTIVE:
            raise IllegalAction("game_over")
        with transaction.atomic():
            was_to_act = game.to_act == mine.index
            mine.resigned, mine.caretaker = True, CARETAKER
            over = change_as_decided(game, seats, Game.Ending.RESIGNED, **(turns.STOPPED if was_to_act else {}))
            Seat.objects.filter(pk=mine.pk).update(
                resigned=True, absent_since=None, caretaker="" if over else CARETAKER
            )
            rows.record(game, "resigned", mine.index)
            notices.turn_is_over(game, mine)
            rows.nudge(game)

    rows.attempt(game, give_up)


def change_as_decided(game: Game, seats: list[Seat], ending: Game.Ending, **fields: Any) -> bool:
    """Write the fields of a game that somebody has left, and its end with that ending if that decides it. Whether it is
    over."""
    winners = decided(seats)
    if winners:
        fields |= {**_ended(now(), ending), **turns.STOPPED, "to_act": None}
    rows.change(game, **fields)
    if winners:
        Seat.objects.filter(pk__in=[seat.pk for seat in winners]).update(won=True)
        _tell_the_end(game)
    return bool(winners)


def decided(seats: list[Seat]) -> list[Seat]:
    """The winners of a game that is decided because seats are out, else none: the one seat that is left, or the one
    person; without a person the best of the bots; without anybody whoever left last."""
    left = [seat for seat in seats if not seat.out] or _last_to_leave(seats)
    people = [seat for seat in left if seat.user_id]
    if len(left) == len(seats) or (len(left) > 1 and len(people) > 1):
        return []
    return left if len(left) == 1 else people or _leaders(left)


def _last_to_leave(seats: list[Seat]) -> list[Seat]:
    """The seat of whoever is still there, or else left last."""
    at = now()

    def stayed(seat: Seat) -> tuple[bool, bool, bool, datetime]:
        return not seat.resigned, not seat.absent, not seat.caretaker, seat.absent_since or at

    longest = max(map(stayed, seats))
    return [seat for seat in seats if stayed(seat) == longest]


def _leaders(seats: list[Seat]) -> list[Seat]:
    best = max(seat.score for seat in seats)
    return [seat for seat in seats if seat.score == best]
