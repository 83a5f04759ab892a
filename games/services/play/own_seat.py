"""What people keep with a seat of theirs, for nobody else: that they saw the end, and a plan. Neither changes what
others see, so the game keeps its version."""

from accounts.models import User
from games.models import Game, Seat
from games.services.play.look import NotYours


def see_end(game: Game, user: User) -> None:
    """The person has seen the result. Who has no seat has nothing to remember."""
    Seat.objects.filter(game=game, user=user, seen_end=False).update(seen_end=True)


def plan(game: Game, user: User, text: str) -> None:
    """What the person means to do there; empty for nothing any more. Raises `NotYours`."""
    if not Seat.objects.filter(game=game, user=user).update(plan=text):
        raise NotYours
