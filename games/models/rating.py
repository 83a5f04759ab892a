"""Ratings of people."""

from django.conf import settings
from django.db import models

from games.models.game import Seat


class Pool(models.Model):
    """Ratings that compare with each other: those of a title and a number of seats, from games with or without bots."""

    title = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    bots = models.BooleanField()
    """Whether bots play along; their ratings are fixed."""
    stale_since = models.DateTimeField(null=True, blank=True)
    """Games that ended at this instant or later must be counted again."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("title", "seats", "bots"), name="one_pool_of_each_kind"),)
        indexes = (
            models.Index(fields=("stale_since",), condition=models.Q(stale_since__isnull=False), name="pool_stale"),
        )

    def __str__(self) -> str:
        return f"{self.title} for {self.seats}{' with bots' if self.bots else ''}"


class Rating(models.Model):
    """A person's present rating in a pool; `RatingChange` has its history."""

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    points = models.FloatField()
    uncertainty = models.FloatField()
    """The standard deviation of the points."""
    games = models.PositiveIntegerField()
    """How many games it rests on."""
    played_at = models.DateTimeField()
    """When the last of these games ended."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("pool", "user"), name="one_rating_in_each_pool"),)
        indexes = (models.Index(fields=("pool", "-points"), name="rating_pool_points"),)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.pool}: {self.points:.0f}"


class RatingChange(models.Model):
    """What a rated game did to the rating of a seat. A bot's rating stays, and is kept here because a later release may
    fix another one."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True, related_name="rating_change")
    pool = models.ForeignKey(Pool, models.CASCADE, related_name="+")
    ended_at = models.DateTimeField()
    """When the game ended; games count in the order of this instant and their number."""
    points_before = models.FloatField()
    points = models.FloatField()
    uncertainty = models.FloatField()
    weight = models.FloatField()
    """The share of the change that counted."""

    class Meta:
        indexes = (models.Index(fields=("pool", "ended_at"), name="rating_change_pool_ended"),)

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.points_before:.0f} to {self.points:.0f}"
