"""Previews: a worker draws the picture of a finished game once, and the database keeps it."""

from django.conf import settings
from django.utils import translation

from games import pictures, wording
from games.catalogue import TITLES
from games.models import Game, Preview


def draw(game_id: int) -> None:
    """Draw the preview of the game if it is owed. Names of bots are in the host's language. A game that not everybody
    may find, or with a name that our fonts cannot write, keeps the picture of its title."""
    owed = Preview.objects.filter(pk=game_id, picture=None)
    if not owed.exists():
        return
    game = Game.objects.previewed().select_related("host").with_seats().filter(pk=game_id).first()
    picture = _picture(game) if game else None
    if game and picture:
        owed.update(picture=picture)
        if not Game.objects.filter(pk=game_id, version=game.version).exists():
            Preview.objects.filter(pk=game_id).update(picture=None)  # a player has just deleted their account
    else:
        owed.delete()


def _picture(game: Game) -> bytes | None:
    with translation.override(game.host.reads if game.host else settings.LANGUAGE_CODE):
        seats = sorted(game.seat_set.all(), key=lambda seat: (not seat.won, seat.out, -seat.score))
        rows = [pictures.Row(seat.index or 0, str(seat), seat.score, seat.won) for seat in seats]
    if not all(pictures.can_write(row.name) for row in rows):
        return None
    return pictures.of_result(TITLES[game.title].picture, rows, wording.track(game.title).goal)
