"""The picture that chats show beside a link to a finished game."""

from typing import Self

from django.db import models
from django.db.models import Q

from games.models.game import Game


class PreviewQuerySet(models.QuerySet["Preview"]):
    def shown(self) -> Self:
        """Drawn previews of games that everybody may find."""
        return self.filter(
            models.Exists(Game.objects.previewed().filter(pk=models.OuterRef("game"))), picture__isnull=False
        )


class Preview(models.Model):
    """The preview of a game that everybody could find when it ended."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="+")
    picture = models.BinaryField(null=True)
    """The bytes of a PNG file; `None` until a worker has drawn it."""

    objects = PreviewQuerySet.as_manager()

    class Meta:
        indexes = (models.Index(fields=("game",), condition=Q(picture=None), name="preview_owed"),)

    def __str__(self) -> str:
        return f"the preview of game {self.pk}"
