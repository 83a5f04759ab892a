"""A game and its seats."""

import secrets
from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models.block import Block

KEY_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def new_key() -> str:
    """A new address for a table: twelve letters and digits that nobody can guess (60 bits) or misread."""
    return "".join(secrets.choice(KEY_LETTERS) for _letter in range(12))


class GameQuerySet(models.QuerySet["Game"]):
    def visible_to(self, user: Any) -> Self:
        """Games that the user may open by their address."""
        if not user.is_authenticated:
            return self.exclude(audience=Game.Audience.SEATS)
        return self.filter(~Q(audience=Game.Audience.SEATS) | _concerning(user))

    def not_done_by(self, user: User) -> Self:
        """Games in which the user has a seat, except cancelled ones, and finished ones whose result they have seen."""
        return self.filter(pk__in=Seat.objects.filter(user=user, seen_end=False).values("game"))

    def writing_to(self, user: User) -> Self:
        """Games with an unanswered invitation to the user's address."""
        return self.filter(invitation_set__address=user.email.lower(), invitation_set__answer="")

    def of(self, user: User) -> Self:
        """Games in which the user has a seat."""
        return self.filter(pk__in=Seat.objects.filter(user=user).values("game"))

    def without(self, user: User) -> Self:
        """Games in which the user has no seat. The database asks this of each game that it would list."""
        return self.filter(~models.Exists(Seat.objects.filter(game=models.OuterRef("pk"), user=user)))

    def without_blocks(self, user: User) -> Self:
        """Games whose host has not blocked the user, nor the user the host."""
        blocked, by = Block.objects.filter(by=user).values("blocked"), Block.objects.filter(blocked=user).values("by")
        return self.exclude(host__in=blocked.union(by, all=True))

    def listed(self) -> Self:
        """Open tables that anybody may join. Only open tables expire, and only these are in the index."""
        return self.filter(status=Game.Status.OPEN, admission=Game.Admission.OPEN, expires_at__isnull=False)

    def public(self) -> Self:
        """Running games that everybody may find and watch. Those of guests are not listed."""
        return self.filter(to_act__isnull=False, audience=Game.Audience.ANYONE).exclude(host__is_guest=True)

    def previewed(self) -> Self:
        """Finished games that everybody may find, with a preview for chats. Those of guests have none."""
        return self.filter(status=Game.Status.FINISHED, audience=Game.Audience.ANYONE).exclude(host__is_guest=True)

    def naming(self, user: User) -> "models.QuerySet[Any, Any]":
        """The row numbers of games with an invitation to the user, by name or by address."""
        by_name = Game.invited.through.objects.filter(user=user).values_list("game", flat=True)
        return by_name.union(self.writing_to(user).values_list("pk", flat=True))

    def inviting(self, user: User) -> Self:
        """Open tables that the user is invited to, by name or by address, and has not joined. Invitations to or from a
        blocked person do not count."""
        waiting = self.filter(pk__in=Game.objects.naming(user), status=Game.Status.OPEN)
        return waiting.without(user).without_blocks(user)

    def waiting_for(self, user: User) -> Self:
        """Running games in which the user is to act, unless a caretaker plays for them."""
        return self.filter(pk__in=Seat.objects.filter(Seat.TO_ACT, user=user).values("game"))

    def unseen_by(self, user: User) -> Self:
        """Finished games whose result the user has not seen."""
        return self.filter(pk__in=Seat.objects.filter(Seat.UNSEEN, user=user).values("game"))

    def most_urgent_first(self) -> Self:
        """Order by deadline, games without one last; among equals, those that have waited longer come first."""
        return self.order_by(F("deadline").asc(nulls_last=True), "changed_at")

    def with_seats(self) -> Self:
        """Prefetch the seats and their users, in turn order."""
        return self.prefetch_related(models.Prefetch("seat_set", queryset=Seat.objects.in_turn_order()))

    def waiting_for_bot(self, now: datetime) -> Self:
        """Running games in which a bot is to act and no worker has claimed the decision."""
        return self.filter(Q(bot_claimed_until=None) | Q(bot_claimed_until__lt=now), bot_to_act__isnull=False)


def _concerning(user: User) -> Q:
    """The condition that the user has a seat or an invitation, or is the host."""
    mine = Q(pk__in=Seat.objects.filter(user=user).values("game"))
    invited = Q(pk__in=Game.invited.through.objects.filter(user=user).values("game"))
    written = Q(pk__in=Game.objects.writing_to(user).values("pk"))
    return mine | invited | written | Q(host=user)


class Game(models.Model):
    """The public half of one play-through; the interface calls it a table."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        ACTIVE = "active", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Ending(models.TextChoices):
        """How a game ended, or why a table closed before its start."""

        PLAYED = "played", _("played to the end")
        RESIGNED = "resigned", _("resigned")
        CANCELLED = "cancelled", _("cancelled")
        EXPIRED = "expired", _("expired")
        ABSENCE = "absence", _("everyone else left")
        AGREED = "agreed", _("stopped by agreement")
        ABANDONED = "abandoned", _("a player never made a first move")

    class Audience(models.TextChoices):
        """The people who may watch."""

        ANYONE = "anyone", _("anyone (the table is listed)")
        LINK = "link", _("anyone with the link")
        SEATS = "seats", _("only the players")

    class Admission(models.TextChoices):
        """The people who may join."""

        OPEN = "open", _("everyone (the table is listed)")
        LINK = "link", _("anyone with the link")
        NAMED = "named", _("only invited players")

    class Pace(models.TextChoices):
        FAST = "fast", _("fast: a game in a few days")
        NORMAL = "normal", _("normal: about two weeks")
        RELAXED = "relaxed", _("relaxed: a month or more")
        DAYS = "days", _("a fixed number of days per turn")
        NONE = "none", _("no time limit")

    class AtZero(models.TextChoices):
        """The table's rule for a player who runs out of time."""

        CARETAKER = "caretaker", _("a bot plays until the player is back")
        FORFEIT = "forfeit", _("the player is out")
        WAIT = "wait", _("the others wait")

    key = models.CharField(max_length=12, unique=True, default=new_key)
    title = models.CharField(max_length=20)
    name = models.CharField(max_length=40, blank=True, default="")
    """The name that the host gave the table."""
    ruleset_version = models.PositiveSmallIntegerField()
    replayable = models.BooleanField(default=True)
    seats = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    ending = models.CharField(max_length=10, choices=Ending, blank=True, default="")
    reason = models.CharField(max_length=20, blank=True, default="")
    """The code of the title for the deciding condition (`Outcome.reason`), if the game was played to its end. Games
    that ended before this was stored have none."""
    number = models.PositiveIntegerField(default=0)
    """The number of decisions made so far; forms, drafts and links name it."""
    version = models.PositiveIntegerField(default=0)
    """Rises with every change to the row; every write compares and sets it."""
    epoch = models.PositiveSmallIntegerField(default=0)
    """How often a restored backup has taken the game back; links and drafts name it."""
    to_act = models.PositiveSmallIntegerField(null=True, blank=True)
    bot_to_act = models.CharField(max_length=20, null=True, blank=True)  # noqa: DJ001 - the index leaves out null
    """The bot that is to act, in its own seat or as a caretaker; `None` if a person is, or nobody."""
    turn_number = models.PositiveIntegerField(default=0)
    """The `number` at which the current turn began; a turn may take several decisions."""
    round = models.PositiveSmallIntegerField(default=1)
    """The current round, or the last one of a finished game."""
    is_last_round = models.BooleanField(default=False)
    """Whether the rules have announced that this round is the last."""
    pace = models.CharField(max_length=10, choices=Pace, default=Pace.NONE)
    days = models.PositiveSmallIntegerField(null=True, blank=True)
    """Days per turn, if the pace is `DAYS`."""
    at_zero = models.CharField(max_length=10, choices=AtZero, default=AtZero.CARETAKER)
    vacations = models.BooleanField(default=True)
    """Whether clocks stop while a player is on vacation."""
    clock_started_at = models.DateTimeField(null=True, blank=True)
    """When the clock of the seat to act started. `None` if no clock is running: without a pace, during a bot's turn, or
    during a pause."""
    deadline = models.DateTimeField(null=True, blank=True)
    """When the clock of the seat to act runs out."""
    quiet = models.JSONField(default=dict, blank=True)
    """The quiet hours of the player to act when the turn began, as fields of `clocks.arithmetic.Quiet`."""
    carried = models.DurationField(default=timedelta(0))
    """Time used for the current decision before the last pause."""
    paused_at = models.DateTimeField(null=True, blank=True)
    bot_claimed_until = models.DateTimeField(null=True, blank=True)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.LINK)
    admission = models.CharField(max_length=10, choices=Admission, default=Admission.LINK)
    invited = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    follows = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="followed_by", related_query_name="followed_by"
    )
    """The earlier game, if this one is its rematch, or replaces it because a player never made a first move."""
    rated = models.BooleanField(default=False)
    """Whether the game counts for ratings. Before the start it is the host's wish."""
    host_begins = models.BooleanField(default=False)
    """Whether the players sit in the order in which they joined, instead of an order that follows from the seed."""
    commitment = models.CharField(max_length=64)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    """When the last decision was made, or, before the start, when the table last changed."""
    expires_at = models.DateTimeField(null=True, blank=True)
    """When an open table closes if it is not full by then."""
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(status="active", to_act__isnull=False) | (~Q(status="active") & Q(to_act__isnull=True)),
                name="a_running_game_has_a_seat_to_act",
            ),
            models.CheckConstraint(condition=Q(to_act=None) | Q(to_act__lt=F("seats")), name="to_act_is_a_seat"),
            models.CheckConstraint(
                condition=Q(bot_to_act=None) | Q(to_act__isnull=False), name="a_bot_acts_only_in_a_running_game"
            ),
            models.CheckConstraint(
                condition=Q(pace="days", days__isnull=False) | (~Q(pace="days") & Q(days=None)),
                name="days_for_a_turn_where_that_is_the_pace",
            ),
            models.CheckConstraint(
                condition=Q(deadline=None) | Q(status="active", clock_started_at__isnull=False, paused_at=None),
                name="only_a_clock_that_runs_has_a_deadline",
            ),
        )
        indexes = (
            models.Index(fields=("host", "-id"), name="game_of_host"),
            models.Index(fields=("deadline",), condition=Q(deadline__isnull=False), name="game_deadline"),
            models.Index(fields=("changed_at",), condition=Q(bot_to_act__isnull=False), name="game_bot_to_act"),
            models.Index(fields=("expires_at",), condition=Q(expires_at__isnull=False), name="game_expires"),
            models.Index(
                fields=("admission", "-created_at", "-id"), condition=Q(expires_at__isnull=False), name="game_listed"
            ),
            models.Index(fields=("audience", "-changed_at", "-id"), condition=Q(to_act__isnull=False), name="game_now"),
        )

    def __str__(self) -> str:
        return f"{self.title} {self.short_key}"

    def is_visible_to(self, user: Any) -> bool:
        """Whether the user may open the game by its address. Takes no query if anybody may."""
        return self.audience != self.Audience.SEATS or Game.objects.visible_to(user).filter(pk=self.pk).exists()

    def concerns(self, user: User) -> bool:
        """Whether the user has a seat or an invitation, or is the host."""
        return Game.objects.filter(_concerning(user), pk=self.pk).exists()

    def expects(self, user: User) -> bool:
        """Whether the user may accept this rematch: they are invited, or have declined or left and may return."""
        refused = self.incident_set.filter(kind__in=("declined", "left"), facts__user=user.pk)
        return self.invited.filter(pk=user.pk).exists() or refused.exists()

    def seat_of(self, user: User | AnonymousUser) -> "Seat | None":
        """The user's seat; `None` for a spectator. Takes no query if the game was read with its seats."""
        return next((seat for seat in self.seat_set.all() if user.pk and seat.user_id == user.pk), None)

    def index_of(self, user: User | AnonymousUser) -> int | None:
        """The index of the user's seat; `None` for a spectator, and for everybody before the game starts."""
        seat = self.seat_of(user)
        return seat.index if seat else None

    @property
    def is_turn_of_bot(self) -> bool:
        """Whether a bot is to act, in its own seat or as a caretaker."""
        return self.bot_to_act is not None

    @property
    def is_active(self) -> bool:
        """Whether the game is running."""
        return self.status == self.Status.ACTIVE

    @property
    def short_key(self) -> str:
        """The beginning of the address, for tables without a name: `#K7Q2`."""
        return f"#{self.key[:4]}"

    @property
    def called(self) -> str:
        """The name of the table, or its short key."""
        return self.name or self.short_key


BOT_NAMES = {
    "beginner": _("Beginner bot"),
    "easy": _("Easy bot"),
    "medium": _("Medium bot"),
    "hard": _("Hard bot"),
    "strongest": _("Strongest bot"),
    "greedy": _("Greedy bot"),
    "random": _("Random bot"),
}
"""The names of the bots that can have a seat."""


class SeatQuerySet(models.QuerySet["Seat"]):
    def in_turn_order(self) -> Self:
        """The seats with their users; before the start, in the order in which they were taken."""
        return self.select_related("user").order_by("index", "pk")


class Seat(models.Model):
    """A seat with its player, a user or a bot. The seed decides the turn order when the game starts."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seat_set")
    index = models.PositiveSmallIntegerField(null=True, blank=True)
    """`None` until the game starts."""
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    bot = models.CharField(max_length=20, blank=True, default="")
    held_until = models.DateTimeField(null=True, blank=True)
    """When a guest loses the seat, unless the game has started or they have confirmed an address by then."""
    caretaker = models.CharField(max_length=20, blank=True, default="")
    """The bot that plays for a user whose time ran out, or who resigned."""
    resigned = models.BooleanField(default=False)
    """Whether the user resigned, so that the seat cannot win."""
    absent_since = models.DateTimeField(null=True, blank=True)
    """When the user's time ran out; `None` again once they return."""
    absent = models.BooleanField(default=False)
    """Whether the user was away too long, so that the seat cannot win even if they return."""
    score = models.IntegerField(default=0)
    won = models.BooleanField(default=False)
    bank = models.DurationField(null=True, blank=True)
    """Time left on the clock when it last started; `None` without a clock."""
    wants_pause = models.BooleanField(default=False)
    wants_stop = models.BooleanField(default=False)
    """Whether the user wants to stop the game without a result."""
    muted = models.BooleanField(default=False)
    """Whether the user has switched off mails about this game."""
    note = models.CharField(max_length=500, blank=True, default="")
    """The user's private note about the game."""
    ended_at = models.DateTimeField(null=True, blank=True)
    """When the game was finished; the same as in its game, so that a player's games are found in this order."""
    seen_end = models.BooleanField(default=False)
    """Whether the user has seen the result, or the game was cancelled and has none."""
    seen_number = models.PositiveIntegerField(default=0)
    """The `number` after the last decision of this seat that was not made in its user's absence; everything later is
    new to the user."""

    TO_ACT = Q(caretaker="", index=F("game__to_act"), game__status=Game.Status.ACTIVE, seen_end=False)
    """The seats whose turn it is, unless a caretaker plays for them. `seen_end` is true only after the end; it lets the
    query use the index of a user's seats that are not done with."""
    UNSEEN = Q(game__status=Game.Status.FINISHED, seen_end=False)
    """The seats whose user has not seen the result of the game."""

    objects = SeatQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=("user",), condition=Q(seen_end=False), name="seat_of_user_not_done"),
            models.Index(
                F("user"),
                F("ended_at").desc(),
                F("game").desc(),
                condition=Q(ended_at__isnull=False),
                name="seat_of_user_ended",
            ),
            models.Index(
                fields=("game",),
                condition=Q(wants_pause=True, ended_at=None) | Q(wants_stop=True, ended_at=None),
                name="seat_asks",
            ),
            models.Index(fields=("game",), condition=Q(absent_since__isnull=False, ended_at=None), name="seat_away"),
            models.Index(fields=("held_until",), condition=Q(held_until__isnull=False, index=None), name="seat_held"),
        )
        constraints = (
            models.UniqueConstraint(fields=("game", "index"), name="one_player_for_each_seat"),
            models.UniqueConstraint(fields=("game", "user"), name="one_seat_for_each_player"),
            models.CheckConstraint(
                condition=Q(user=None) & ~Q(bot="") | Q(user__isnull=False) & Q(bot=""),
                name="a_seat_has_a_person_or_a_bot",
            ),
            models.CheckConstraint(
                condition=Q(caretaker="") | Q(user__isnull=False), name="only_a_person_has_a_caretaker"
            ),
        )

    def __str__(self) -> str:
        """The name to show. Several bots of one strength are numbered in turn order. Takes no query if the game was
        read with its seats."""
        if self.user:
            return self.user.called
        name = str(BOT_NAMES.get(self.bot, self.bot))
        alike = sorted((seat.index or 0, seat.pk) for seat in self.game.seat_set.all() if seat.bot == self.bot)
        if len(alike) < 2:
            return name
        # Translators: one of several bots of the same kind: “Greedy bot 2”.
        return _("%(bot)s %(number)d") % {"bot": name, "number": alike.index((self.index or 0, self.pk)) + 1}

    @property
    def out(self) -> bool:
        """Whether the seat can no longer win."""
        return self.resigned or self.absent

    @property
    def acting_bot(self) -> str:
        """The name of the bot that acts for this seat; empty if its user does."""
        return self.caretaker or self.bot
