"""Figures about the bots for the owner of the site: how long people wait for them, and what failed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from statistics import median
from typing import Self

from django.db.models import Count, OuterRef, Subquery

from games.models import Game, Incident, Move, Seat
from games.services import play
from games.services.clocks.moment import now
from games.services.work import thinking


@dataclass(frozen=True)
class Spread:
    """The distribution of times in seconds: median, 95th percentile, maximum."""

    median: float
    p95: float
    longest: float

    @classmethod
    def of(cls, times: Sequence[timedelta]) -> Self:
        """The distribution of these times, of which there is at least one."""
        seconds = sorted(round(time.total_seconds(), 3) for time in times)
        return cls(round(median(seconds), 3), seconds[ceil(0.95 * len(seconds)) - 1], seconds[-1])


@dataclass(frozen=True)
class Thought:
    """The decisions of one bot in one title: how long they waited for a worker, and how long they took from then on
    until the move."""

    title: str
    bot: str
    decisions: int
    waited: Spread
    thought: Spread


@dataclass(frozen=True)
class Past:
    """The bots' decisions within a span of time, and their incidents by kind."""

    thoughts: list[Thought]
    incidents: dict[str, int]


def within(time: timedelta) -> Past:
    """The figures for that span of time up to now."""
    start = now() - time
    seats = Seat.objects.filter(game=OuterRef("game"), index=OuterRef("seat"))
    moves = Move.objects.filter(made_at__gte=start, waited__isnull=False)
    found = defaultdict[tuple[str, str], list[tuple[timedelta, timedelta]]](list)
    for title, bot, *times in moves.values_list("game__title", Subquery(seats.values("bot")), "waited", "thought"):
        # A caretaker is always the same bot.
        found[title, bot or play.CARETAKER].append((times[0], times[1]))
    thoughts = [
        Thought(*of, len(times), *(Spread.of(each) for each in zip(*times, strict=True)))
        for of, times in sorted(found.items())
    ]
    incidents = Incident.objects.filter(at__gte=start, kind__startswith="bot_").values_list("kind")
    return Past(thoughts, dict(incidents.annotate(Count("pk")).order_by("kind")))


def waiting() -> list[timedelta]:
    """How long each game that waits for a bot has waited so far, the longest first. A game whose claim led to no move
    waits too."""
    at = now()
    late = Game.objects.filter(bot_to_act__isnull=False, changed_at__lt=at - thinking.BOT_LEASE)
    games = (Game.objects.waiting_for_bot(at) | late).with_seats()
    seats = [(game, seat) for game in games for seat in game.seat_set.all() if seat.index == game.to_act]
    return sorted((at - thinking.waiting_since(game, seat) for game, seat in seats), reverse=True)
