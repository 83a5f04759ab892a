"""The secret half of a game. The import contracts say which modules may read or write it."""

from django.db import models

from games.models.game import Game


class Position(models.Model):
    """The secret half of a game: the dumped state, with the seed. A table of its own, so that lists never load it."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="+")
    state = models.JSONField()

    def __str__(self) -> str:
        return f"position of {self.game_id}"
