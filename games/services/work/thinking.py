"""The bots' decisions: a worker claims one decision of one game and plays the bot's move."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil
from random import Random
from typing import Any

from django.conf import settings
from django.db import Error

from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Incident, Seat
from games.rules.base import Action, Refusal
from games.services import play
from games.services.clocks.moment import now
from games.services.versions import writing
from games.services.work import bot_queues

log = logging.getLogger(__name__)

SUBSTITUTES = ("greedy", "random")
"""The bots that decide when a bot fails, in order."""
MAX_BOT_FAILURES = 2
"""How often a bot may choose an illegal action, or let its claim expire, before a substitute decides."""
THINKING_SECONDS = ceil(MAX_BOT_FAILURES * settings.BOT_SECONDS) + 4
"""Seconds after which a bot is interrupted; its substitutes have the rest of the lease."""
BOT_LEASE = timedelta(seconds=THINKING_SECONDS + 20)
"""How long a worker's claim on a decision holds; after that another worker may claim it."""

MAX_SILENCES = MAX_BOT_FAILURES * len(SUBSTITUTES)
"""How many claims on a decision may lead to no move before each holds for twice as long as the one before."""
MAX_DOUBLINGS = 5
"""How often the time is doubled, which makes a quarter of an hour."""
MAX_CLAIMS = 3
"""How often a worker tries to claim a game, if other workers are quicker."""


def think(game_id: int, queue: str | None = None) -> None:
    """Claim a decision, choose from the seat's observation, and play: exactly one move for it, however often this runs.
    The decision is that game's, unless another person has waited longer in that queue (in any, if it is `None`)."""
    began = now()
    game = _claim(game_id, queue, began)
    if game is None:
        return
    bot_queues.serve(game, began)
    number, seat = game.number, Seat.objects.get(game=game, index=game.to_act)
    actor = replace(play.BOT, asked=waiting_since(game, seat), began=began)
    if game.bot_claimed_until:
        log.warning("A bot's claim on game %s led to no move.", game.pk)
        writing.record(game, "bot_silent", seat.index)
    silent = Incident.objects.filter(game=game, kind="bot_silent", after_number=number).count()
    if silent > MAX_SILENCES:
        longer = BOT_LEASE * 2 ** min(silent - MAX_SILENCES, MAX_DOUBLINGS)
        Game.objects.filter(pk=game.pk).update(bot_claimed_until=began + longer)
    bots = list(dict.fromkeys((seat.acting_bot, *SUBSTITUTES)))
    for bot in bots[min(silent // MAX_BOT_FAILURES, len(bots) - 1) :]:
        if _decides(game, actor, seat, number, bot):
            return


def _claim(game_id: int, queue: str | None, at: datetime) -> Game | None:
    """The game whose decision is claimed for this worker; `None` if no game waits. A request that lost its game to
    another worker serves the next one. If none waits in the queue, that game itself may wait in another."""
    for _attempt in range(MAX_CLAIMS):
        chosen = bot_queues.next_game(game_id, queue, at)
        waiting = Game.objects.waiting_for_bot(at).filter(pk=chosen or game_id)
        game = waiting.first()
        if game and waiting.filter(version=game.version).update(bot_claimed_until=at + BOT_LEASE):
            return game
        if chosen is None:
            break
    return None


def waiting_since(game: Game, seat: Seat) -> datetime:
    """When it became the bot's turn to decide: at the last decision, or when it took over the seat to act."""
    over = game.incident_set.filter(kind__in=("timed_out", "resigned", "deleted"), seat=seat.index).order_by("pk")
    taken = over.last() if seat.caretaker else None
    return max(game.changed_at, taken.at) if taken else game.changed_at


def _decides(game: Game, actor: play.Actor, seat: Seat, number: int, bot: str) -> bool:
    """Let the bot decide; return whether nothing is left to decide at that number, because it decided or the game
    moved on."""
    for _chance in range(MAX_BOT_FAILURES):
        try:
            play.submit(game, actor, number, [str(_choose(game, seat, bot))])
        except (writing.Stale, play.NotYours):
            return True
        except Error:
            raise  # the database's fault and not the bot's
        except Exception as error:  # a bot may fail in any way, and a substitute continues
            if not game.is_active:
                return True
            log.exception("bot %s failed in game %s", bot, game.pk)
            writing.record(game, "bot_failed", seat.index, bot=bot, error=type(error).__name__)
            if not isinstance(error, Refusal):
                return False
        else:
            return True
    return False


def _choose(game: Game, seat: Seat, name: str) -> Action[Any]:
    bot = TITLES[game.title].bot(name)
    seen, legal = play.offer(game, seat, variants=bot.variants)
    return bot.choose(seen, legal, Random(), Limit(seconds=settings.BOT_SECONDS))
