"""What a game is owed, done whenever somebody looks: safe at any time, twice, or late."""

import logging
from datetime import timedelta
from random import Random
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

from games.catalogue import TITLES
from games.models import Game, Seat
from games.rules.base import Action
from games.services import play, rows, tables
from games.services.moment import now

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
"""How long a bot's claim on a decision holds; after that another worker may think about it."""
LIMIT = 3.0
"""Seconds a bot may think."""
SUBSTITUTES = ("greedy", "random")
"""Who decides when a bot fails, in order."""
AT_ONCE = 8
"""Games that one sweep hands to the bots at most."""


def tend(game_id: int) -> None:
    """Have the bot think, if one is to act and none is at it."""
    if Game.objects.waiting_for_bot(now()).filter(pk=game_id).exists():
        current_app.send_task("games.tasks.think", [game_id])


def sweep() -> None:
    """Tend what was lost on the way: games whose bot nobody woke, tables that nobody filled."""
    tables.expire()
    waiting = Game.objects.waiting_for_bot(now()).order_by("changed_at")
    for game_id in waiting.values_list("pk", flat=True)[:AT_ONCE]:
        try:
            tend(game_id)
        except OperationalError:
            log.warning("No broker: the bots wait for the next sweep.")
            return


def think(game_id: int) -> None:
    """Claim the decision, choose from what the seat may see, and play it: exactly one move, however often this runs."""
    claimed = Game.objects.waiting_for_bot(now()).filter(pk=game_id).update(bot_claimed_until=now() + LEASE)
    if not claimed:
        return
    game = Game.objects.get(pk=game_id)
    seat = Seat.objects.get(game=game, index=game.to_act)
    for bot in dict.fromkeys((seat.program, *SUBSTITUTES)):
        try:
            play.submit(game, play.PROGRAM, game.number, [str(_choose(game, seat, bot))])
        except (rows.Stale, play.NotYours):
            return
        except Exception as error:  # a bot may fail in any way; the game goes on without it
            log.exception("bot %s failed in game %s", bot, game.pk)
            rows.record(game, "bot_failed", seat.index, bot=bot, error=type(error).__name__)
        else:
            return


def _choose(game: Game, seat: Seat, name: str) -> Action[Any]:
    bot = TITLES[game.title].bot(name)
    seen, legal = play.offer(game, seat, variants=bot.variants)
    return bot.choose(seen, legal, Random(), LIMIT)
