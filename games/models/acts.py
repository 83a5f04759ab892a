"""What members of staff do, and say to everybody."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.moderation import Report


class ActQuerySet(models.QuerySet["Act"]):
    """Acts are written once."""

    def update(self, **fields: Any) -> int:
        raise NotImplementedError("acts are never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise NotImplementedError("acts are never deleted")


class Act(models.Model):
    """Something that a member of staff did about a person or a table; written once."""

    class Kind(models.TextChoices):
        APPOINTED = "appointed", _("made a member of staff")
        DISMISSED = "dismissed", _("no longer a member of staff")
        RENAMED = "renamed", _("renamed")
        TABLE_RENAMED = "table_renamed", _("table renamed")
        SUSPENDED = "suspended", _("suspended")
        LIFTED = "lifted", _("suspension lifted")
        VOIDED = "voided", _("game no longer rated")
        REPORT_CLOSED = "report_closed", _("report closed")

    staff = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    """Who did it; `None` for the operator, by a command."""
    kind = models.CharField(max_length=20, choices=Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    """Whom it was about: for a table its host, for a report the author of the text."""
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    report = models.ForeignKey(Report, models.SET_NULL, null=True, related_name="+")
    """The report that it closes; a report without such an act is open."""
    reason = models.CharField(max_length=300, blank=True, default="")
    facts = models.JSONField(default=dict)
    """The names `before` and `after`, or the `offence` and the end (`until`) of a suspension."""
    at = models.DateTimeField()

    objects = ActQuerySet.as_manager()

    class Meta:
        indexes = (models.Index(fields=("user", "-at"), name="act_user_at"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.user_id or self.game_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk:
            raise NotImplementedError("acts are never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise NotImplementedError("acts are never deleted")


class Announcement(models.Model):
    """A line on every page. There is at most one row."""

    texts = models.JSONField()
    """The line in each language that has one, by code; English for all others."""
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"until {self.until:%Y-%m-%d %H:%M}"
