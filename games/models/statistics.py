"""What a user's finished games add up to."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game

ALL = 0
"""Stands for every number of seats."""


class CountedUser(models.Model):
    """A user whose finished games are counted. The lock of this row guards the user's other rows of this module."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    stale = models.BooleanField(default=False)
    """Whether the user's games must be counted again."""

    class Meta:
        indexes = (models.Index(fields=("stale",), condition=Q(stale=True), name="counted_user_stale"),)

    def __str__(self) -> str:
        return f"{self.user_id}"


class Count(models.Model):
    """The columns that `Tally` and `HeadToHead` share."""

    title = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    """The number of seats at the table, or `ALL`."""
    bots = models.BooleanField()
    """Whether bots had seats."""
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    """Games won alone."""
    shared = models.PositiveIntegerField(default=0)
    played = models.PositiveIntegerField(default=0)
    """Games played to the end by the user. Averages are about these."""
    last_at = models.DateTimeField()
    """When the last of the games ended."""

    class Meta:
        abstract = True

    @property
    def lost(self) -> int:
        return self.games - self.won - self.shared


class Tally(Count):
    """A user's finished games of a title, with a number of seats, with or without bots."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    finished = models.PositiveIntegerField(default=0)
    """Games in which the user neither resigned nor was away at the end."""
    timed_out = models.PositiveIntegerField(default=0)
    """Games in which the user's time ran out at least once."""
    first_at = models.DateTimeField()
    last_game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    figures = models.JSONField(default=list)
    """The sum of each of the title's figures (`TitleWords.FIGURES`)."""
    rounds = models.PositiveIntegerField(default=0)
    colours = models.JSONField(default=list)
    """The number of bonuses of each colour."""
    places = models.JSONField(default=list)
    """For each place in the turn order: games, games won or shared, and twelfths of games that an even share is."""
    times = models.JSONField(default=dict)
    """The number of moves by the time that they took, in steps of a quarter of an octave of seconds."""
    streak = models.IntegerField(default=0)
    """The number of games won in a row now, or, negative, lost; a shared victory is won."""
    best_streak = models.PositiveIntegerField(default=0)
    best_streak_game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    """The last game of that streak."""
    most_points = models.PositiveIntegerField(default=0)
    most_points_game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    fewest_rounds = models.PositiveIntegerField(default=0)
    """The rounds of the user's shortest victory; 0 without one."""
    fewest_rounds_game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "title", "seats", "bots"), name="one_tally_of_a_kind"),)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.title} for {self.seats or 'any'}{' with bots' if self.bots else ''}"


class HeadToHead(Count):
    """A user's finished games against another user, or against bots of one strength. Here `won` counts the games in
    which the user ranked higher, and `shared` those in which they ranked equal."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    opponent = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    bot = models.CharField(max_length=20, blank=True, default="")
    points = models.IntegerField(default=0)
    """The user's points in the games that were played to the end."""
    points_of_opponent = models.IntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("user", "title", "seats", "bots", "opponent"), name="one_row_for_each_opponent"
            ),
            models.UniqueConstraint(
                fields=("user", "title", "seats", "bots", "bot"),
                condition=Q(opponent=None),
                name="one_row_for_each_bot",
            ),
            models.CheckConstraint(
                condition=Q(opponent=None) & ~Q(bot="") | Q(opponent__isnull=False, bot=""),
                name="an_opponent_is_a_person_or_a_bot",
            ),
        )
        indexes = (
            models.Index(
                models.F("user"),
                models.F("title"),
                models.F("seats"),
                models.F("bots"),
                models.F("games").desc(),
                models.F("id"),
                name="opponents_by_games",
            ),
            models.Index(
                models.F("user"),
                models.F("title"),
                models.F("seats"),
                models.F("bots"),
                models.F("last_at").desc(),
                models.F("id").desc(),
                name="opponents_by_last_game",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id} against {self.opponent_id or self.bot}"
