"""People who do not want to play with each other."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.models import User


class BlockQuerySet(models.QuerySet["Block"]):
    def among(self, one: User, other: User) -> Self:
        """The blocks of either user against the other."""
        return self.filter(Q(by=one, blocked=other) | Q(by=other, blocked=one))


class Block(models.Model):
    """A person whom another one does not want to play with. The blocked person is never told."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    """The person who blocks."""
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    objects = BlockQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("by", "blocked"), name="one_block_for_each_person"),
            models.CheckConstraint(condition=~Q(by=F("blocked")), name="nobody_blocks_themselves"),
        )

    def __str__(self) -> str:
        return f"{self.by} blocks {self.blocked}"
