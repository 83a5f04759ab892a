"""Private data of a user's seat: whether they saw the result, and their note. Others do not see it, so the game keeps
its version."""

from accounts.models import User
from games.models import Game, Seat
from games.services.play.look import NotYours


def see_end(game: Game, user: User) -> None:
    """Record that the user has seen the result; does nothing for a user without a seat."""
    Seat.objects.filter(game=game, user=user, seen_end=False).update(seen_end=True)


def keep_note(game: Game, user: User, text: str) -> None:
    """Store the user's note; empty deletes it. Raises `NotYours`."""
    if not Seat.objects.filter(game=game, user=user).update(note=text):
        raise NotYours
