"""What everything that plays a seat by itself has in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter, process_time
from typing import Any, ClassVar, Protocol, TypeVar

from games.rules.base import Action

Seen_contra = TypeVar("Seen_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Limit:
    """What a bot may spend on one decision: time in seconds, simulated games; each `None` for any."""

    seconds: float | None = None
    sims: int | None = None
    processor: bool = False
    """Whether the seconds are processor time, of which a busy machine takes nothing away."""

    @property
    def clock(self) -> Callable[[], float]:
        """What the seconds are read from."""
        return process_time if self.processor else perf_counter


@dataclass(frozen=True, slots=True)
class Spent:
    """What a decision took, as far as the bot itself can tell."""

    sims: int | None = None
    """Simulated games."""
    elsewhere: float = 0.0
    """Processor time in other processes, in seconds."""


class Bot(Protocol[Seen_contra]):
    """Plays any seat of a title whose observations are `Seen`. It can be pickled, and keeps nothing from one choice to
    the next, except for what it can say of the last. One that is a context manager is entered for each game of the
    arena."""

    variants: ClassVar[bool] = False
    """Whether it wants the variants of purchases among the legal actions."""

    def choose(self, seen: Seen_contra, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        """One of the legal actions, of which there is at least one, for the seat that sees this and is to act. `rng`
        is the bot's own, its only source of chance."""

    def spent(self) -> Spent:
        """What the last choice took."""
        return Spent()


@dataclass(frozen=True)
class Limited(Bot[Any]):
    """A bot with so many simulations, whatever the others have."""

    bot: Bot[Any]
    sims: int | None

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        return self.bot.choose(seen, legal, rng, replace(limit, sims=self.sims))

    def spent(self) -> Spent:
        return self.bot.spent()
