"""Reports to the operator."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class Report(models.Model):
    """A text that a person has reported to the operator. It keeps a copy of what it is about, because names change and
    people and tables go."""

    class Kind(models.TextChoices):
        """The kinds of text that other people can see."""

        USER_NAME = "user_name", _("user name")
        TABLE_NAME = "table_name", _("name of a table")

    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.CharField(max_length=80)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    """The person who wrote the text."""
    author_name = models.CharField(max_length=80)
    """Their user name at the time."""
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    """The table at which the reporter saw the text; `None` if they saw it on the author's profile."""
    table = models.CharField(max_length=12, blank=True, default="")
    """The key of that table."""
    sentence = models.CharField(max_length=300, blank=True, default="")
    """What the reporter adds."""
    at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(fields=("reporter", "at"), name="report_by_at"),
            models.Index(fields=("at",), name="report_at"),
        )

    def __str__(self) -> str:
        return f"{self.text} by {self.author_name}, reported by {self.reporter}"
