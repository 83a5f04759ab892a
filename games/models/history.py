"""What happened at a table."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class Move(models.Model):
    """The n-th decision of a game; written once."""

    class ActorKind(models.TextChoices):
        USER = "user", _("the player")
        LINK = "link", _("the player, from a mail")
        BOT = "bot", _("a bot")
        CARETAKER = "caretaker", _("a bot for the player")

    game = models.ForeignKey(Game, models.CASCADE, related_name="move_set")
    number = models.PositiveIntegerField()
    """Decisions made before it."""
    seat = models.PositiveSmallIntegerField()
    actor = models.CharField(max_length=10, choices=ActorKind)
    notation = models.CharField(max_length=80)
    made_at = models.DateTimeField()
    time_used = models.DurationField(null=True, blank=True)
    waited = models.DurationField(null=True, blank=True)
    """How long it was a bot's to make until a worker began with it."""
    thought = models.DurationField(null=True, blank=True)
    """How long it took from then on; both are for the host."""
    events = models.JSONField(default=list)
    """What came of it, as codes and facts, secrets included: `games.services.history` tells each reader its part."""
    points = models.SmallIntegerField(default=0)
    """How much the score of its seat rose."""
    tokens = models.PositiveSmallIntegerField(default=0)
    """How many tokens that seat held afterwards."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "number"), name="one_move_for_each_number"),)

    def __str__(self) -> str:
        return f"{self.game_id}:{self.number} {self.notation}"


class Incident(models.Model):
    """What else happened at a table: joined, left, started, resigned, a bot failed …"""

    game = models.ForeignKey(Game, models.CASCADE, related_name="incident_set")
    after_number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.game_id}:{self.after_number} {self.kind}"
