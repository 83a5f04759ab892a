"""The consequences of restoring a backup. The time after the backup is a lost time line: people have seen positions,
received mails and opened links that the database knows nothing about."""

from datetime import datetime

from django.db import connection, transaction
from django.db.models import F

from accounts.models import User
from games.models import Game, Notice, Restoration, Seat
from games.services.clocks import running
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.versions import writing

LEAP = 1_000_000
"""More than the rows of a table, and the changes of a game, that a lost time line can have made."""


def went_back(back_to: datetime) -> None:
    """Begin a new time line in a database that was just restored from a backup of that instant; the site isn't running.

    Links and drafts of the lost one are refused from now on, and open pages are out of date. Clocks go on with the time
    that they had left at the backup. Mails due before it are not sent again; everybody in a running game gets one that
    tells of the restoration.
    """
    with transaction.atomic():
        at = now()
        restoration = Restoration.objects.create(back_to=back_to, at=at)
        lost = at - back_to
        unfinished = Game.objects.filter(status__in=(Game.Status.OPEN, Game.Status.ACTIVE))
        unfinished.update(epoch=F("epoch") + 1, version=F("version") + LEAP, bot_claimed_until=None)
        unfinished.update(expires_at=F("expires_at") + lost)
        away = Seat.objects.filter(game__in=unfinished, absent_since__isnull=False)
        away.update(absent_since=F("absent_since") + lost)
        held = Seat.objects.filter(game__in=unfinished, held_until__isnull=False)
        held.update(held_until=F("held_until") + lost)
        overdue = Notice.objects.filter(closed_at=None, due_at__lt=back_to)
        overdue.filter(key=notices.FAREWELL).delete()
        # Their facts may be a code.
        overdue.filter(kind=Notice.Kind.ACCOUNT).update(facts={}, closed_at=at, outcome=Notice.Outcome.OUTDATED)
        overdue.update(closed_at=at, outcome=Notice.Outcome.OUTDATED)
        for game in list(Game.objects.filter(deadline__isnull=False).with_seats()):
            _stop_the_clock_between(game, back_to, at)
        seats = Seat.objects.filter(game__status=Game.Status.ACTIVE)
        key, instant = f"restored:{restoration.pk}", back_to.isoformat()
        for user in User.objects.filter(pk__in=seats.values("user")):
            notices.owe(Notice.Kind.RESTORED, user, key=key, due_at=at, back_to=instant)
        _leap()


def _stop_the_clock_between(game: Game, start: datetime, end: datetime) -> None:
    seat = next(seat for seat in game.seat_set.all() if seat.index == game.to_act)
    clock = running.kept(game, seat, start)
    seat.bank = clock.left
    Seat.objects.filter(pk=seat.pk).update(bank=clock.left)
    writing.change(game, carried=clock.used, **running.restart(game, seat, end))
    notices.deadline_moved(game, seat)


def _leap() -> None:
    """Skip the numbers of the rows that the lost time line may have made, because links and mails name rows by them."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s", [LEAP])
            return
        cursor.execute(
            "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, coalesce(last_value, 1) + %s)"
            " FROM pg_sequences WHERE schemaname = current_schema()",
            [LEAP],
        )
