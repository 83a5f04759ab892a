"""The interface of all bots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter, process_time
from typing import Any, Protocol, TypeVar

from games.rules.base import Action

Seen_contra = TypeVar("Seen_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit for one decision: time in seconds and simulations; `None` means no limit."""

    seconds: float | None = None
    sims: int | None = None
    processor: bool = False
    """Whether the seconds are processor time, which does not depend on how busy the machine is."""

    @property
    def clock(self) -> Callable[[], float]:
        """The function that reads the time in seconds."""
        return process_time if self.processor else perf_counter


WARM_UP_LIMIT = Limit(sims=200)
"""The limit for a choice that only loads and compiles everything, before any clock runs."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of a decision, as far as the bot itself knows."""

    sims: int | None = None
    """The number of simulations; `None` if the bot does not count them."""
    seconds: float | None = None
    """Processor time, in seconds; `None` if the clock of this process measures it."""


class Bot(Protocol[Seen_contra]):
    """Plays any seat of a title whose observations are `Seen`. A bot can be pickled. If it remembers more from choice
    to choice than `spent` and what `inform` says, it is a context manager, and the arena enters it for each game."""

    @property
    def variants(self) -> bool:
        """Whether `legal` must include the variants of purchases."""
        return False

    def inform(self, first: Seen_contra, current_round: int) -> None:
        """Called by the arena before every choice, with what the seat to act saw at the start of the game and the
        number of the round, counted from 1. Most bots ignore both."""
        return

    def choose(self, seen: Seen_contra, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        """Choose one of the legal actions, of which there is at least one, for the seat to act. That seat sees `seen`.
        `rng` is the bot's only random source."""

    def spent(self) -> Spent:
        """The cost of the last choice."""
        return Spent()


@dataclass(frozen=True)
class Limited(Bot[Any]):
    """A bot with its own number of simulations, whatever the limit says."""

    bot: Bot[Any]
    sims: int | None

    @property
    def variants(self) -> bool:
        return self.bot.variants

    def inform(self, first: Any, current_round: int) -> None:
        self.bot.inform(first, current_round)

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        return self.bot.choose(seen, legal, rng, replace(limit, sims=self.sims))

    def spent(self) -> Spent:
        return self.bot.spent()
