"""Plays decisions. Every decision, whoever makes it, goes through `submit`."""

from collections.abc import Sequence

from games.catalogue import TITLES
from games.models import Game, Move, Seat
from games.rules.base import IllegalAction, Refusal
from games.services.play.actor import Actor
from games.services.play.look import NotYours, position
from games.services.play.record import Played, record
from games.services.versions import writing

BOT = Actor(None)


def submit(game: Game, actor: Actor, number: int, notations: Sequence[str]) -> list[Move]:
    """Play decisions of the seat to act in order, from that number on, all or none, in one transaction.

    Raises `writing.Stale` if the game has passed the number, `NotYours`, or the rules' `Refusal`. If the same seat
    submits the same decisions again at the same number, this succeeds and changes nothing.
    """

    def decide() -> list[Move]:
        if number != game.number:
            return _played_already(game, actor, number, notations)
        seat = _seat_to_act(game, actor)
        ruleset, state = position(game)
        if state.number != number:
            raise writing.Moved  # between the two reads
        return record(Played.by(game, actor, seat, ruleset, state, notations))

    return writing.attempt(game, decide)


def _seat_to_act(game: Game, actor: Actor) -> Seat:
    """The seat to act; raises `NotYours` unless the actor may decide for it now."""
    if not game.is_active:
        raise IllegalAction("game_over")
    seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
    if not actor.acts_for(seat) or actor.turn not in (None, game.turn_number):
        raise NotYours
    return seat


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
