"""What a game is owed, done whenever somebody looks: safe at any time, twice, or late."""

import logging
from collections.abc import Callable
from functools import partial

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import Q
from kombu.exceptions import OperationalError

from games.models import Game, Seat
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.tables import invitations, tables

log = logging.getLogger(__name__)

EXPIRES = 60.0
"""Seconds after which a request to think is dropped unread; the sweep makes others."""
BOTS_AT_ONCE = 8
"""Games that one sweep hands to the bots at most."""
AT_ONCE = 200
"""Games whose clocks one sweep looks after at most."""
AWAY = Q(absent_since__isnull=False, absent=False)
"""Seats whose owners may come back as if nothing had happened, or may have been away too long."""


def tend(game_id: int) -> None:
    """See whose time is up and who has been away too long; have the bot think, if one is to act and none is at it."""
    game = Game.objects.filter(pk=game_id, status=Game.Status.ACTIVE).first()
    if game is None:
        return
    if game.deadline is not None and game.deadline <= now():
        timeouts.time_out(game)
    if Seat.objects.filter(AWAY, game=game).exists():
        timeouts.settle(game)
    if Game.objects.waiting_for_bot(now()).filter(pk=game_id).exists():
        current_app.send_task("games.tasks.think", [game_id], expires=EXPIRES)


def sweep() -> None:
    """Tend what is due, and what was lost on the way: mails, tables that nobody filled, clocks that ran out, people who
    stay away, games whose bot nobody woke."""
    for duty in (tables.expire, invitations.remind, deliveries.dispatch):
        _safely(duty)
    over = Game.objects.filter(status=Game.Status.ACTIVE, deadline__lte=now())
    left = Game.objects.filter(pk__in=Seat.objects.filter(AWAY, game__status=Game.Status.ACTIVE).values("game"))
    for game in (over | left).most_urgent_first()[:AT_ONCE]:
        _safely(partial(tend, game.pk))
    waiting = Game.objects.waiting_for_bot(now()).order_by("changed_at")
    for game in waiting[:BOTS_AT_ONCE]:
        if not _safely(partial(tend, game.pk)):
            return


def _safely(duty: Callable[[], object]) -> bool:
    """Do that whatever comes of it, for one duty must not hold up the others; whether a broker was there."""
    try:
        duty()
    except OperationalError:
        log.warning("No broker: this waits for the next sweep.")
        return False
    except SoftTimeLimitExceeded:
        raise
    except Exception:
        log.exception("A duty of the sweep failed.")
    return True
