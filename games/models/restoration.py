"""Restored backups."""

from datetime import datetime

from django.db import models


class Restoration(models.Model):
    """The site has gone back to an earlier instant. What happened between the two is lost."""

    back_to = models.DateTimeField()
    """When the backup was made."""
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"back to {self.back_to:%Y-%m-%d %H:%M}"

    @classmethod
    def took_back(cls, since: datetime, until: datetime) -> bool:
        """Whether something that was made between these instants may be lost."""
        return cls.objects.filter(back_to__lt=until, at__gt=since).exists()
