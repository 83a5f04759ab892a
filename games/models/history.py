"""The history of a game."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class Move(models.Model):
    """The n-th decision of a game; written once."""

    class ActorKind(models.TextChoices):
        USER = "user", _("the player")
        LINK = "link", _("the player, from an email")
        BOT = "bot", _("a bot")
        CARETAKER = "caretaker", _("a bot for the player")

    game = models.ForeignKey(Game, models.CASCADE, related_name="move_set")
    number = models.PositiveIntegerField()
    """The number of decisions made before this one."""
    seat = models.PositiveSmallIntegerField()
    actor = models.CharField(max_length=10, choices=ActorKind)
    notation = models.CharField(max_length=80)
    made_at = models.DateTimeField()
    time_used = models.DurationField(null=True, blank=True)
    waited = models.DurationField(null=True, blank=True)
    """How long a bot's decision waited for a worker; `None` for a person's decision."""
    thought = models.DurationField(null=True, blank=True)
    """How long the bot took after that. `bots_status` reports both."""
    events = models.JSONField(default=list)
    """Its events as codes and facts, secrets included; `games.services.play.history` shows each reader their part."""
    points = models.SmallIntegerField(default=0)
    """The points that its seat gained."""
    tokens = models.PositiveSmallIntegerField(default=0)
    """The number of tokens that its seat held afterwards."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "number"), name="one_move_for_each_number"),)

    def __str__(self) -> str:
        return f"{self.game_id}:{self.number} {self.notation}"


class Incident(models.Model):
    """Anything else that happened at a table: somebody joined, left, resigned; a bot failed …"""

    game = models.ForeignKey(Game, models.CASCADE, related_name="incident_set")
    after_number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.game_id}:{self.after_number} {self.kind}"
