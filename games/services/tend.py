"""What a game is owed, done whenever somebody looks: safe at any time, twice, or late."""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from random import Random
from typing import Any

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import Q
from kombu.exceptions import OperationalError

from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Incident, Seat
from games.rules.base import Action, Refusal
from games.services import absence, deliveries, invitations, play, rows, tables
from games.services.moment import now

log = logging.getLogger(__name__)

SUBSTITUTES = ("greedy", "random")
"""Who decides when a bot fails, in order."""
CHANCES = 2
"""How often a bot may choose what the rules refuse, or let its claim run out, before another one decides."""
PATIENCE = ceil(CHANCES * settings.BOT_SECONDS) + 4
"""Seconds after which one that thinks on is interrupted; its substitutes have the rest of the lease."""
LEASE = timedelta(seconds=PATIENCE + 20)
"""How long a bot's claim on a decision holds; after that another worker may think about it."""
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
        absence.time_out(game)
    if Seat.objects.filter(AWAY, game=game).exists():
        absence.settle(game)
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


def think(game_id: int) -> None:
    """Claim the decision, choose from what the seat may see, and play it: exactly one move, however often this runs."""
    began = now()
    waiting = Game.objects.waiting_for_bot(began).filter(pk=game_id)
    game = waiting.first()
    if game is None:
        return
    unchanged = waiting.filter(version=game.version, bot_claimed_until=game.bot_claimed_until)
    if not unchanged.update(bot_claimed_until=began + LEASE):
        return
    number, seat = game.number, Seat.objects.get(game=game, index=game.to_act)
    program = replace(play.PROGRAM, asked=since(game, seat), began=began)
    if game.bot_claimed_until:
        log.warning("Nothing came of a bot's claim on game %s.", game.pk)
        rows.record(game, "bot_silent", seat.index)
    silent = Incident.objects.filter(game=game, kind="bot_silent", after_number=number).count()
    bots = list(dict.fromkeys((seat.program, *SUBSTITUTES)))
    for bot in bots[min(silent // CHANCES, len(bots) - 1) :]:
        if _decides(game, program, seat, number, bot):
            return


def since(game: Game, seat: Seat) -> datetime:
    """When it became the program's turn to decide: with the last decision, or when it took over the seat to act."""
    over = game.incident_set.filter(kind__in=("timed_out", "resigned"), seat=seat.index).order_by("pk")
    taken = over.last() if seat.caretaker else None
    return max(game.changed_at, taken.at) if taken else game.changed_at


def _decides(game: Game, program: play.Actor, seat: Seat, number: int, bot: str) -> bool:
    """Whether nothing is left to decide at that number, because the bot did or events overtook it."""
    for _chance in range(CHANCES):
        try:
            play.submit(game, program, number, [str(_choose(game, seat, bot))])
        except (rows.Stale, play.NotYours):
            return True
        except Exception as error:  # a bot may fail in any way; the game goes on without it
            if not game.is_active:
                return True
            log.exception("bot %s failed in game %s", bot, game.pk)
            rows.record(game, "bot_failed", seat.index, bot=bot, error=type(error).__name__)
            if not isinstance(error, Refusal):
                return False
        else:
            return True
    return False


def _choose(game: Game, seat: Seat, name: str) -> Action[Any]:
    bot = TITLES[game.title].bot(name)
    seen, legal = play.offer(game, seat, variants=bot.variants)
    return bot.choose(seen, legal, Random(), Limit(seconds=settings.BOT_SECONDS))
