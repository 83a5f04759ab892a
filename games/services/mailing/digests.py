"""One mail a day in place of many, for people who want that. A notice that is due then joins the digest of the next day
or hour, unless it cannot wait; it is closed with the digest."""

from datetime import datetime, time, timedelta

from accounts.models import User
from games.models import Notice, Preferences, Seat
from games.services.clocks.arithmetic import DAY
from games.services.clocks.moment import now
from games.services.outbox import notices

Kind = Notice.Kind
PATIENT = (
    Kind.TURN,
    Kind.UNFINISHED,
    Kind.ABSENCE,
    Kind.STARTED,
    Kind.INVITED,
    Kind.FINISHED,
    Kind.REMATCH,
    Kind.CLOSED,
)
"""The kinds of notice that can wait for a digest."""
TIME_TO_ACT = timedelta(hours=6)
"""The least time between a digest and a deadline that it tells about."""
CLOSING_TIME = timedelta(minutes=5)
"""A digest takes no more notices in the last minutes before it is due, since clocks of machines differ."""


def collect(notice: Notice) -> bool:
    """Let the notice join a digest, if its recipient wants one and it can wait; return whether it does. It must have
    been read with its recipient and its game."""
    user = notice.recipient
    if user is None or notice.kind not in PATIENT:
        return False
    hour = notice.wishes.digest_hour
    if hour is None:
        return False
    due = next_due(user, hour)
    if _is_urgent(notice, due):
        return False
    Notice.objects.filter(pk=notice.pk, closed_at=None).update(digest=_at(user, due), due_at=due)
    return True


def next_due(user: User, hour: int) -> datetime:
    """When the next digest is due that still takes notices, by the user's clock."""
    earliest = now() + CLOSING_TIME
    today = earliest.astimezone(user.zone).date()
    days = (datetime.combine(today + number * DAY, time(hour), user.zone) for number in (0, 1))
    return min(due for due in days if due >= earliest)


def rearrange(user: User) -> None:
    """Let what waits for a digest wait for that of the hour that the user wants now, if it still can; without digests,
    it is sent at once."""
    hour = Preferences.of(user).digest_hour
    for old in Notice.objects.filter(recipient=user, kind=Kind.DIGEST, closed_at=None):
        if old.due_at.astimezone(user.zone).hour == hour:
            continue
        waiting = Notice.objects.filter(digest=old, closed_at=None).select_related("recipient", "game")
        released = list(waiting)
        waiting.update(digest=None, due_at=now())
        Notice.objects.filter(pk=old.pk).update(closed_at=now(), outcome=Notice.Outcome.OUTDATED)
        for notice in released:
            collect(notice)
    notices.dispatch_soon()


def _is_urgent(notice: Notice, due: datetime) -> bool:
    """Whether the mail would come too late with a digest at that instant."""
    game = notice.game
    if game is None:
        return False
    if notice.kind == Kind.ABSENCE:
        return Seat.objects.filter(game=game, user=notice.recipient, index=notice.facts["seat"]).exists()
    deadline = game.deadline if notice.kind in notices.OF_TURN else game.expires_at
    return deadline is not None and deadline < due + TIME_TO_ACT


def _at(user: User, due: datetime) -> Notice:
    """The user's digest that is due at that instant."""
    key = f"digest:{due.timestamp():.0f}"
    notices.owe(Kind.DIGEST, user, key=key, due_at=due)
    kept = Notice.objects.filter(recipient=user, key=key)
    kept.update(closed_at=None, outcome="")
    return kept.get()
