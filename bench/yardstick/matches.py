"""All matches; this is the only list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.yardstick.home import found
from bench.yardstick.players import Borrowing
from games.bots.base import Bot, Limit, Limited
from games.bots.engines import ENGINES
from games.bots.instinct import Instinct
from games.bots.players import networked
from games.catalogue import TITLES

TITLE = "splendor"
POLICY = 0
"""The number of simulations with which the yardstick plays by its network alone."""


def bot(name: str) -> Callable[[], Bot[Any]]:
    """One of our bots, by its name."""
    return lambda: TITLES[TITLE].bot(name)


@dataclass(frozen=True)
class Match:
    """Games of one of our bots; the yardstick fills the other seats. Every deal is played in every rotation of the
    seats."""

    ours: Callable[[], Bot[Any]]
    """Makes our bot."""
    seats: int = 2
    seconds: float | None = None
    """Seconds of processor time for a decision, on both sides."""
    sims: int | None = None
    """Simulations for a decision, on both sides."""
    theirs: int | None = None
    """The yardstick's simulations for a decision, if their number differs."""
    borrows: bool = False
    """Whether our bot plays with the yardstick's network."""

    @property
    def limit(self) -> Limit:
        """The limit for a decision."""
        return Limit(self.seconds, self.sims, processor=True)

    @property
    def argument(self) -> list[str]:
        """The argument for the yardstick: its number of simulations, or nothing if time is the limit."""
        sims = self.sims if self.theirs is None else self.theirs
        return [] if sims is None else [str(sims)]


def borrowing() -> Bot[Any]:
    """Our search with the yardstick's network."""
    return Borrowing(found(2))


def borrowed_policy() -> Bot[Any]:
    """The yardstick's network without any search, in our program."""
    return Borrowing(found(2), searches=False)


def policy() -> Bot[Any]:
    """Our network without any search."""
    return Instinct(ENGINES[TITLE], networked)


MATCHES = {
    "2": Match(bot("strongest"), 2, seconds=0.25),
    "3": Match(bot("strongest"), 3, seconds=0.1),
    "4": Match(bot("strongest"), 4, seconds=0.1),
    "2-long": Match(bot("strongest"), 2, seconds=1),
    "3-long": Match(bot("strongest"), 3, seconds=0.5),
    "4-long": Match(bot("strongest"), 4, seconds=0.5),
    "search-400": Match(borrowing, sims=400, borrows=True),
    "search-1600": Match(borrowing, sims=1600, borrows=True),
    "same-policy": Match(borrowed_policy, theirs=POLICY, borrows=True),
    "policy": Match(policy, theirs=POLICY),
    "policy-3": Match(policy, 3, theirs=POLICY),
    "policy-4": Match(policy, 4, theirs=POLICY),
    "400-policy": Match(lambda: Limited(bot("strongest")(), 400), theirs=POLICY),
    "3200-policy": Match(lambda: Limited(bot("strongest")(), 3200), theirs=POLICY),
    "medium-policy": Match(bot("medium"), theirs=POLICY),
    "easy-policy": Match(bot("easy"), theirs=POLICY),
}
