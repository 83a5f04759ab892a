"""Lays a position on the table of a running game for two."""

from importlib import import_module

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Position, Seat


def lay(game: Game, user: User, mine: str = "", theirs: str = "", **lines: str) -> None:
    """The position of those lines, see `tests.rules.positions`, with `_` for the spaces in their names; that person is
    to act and has what is `mine`. Decisions are counted from 0 again."""
    ruleset = TITLES[game.title].ruleset
    position = import_module(f"tests.rules.positions.{game.title}").position
    seat = Seat.objects.get(game=game, user=user).index
    assert seat is not None
    owned = {f"seat {seat}": mine, f"seat {1 - seat}": theirs, "to act": str(seat)}
    state = position(2, bytes(32), {name.replace("_", " "): text for name, text in lines.items()} | owned)
    assert ruleset.faults(state) == []
    game.move_set.all().delete()
    game.seat_set.update(seen_number=0)
    Position.objects.filter(game=game).update(state=ruleset.dump(state))
    Game.objects.filter(pk=game.pk).update(number=0, to_act=seat, version=game.version + 1)
    game.refresh_from_db()
