"""The rows of the page about a user's mails, in words."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import F, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from games.models import Delivery, Game, Notice
from games.services.clocks.moment import now

MAX_NOTICES = 30
Kind, Outcome = Notice.Kind, Notice.Outcome
WHY_NOT = {
    Outcome.OUTDATED: gettext_lazy("Not sent: it was out of date."),
    Outcome.UNWANTED: gettext_lazy("Not sent: you switched these emails off, or muted this game."),
    Outcome.SEEN: gettext_lazy("Not sent: you were looking at the table."),
    Outcome.CAPPED: gettext_lazy("Not sent: the daily limit was reached."),
}
TURN_OVER = gettext_lazy("Not sent: the turn was already over.")
EXPIRED = gettext_lazy("Not sent: it would have come too late.")
ABOUT_TURN = (Kind.TURN, Kind.UNFINISHED, Kind.REMINDER)


@dataclass(frozen=True)
class NoticeRow:
    """One notice, which must have been read with its game and its deliveries."""

    notice: Notice
    leads_there: bool
    """Whether the reader may open the notice's game, if it has one."""

    @cached_property
    def delivery(self) -> Delivery | None:
        return next(iter(self.notice.delivery_set.all()), None)

    @property
    def attempts(self) -> int:
        return self.delivery.attempts if self.delivery else 0

    @property
    def said(self) -> str:
        """The mail server's reason for refusing the mail."""
        return translation.gettext(self.delivery.result) if self.delivery and self.delivery.result else ""

    @property
    def is_sent(self) -> bool:
        return self.notice.outcome == Outcome.SENT

    @property
    def is_wrong(self) -> bool:
        """Whether the user should look into it."""
        return bool(self.said) or self.notice.outcome == Outcome.FAILED

    @property
    def fate(self) -> str:
        """The current state of the notice, or its next step."""
        if self.notice.closed_at is None:
            return self._outlook
        if self.is_sent:
            if self.delivery is None:
                return _("Sent with the daily email.")
            text = _("Sent to %(address)s, but it came back.") if self.said else _("Sent to %(address)s.")
            return text % {"address": self.delivery.address}
        if self.notice.outcome == Outcome.FAILED:
            times = self.attempts or 1  # what was to go with the day's email has none of its own
            text = ngettext(
                "Not sent: the mail server refused it.", "Not sent: we gave up after %(n)d attempts.", times
            )
            return text % {"n": times}
        if self.notice.kind == Kind.ACCOUNT and self.notice.outcome == Outcome.OUTDATED:
            return str(EXPIRED)
        if self.notice.outcome == Outcome.OUTDATED and self.notice.kind in ABOUT_TURN:
            return str(TURN_OVER)
        return str(WHY_NOT[Outcome(self.notice.outcome)])

    @property
    def _outlook(self) -> str:
        if self.said:
            return ngettext(
                "The mail server refused it. We’ll try again.",
                "The mail server refused it %(n)d times. We’ll try again.",
                self.attempts,
            ) % {"n": self.attempts}
        if self.attempts:
            return _("On its way.")
        if self.notice.digest_id:
            return _("Will be sent with the daily email.")
        if self.notice.kind == Kind.DIGEST:
            return _("Will be sent then, if there’s still something to tell.")
        if self.notice.kind in ABOUT_TURN:
            return _("Will be sent then, if it’s still your turn.")
        if self.notice.kind in (Kind.INVITED, Kind.REMATCH) and self.notice.due_at > now():
            return _("Will be sent then, if the seat is still offered.")
        return _("Being sent now.")

    @property
    def at(self) -> datetime:
        """When the notice was closed, or when it is to be sent."""
        if self.notice.closed_at:
            return self.notice.closed_at
        waits_until = self.delivery.claimed_until if self.delivery and self.said else None
        return waits_until or self.notice.due_at


@dataclass(frozen=True)
class Deliveries:
    """The rows of each list."""

    reader: User

    @cached_property
    def coming(self) -> list[NoticeRow]:
        """Notices that are still to be sent, in the order of sending."""
        return self._rows(self._mine.filter(closed_at=None).order_by("due_at"))

    @cached_property
    def past(self) -> list[NoticeRow]:
        """Closed notices, newest first, without those that were never due."""
        needless = Q(outcome=Outcome.OUTDATED, closed_at__lt=F("due_at"))
        past = self._mine.filter(closed_at__isnull=False).exclude(needless)
        return self._rows(past.order_by("-closed_at", "-pk"))

    @property
    def _mine(self) -> QuerySet[Notice]:
        mine = Notice.objects.filter(recipient=self.reader)
        return mine.select_related("game").prefetch_related("delivery_set")

    def _rows(self, notices: QuerySet[Notice]) -> list[NoticeRow]:
        found = list(notices[:MAX_NOTICES])
        private = [each.game.pk for each in found if each.game and each.game.audience == Game.Audience.SEATS]
        mine = Game.objects.visible_to(self.reader).filter(pk__in=private).values_list("pk", flat=True)
        closed = {*private} - {*mine}
        return [NoticeRow(notice, leads_there=notice.game_id not in closed) for notice in found]
