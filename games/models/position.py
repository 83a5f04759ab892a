"""The secret half of a game. The import contracts say which modules may read or write it."""

from django.db import models

from games.models.game import Game, new_key


class Position(models.Model):
    """The secret half of a game: the dumped state, with the seed. A table of its own, so that lists never load it."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="+")
    state = models.JSONField()

    def __str__(self) -> str:
        return f"position of {self.game_id}"


class Deal(models.Model):
    """A set-up that the first page offers for a first move, until somebody plays it. Its seed is as secret as that of a
    game."""

    key = models.CharField(max_length=12, unique=True, default=new_key)
    title = models.CharField(max_length=20)
    seed = models.CharField(max_length=64)
    made_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"deal {self.key}"
