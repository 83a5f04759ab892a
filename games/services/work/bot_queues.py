"""The queues of the bots' decisions, and the choice of the next one: people are served in turn."""

from datetime import datetime
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Value
from django.db.models.functions import Coalesce

from games.bots.strengths import OTHERS, STRENGTHS, Strength
from games.models import Game, GameQuerySet

GENERAL, QUICK, SLOW = "celery", "quick", "bots"
"""Celery's queues for decisions: the general worker serves the first, and the bots' worker the other two."""
UNKNOWN = Strength(quick=False, compiled=True)
"""The strength assumed of any other bot."""
SERVED_SECONDS = 600
"""Seconds for which the site remembers when it last served a person."""


class WaitingBot(NamedTuple):
    """A bot to act, and the host of its game."""

    game: int
    host: int | None
    name: str
    of_guest: bool
    """Whether the host is a guest."""


def waiting(games: GameQuerySet, at: datetime) -> list[WaitingBot]:
    """The bots that are to act in these games and that no worker has claimed. Guests' games come last; otherwise those
    that have waited longer come first."""
    found = games.waiting_for_bot(at).annotate(of_guest=Coalesce("host__is_guest", Value(False)))
    rows = found.order_by("of_guest", "changed_at").values_list("pk", "host", "bot_to_act", "of_guest")
    return [WaitingBot(*row) for row in rows]  # type: ignore[arg-type] # there is a bot to act


def queue(bot: str) -> str:
    """The queue for decisions of that bot."""
    strength = (STRENGTHS | OTHERS).get(bot, UNKNOWN)
    if not strength.compiled:
        return GENERAL
    return QUICK if strength.quick else SLOW


def next_game(game_id: int, wanted: str | None, at: datetime) -> int | None:
    """The waiting game in that queue, or in any, whose host was served longest ago; `None` if none waits. Among
    several games of one host, `game_id` comes first, then the one that has waited longest. Guests come last."""
    bots = [bot for bot in waiting(Game.objects.all(), at) if wanted in (None, queue(bot.name))]
    hosts = {bot.host for bot in bots}
    served = cache.get_many(map(_note, hosts)) if len(hosts) > 1 else {}
    first = min(
        bots, key=lambda bot: (bot.of_guest, served.get(_note(bot.host), 0.0), bot.game != game_id), default=None
    )
    return first.game if first else None


def serve(game: Game, at: datetime) -> None:
    """Remember that the host of that game is served now. If the cache forgets it, someone else comes first."""
    cache.set(_note(game.host_id), at.timestamp(), SERVED_SECONDS)


def _note(host: int | None) -> str:
    return f"served:{host}"
