from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names, zones


class Theme(models.TextChoices):
    AUTO = "auto", _("Same as device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Offence(models.TextChoices):
    """Why an account is suspended; completes “Your account is suspended for …”."""

    NAME = "name", _("a name that offends or misleads")
    ABUSE = "abuse", _("insults or harassment")
    UNFAIR = "unfair", _("unfair play")
    SPAM = "spam", _("unwanted invitations or advertising")
    OTHER = "other", _("breaking the rules of this site")


class User(AbstractUser):
    username = models.CharField(
        _("user name"),
        max_length=names.MAX_NAME_LENGTH,
        unique=True,
        validators=[names.validate],
        error_messages={"unique": _("This name, or one that looks like it, is taken.")},
    )
    # Unique, so no two names look alike; `save` fills it in.
    name_key = models.CharField(max_length=80, unique=True, editable=False)
    email = models.EmailField(_("address"))
    # A guest plays without an account: they have no address and no password, and their name is not their own.
    is_guest = models.BooleanField(default=False, editable=False)
    # An IANA name; empty until the browser sends it or the user chooses one.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    # A code from LANGUAGES; empty means the browser's language.
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    # The language of the newest page that followed the browser; mails use it.
    seen_language = models.CharField(max_length=10, default=settings.LANGUAGE_CODE, editable=False)
    theme = models.CharField(_("theme"), max_length=5, choices=Theme, default=Theme.AUTO)
    movement = models.BooleanField(_("animate moves"), default=True)
    # Whether the first games against bots of each title show hints; "Turn off hints" ends them for good.
    hints = models.BooleanField(default=True, editable=False)
    sound = models.BooleanField(_("play a sound when it’s my turn"), default=False)
    in_leaderboards = models.BooleanField(_("show me in leaderboards"), default=True)
    # What the profile shows besides the name. People whom the user has played with see as much as with an open profile.
    open_profile = models.BooleanField(_("show my ratings and games to players I haven’t played with"), default=False)
    shows_statistics = models.BooleanField(_("show my statistics on my profile"), default=False)
    shows_pace = models.BooleanField(_("show how fast I usually answer"), default=False)
    # No clock runs out during quiet hours. They cross midnight if they start later than they end; both fields may be
    # empty.
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    days_off = models.JSONField(default=list, blank=True)
    """Days of the week on which the user's clocks stop; Monday is 0."""
    automatic_vacation = models.BooleanField(default=False)
    """Whether a day of vacation begins when one of the user's clocks runs out."""
    # The end of the newest vacation; saves a query for users without one.
    away_until = models.DateTimeField(null=True, blank=True, editable=False)
    # A suspension ends by itself at this instant; its fields stay until the next one, or until staff lift it.
    suspended_until = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_for = models.CharField(max_length=10, choices=Offence, blank=True, default="", editable=False)
    suspension_note = models.CharField(max_length=300, blank=True, default="", editable=False)

    class Meta(AbstractUser.Meta):
        indexes = (
            models.Index(fields=("date_joined",), condition=models.Q(last_login=None), name="user_never_logged_in"),
            models.Index(fields=("date_joined",), condition=models.Q(is_guest=True), name="user_guests"),
        )
        constraints = [  # noqa: RUF012
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="accounts_user_email_unique",
                violation_error_message=_("Another account has this address."),
            ),
            models.CheckConstraint(
                condition=models.Q(quiet_from=None, quiet_until=None)
                | models.Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="quiet_hours_begin_and_end",
            ),
            models.CheckConstraint(
                condition=models.Q(is_guest=False) | models.Q(email=""), name="guests_have_no_address"
            ),
            models.CheckConstraint(
                condition=models.Q(suspended_until=None, suspended_for="")
                | models.Q(suspended_until__isnull=False) & ~models.Q(suspended_for=""),
                name="a_suspension_has_a_reason",
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        # An older name keeps its key, even if other names look like it today.
        if self._state.adding or "username" in (kwargs.get("update_fields") or ()):
            self.name_key = names.skeleton(self.username)
        super().save(*args, **kwargs)

    @property
    def called(self) -> str:
        """The name to show, in the reader's language."""
        if self.is_guest:
            # Translators: the name of a player without an account: “Guest 4821”.
            return gettext("Guest %(number)s") % {"number": self.username.removeprefix(names.GUEST)}
        if self.username.startswith(names.DELETED):
            # Translators: the name of a player who deleted their account: “Deleted player 4821”.
            return gettext("Deleted player %(number)s") % {"number": self.username.removeprefix(names.DELETED)}
        return self.username

    @property
    def is_suspended(self) -> bool:
        """Whether the user may neither log in nor act now."""
        return self.suspended_until is not None and self.suspended_until > timezone.now()

    @property
    def reads(self) -> str:
        """The language of mails to the user."""
        return self.language or self.seen_language

    @property
    def zone(self) -> ZoneInfo:
        return zones.find(self.time_zone)


class Counter(models.Model):
    """A counter of requests that guards accounts. It holds even while the cache does not answer."""

    key = models.CharField(max_length=250, primary_key=True)
    value = models.JSONField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key


class RecoveryCode(models.Model):
    """A code with which a member of staff may add a passkey, once. Codes are as random as keys, so a plain hash keeps
    them safe."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"a code of {self.user_id}"
