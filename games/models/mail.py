"""Notices, their deliveries by mail, invitations, and mail preferences."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models.game import Game


def default_reminders() -> list[str]:
    return ["50", "25", "2h"]


class Preferences(models.Model):
    """A user's mail preferences; a user without a row has the defaults."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    off = models.JSONField(default=list, blank=True)
    """The kinds of notice that are switched off; `all` switches off every kind."""
    delay = models.PositiveSmallIntegerField(default=3)
    """Minutes to wait before mailing about a turn; many turns are over by then."""
    reminders = models.JSONField(default=default_reminders, blank=True)
    """When to remind: when this percentage of the turn's time is left (`50`), or this many hours before the deadline
    (`2h`)."""
    always = models.BooleanField(default=False)
    """Whether to mail about a turn even if the user has just seen it."""
    links = models.BooleanField(default=True)
    """Whether mails include links for making moves."""
    digest_hour = models.PositiveSmallIntegerField(null=True, blank=True)
    """The hour of the user's day at which one mail says what many would have said; `None` if each is sent at once."""
    calendar = models.CharField(max_length=64, blank=True, default="")
    """A digest of the secret in the address of the user's calendar; empty without one."""
    trouble = models.CharField(max_length=300, blank=True, default="")
    """The reason why the last mail did not arrive; empty if no problem is known."""
    trouble_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"preferences of {self.user_id}"

    @classmethod
    def of(cls, user: User) -> Self:
        """The user's preferences, or unsaved defaults."""
        return cls.objects.filter(user=user).first() or cls(user=user)

    def wants(self, kind: str) -> bool:
        """Whether the user wants mails of that kind."""
        return "all" not in self.off and kind not in self.off


class NeverAgain(models.Model):
    """An address whose owner never wants invitations from this site; in lower case."""

    address = models.EmailField(unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.address


class Invitation(models.Model):
    """A seat offered to an address, with or without an account."""

    class Answer(models.TextChoices):
        NONE = "", _("none yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        REVOKED = "revoked", _("withdrawn")

    game = models.ForeignKey(Game, models.CASCADE, related_name="invitation_set")
    address = models.EmailField()
    """In lower case."""
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer, blank=True, default=Answer.NONE)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint("game", Lower("address"), name="one_invitation_for_each_address"),)
        indexes = (
            models.Index(fields=("invited_by", "at"), name="invitation_by_at"),
            models.Index(fields=("address",), name="invitation_address"),
            models.Index(fields=("at",), name="invitation_at"),
        )

    def __str__(self) -> str:
        return f"{self.game_id}: {self.address}"


class NoticeQuerySet(models.QuerySet["Notice"]):
    def due(self, now: datetime) -> Self:
        """Notices to send now that no worker has claimed and no digest will tell: those that expire first, then the
        oldest."""
        claimed = Delivery.objects.filter(notice=models.OuterRef("pk"), claimed_until__gt=now)
        fresh = Q(expires_at=None) | Q(expires_at__gt=now)
        urgent_first = F("expires_at").asc(nulls_last=True)
        return self.filter(~models.Exists(claimed), fresh, closed_at=None, due_at__lte=now, digest=None).order_by(
            urgent_first, "due_at"
        )


class Notice(models.Model):
    """A message owed to a person. It is sent once, or closed with the reason why it was not."""

    class Kind(models.TextChoices):
        TURN = "turn", _("It’s my turn")
        UNFINISHED = "unfinished", _("I left a turn unfinished")
        REMINDER = "reminder", _("My time is running out")
        VACATION = "vacation", _("My time ran out, and a day of vacation began")
        ABSENCE = "absence", _("A player ran out of time (including me)")
        STARTED = "started", _("A game has begun")
        INVITED = "invited", _("Someone invites me")
        FINISHED = "finished", _("A game is over")
        REMATCH = "rematch", _("Someone offers a rematch")
        CLOSED = "closed", _("One of my tables was closed, or I lost my seat")
        DIGEST = "digest", _("The day’s email")
        RESTORED = "restored", _("The site was restored from a backup")
        TEST = "test", _("A test")
        ACCOUNT = "account", _("My account")

    class Outcome(models.TextChoices):
        """How a notice was closed."""

        SENT = "sent", _("sent")
        OUTDATED = "outdated", _("no longer needed")
        UNWANTED = "unwanted", _("switched off")
        SEEN = "seen", _("seen on the site")
        CAPPED = "capped", _("daily limit reached")
        FAILED = "failed", _("couldn’t be sent")

    NEEDLESS = (Outcome.OUTDATED, Outcome.UNWANTED, Outcome.SEEN, Outcome.CAPPED)
    """The outcomes of notices that were closed without a mail, though a mail may have been tried before."""

    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    address = models.EmailField(blank=True, default="")
    """The address of a recipient without an account, in lower case; or of one with an account, if the mail must go
    there even after they change their address; else empty."""
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="notice_set")
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=100)
    """The subject, unique per recipient so that nobody is told twice: `turn:7:42`, `reminder:7:42:50`."""
    facts = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    """When the notice is no longer useful."""
    closed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default="")
    digest = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="told_set", db_index=False)
    """The digest that tells this notice, and is closed with it."""

    objects = NoticeQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("recipient", "key"), name="nobody_is_told_twice"),
            models.UniqueConstraint(
                fields=("address", "key"), condition=~Q(address=""), name="no_address_is_told_twice"
            ),
            models.CheckConstraint(
                condition=Q(recipient__isnull=False) | ~Q(address=""),
                name="a_notice_has_a_person_or_an_address",
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, outcome="") | Q(closed_at__isnull=False) & ~Q(outcome=""),
                name="a_closed_notice_has_an_outcome",
            ),
            models.CheckConstraint(
                condition=~Q(kind="account") | Q(closed_at=None) | Q(facts={}), name="no_code_is_kept"
            ),
        )
        indexes = (
            models.Index(F("due_at"), condition=Q(closed_at=None), name="notice_due"),
            models.Index(F("expires_at"), condition=Q(closed_at=None, expires_at__isnull=False), name="notice_expires"),
            models.Index(
                fields=("outcome", "closed_at"), condition=Q(closed_at__isnull=False), name="notice_outcome_closed"
            ),
            models.Index(fields=("recipient", "-created_at"), name="notice_recipient_created"),
            models.Index(
                fields=("recipient", "-closed_at", "-id"),
                condition=Q(closed_at__isnull=False),
                name="notice_recipient_closed",
            ),
            models.Index(fields=("recipient", "due_at"), condition=Q(closed_at=None), name="notice_recipient_due"),
            models.Index(F("digest"), condition=Q(digest__isnull=False), name="notice_digest"),
            models.Index(F("closed_at"), condition=Q(digest__isnull=False), name="notice_told"),
        )

    def __str__(self) -> str:
        return f"{self.recipient_id or self.address}: {self.key}"

    @cached_property
    def wishes(self) -> Preferences:
        """The preferences of the recipient, as they are when this is first asked; the notice must have one."""
        assert self.recipient
        return Preferences.of(self.recipient)

    @property
    def to(self) -> str:
        """The address that the mail goes to; the notice must have been read with its recipient."""
        return self.address or (self.recipient.email if self.recipient else "")


class Outage(models.Model):
    """While a row exists, the mail server is not answering and all mails wait. There is at most one row."""

    since = models.DateTimeField()
    until = models.DateTimeField()
    """No worker tries before this instant; then one does."""

    def __str__(self) -> str:
        return f"since {self.since:%Y-%m-%d %H:%M}"


class Delivery(models.Model):
    """The delivery of a notice through one channel."""

    class Channel(models.TextChoices):
        MAIL = "mail", _("email")

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="delivery_set")
    channel = models.CharField(max_length=10, choices=Channel, default=Channel.MAIL)
    address = models.EmailField()
    """The address that the mail was sent to."""
    claimed_until = models.DateTimeField(null=True, blank=True)
    """No other worker may claim the delivery before this instant: one is sending, or the next attempt is not due."""
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    result = models.CharField(max_length=300, blank=True, default="")
    """The mail server's last answer, if it refused."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("notice", "channel"), name="one_delivery_for_each_channel"),)
        indexes = (
            models.Index(fields=("claimed_until",), condition=Q(claimed_until__isnull=False), name="delivery_claimed"),
        )

    def __str__(self) -> str:
        return f"{self.notice_id} by {self.channel}"
