"""Does everything that is due, and deletes old data. It is safe to run at any time, twice, or late."""

import logging
from collections import Counter
from collections.abc import Callable
from functools import partial

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q
from kombu.exceptions import OperationalError

from games.models import Game, GameQuerySet, Preview, Seat
from games.services.absence import pauses, timeouts
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.moderation import announcements
from games.services.outbox import notices
from games.services.privacy import archives, deletion
from games.services.ratings import counting
from games.services.statistics import counting as statistics
from games.services.tables import guests, invitations, reports, tables
from games.services.versions import writing
from games.services.work import bot_queues, first_moves, leases, previews

log = logging.getLogger(__name__)

MAX_BOTS_WOKEN = 8
"""The maximum number of games that one sweep hands to the bots of a queue."""
MAX_PREVIEWS_DRAWN = 8
"""The maximum number of previews that one sweep draws; each takes a few hundredths of a second."""
MAX_GAMES_TENDED = 200
"""The maximum number of games whose clocks one sweep checks."""
GUESTS_AT_ONCE = 100
"""The maximum number of idle guests that one task deletes."""
LAST = "sweep:last"
"""The key in the cache of the time when the last sweep began."""


def tend(game_id: int) -> None:
    """Apply the rules for players who ran out of time or have been away too long. If a bot is to act and no worker has
    claimed the decision, let it think. Draw the preview of a finished game. Do what all players still there have agreed
    to."""
    game = Game.objects.with_seats().filter(pk=game_id).first()
    if game is None:
        return
    if game.status == Game.Status.FINISHED:
        previews.draw(game_id)
    _let_time_pass(game)
    pauses.settle(game)
    for bot in bot_queues.waiting(Game.objects.filter(pk=game_id), now()):
        _let_think(bot)


def _let_think(bot: bot_queues.WaitingBot) -> None:
    queue = bot_queues.queue(bot.name)
    current_app.send_task("games.tasks.think", [bot.game, queue], queue=queue, expires=writing.REQUEST_SECONDS)


def _let_time_pass(game: Game) -> None:
    """Apply the rules for players who ran out of time or have been away too long to a game that was just read with its
    seats."""
    is_left = any(seat.absent_since and not seat.ended_at and not seat.absent for seat in game.seat_set.all())
    if game.deadline:
        timeouts.time_out(game, just_read=True)
    if is_left:
        timeouts.settle(game, just_read=True)


def take_turn() -> None:
    """Sweep, unless another sweep is running or has just begun."""
    if until := leases.take():
        try:
            sweep()
        finally:
            leases.give_back(until)


def sweep() -> None:
    """Do everything that is due, including lost work: mails, tables that did not fill, clocks that ran out, people who
    stay away, previews, ratings and statistics after a voided game, games that wait for a bot."""
    cache.set(LAST, now().isoformat(), timeout=None)
    for duty in (
        tables.expire,
        guests.free_seats,
        first_moves.renew,
        invitations.remind,
        deliveries.dispatch,
        archives.make_owed,
    ):
        _safely(duty)
    _safely(announcements.refresh)
    for game in due().with_seats().most_urgent_first()[:MAX_GAMES_TENDED]:
        _safely(partial(_let_time_pass, game))
        _safely(partial(pauses.settle, game))
    for pk in Preview.objects.filter(picture=None).values_list("pk", flat=True)[:MAX_PREVIEWS_DRAWN]:
        _safely(partial(previews.draw, pk))
    woken = Counter[str]()
    for bot in bot_queues.waiting(Game.objects.all(), now()):
        woken[bot_queues.queue(bot.name)] += 1
        if woken[bot_queues.queue(bot.name)] <= MAX_BOTS_WOKEN and not _safely(partial(_let_think, bot)):
            break
    # These come last, because they take long after a game with many later ones was voided.
    for duty in (counting.count_stale, statistics.count_stale):
        _safely(duty)


def due() -> GameQuerySet:
    """The running games whose clocks have run out, whose players have been away too long but are not out yet, or in
    which all have asked for a pause or an end. Whether a caretaker has decided too often is asked after each of its
    decisions."""
    at = now()
    over = Game.objects.filter(deadline__lte=at).values("pk")
    gone = {"absent_since__isnull": False, "absent_since__lte": at - timeouts.CARETAKER_GRACE}
    left = Seat.objects.filter(**gone, ended_at=None, absent=False).values("game")
    asked = Seat.objects.filter(Q(wants_pause=True, ended_at=None) | Q(wants_stop=True, ended_at=None)).values("game")
    still = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False, caretaker="")
    all_pause = Q(~Exists(still.filter(wants_pause=False)), paused_at=None)
    all_stop = Q(~Exists(still.filter(wants_stop=False)))
    agreed = Game.objects.filter(all_pause | all_stop, pk__in=asked).values("pk")
    return Game.objects.filter(pk__in=over.union(left, agreed, all=True), status=Game.Status.ACTIVE)


def forget() -> None:
    """Delete old data, except guests."""
    for duty in (archives.forget, invitations.forget, reports.forget, notices.forget):
        _safely(duty)


def forget_guests(after: int = 0) -> int | None:
    """Delete the next idle guests whose ids are greater. Returns the last id if there may be more of them."""
    guests_ = list(deletion.idle_guests().filter(pk__gt=after).order_by("pk")[:GUESTS_AT_ONCE])
    last = guests_[-1].pk if len(guests_) == GUESTS_AT_ONCE else None
    for guest in guests_:
        _safely(partial(deletion.forget_guest, guest))
    return last


def _safely(duty: Callable[[], object]) -> bool:
    """Do the duty and log any error, so that it cannot stop the others; return whether the broker answered."""
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
