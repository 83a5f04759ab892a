"""All matches; this is the only list."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.yardstick.players import Borrowing
from games.bots.base import Bot, Limit, Limited
from games.bots.engines import ENGINES
from games.bots.instinct import Instinct
from games.bots.players import networked
from games.catalogue import TITLES

TITLE = "splendor"
POLICY = 0
"""The number of simulations with which the yardstick plays by its network alone."""


def bot(name: str) -> Callable[[Path | None], Bot[Any]]:
    """One of our bots, by its name."""
    return lambda _: TITLES[TITLE].bot(name)


@dataclass(frozen=True)
class Match:
    """Games of one of our bots; the yardstick fills the other seats. Every deal is played in every rotation of the
    seats."""

    ours: Callable[[Path | None], Bot[Any]]
    """Makes our bot; the yardstick's folder is given if it `borrows`."""
    seats: int = 2
    seconds: float | None = None
    """Seconds of processor time for a decision, on both sides."""
    sims: int | None = None
    """Simulations for a decision, on both sides."""
    theirs: int | None = None
    """The yardstick's simulations for a decision, if their number differs."""

    @property
    def borrows(self) -> bool:
        """Whether our bot plays with the yardstick's network."""
        return self.ours in (borrowing, borrowed_policy)

    @property
    def limit(self) -> Limit:
        """The limit for a decision."""
        return Limit(self.seconds, self.sims, processor=True)

    @property
    def argument(self) -> list[str]:
        """The argument for the yardstick: its number of simulations, or nothing if time is the limit."""
        sims = self.sims if self.theirs is None else self.theirs
        return [] if sims is None else [str(sims)]


def borrowing(home: Path | None) -> Bot[Any]:
    """Our search with the yardstick's network."""
    assert home
    return Borrowing(home)


def borrowed_policy(home: Path | None) -> Bot[Any]:
    """The yardstick's network without any search, in our program."""
    assert home
    return Borrowing(home, searches=False)


def policy(_: Path | None) -> Bot[Any]:
    """Our network without any search."""
    return Instinct(ENGINES[TITLE], networked)


MATCHES = {
    "2": Match(bot("strongest"), 2, seconds=0.25),
    "3": Match(bot("strongest"), 3, seconds=0.1),
    "4": Match(bot("strongest"), 4, seconds=0.1),
    "2-long": Match(bot("strongest"), 2, seconds=1),
    "3-long": Match(bot("strongest"), 3, seconds=0.5),
    "4-long": Match(bot("strongest"), 4, seconds=0.5),
    "search-400": Match(borrowing, sims=400),
    "search-1600": Match(borrowing, sims=1600),
    "same-policy": Match(borrowed_policy, theirs=POLICY),
    "policy": Match(policy, theirs=POLICY),
    "policy-3": Match(policy, 3, theirs=POLICY),
    "policy-4": Match(policy, 4, theirs=POLICY),
    "400-policy": Match(lambda home: Limited(bot("strongest")(home), 400), theirs=POLICY),
    "3200-policy": Match(lambda home: Limited(bot("strongest")(home), 3200), theirs=POLICY),
    "medium-policy": Match(bot("medium"), theirs=POLICY),
    "easy-policy": Match(bot("easy"), theirs=POLICY),
}
