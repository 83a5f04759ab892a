"""Bots play whole games, and every position is checked against the invariants of the rules.

Everything follows from a master seed, a text: game number `i` of it is dealt from SHA-256 of `seed/i`, and the bot in
seat `s` draws from a source of its own, seeded with `seed/i/s`. In a paired series, as many games in a row as there are
seats have one deal, that of `seed/0`, then that of `seed/1` and so on.
"""

import signal
import sys
import traceback
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from math import sqrt
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from games.bots.base import Bot, Limit
from games.bots.external import Forfeit
from games.rules.base import Outcome, Ruleset

LONGEST = 1000
"""Decisions after which a game is cut: random play need not end."""
UNLIMITED = Limit()
Z = 1.959964
"""The standard score of 95 % confidence."""

Bots = Sequence[tuple[str, Bot[Any]]]
"""Who plays: for each seat the name of a bot, and the bot."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was played."""

    title: str
    seed: bytes
    bots: tuple[str, ...]
    """Who sat where: a name for each seat."""
    notations: tuple[str, ...]
    """All decisions, the last one perhaps refused."""
    outcome: Outcome | None
    """`None` for a game that was cut, was forfeited or broke a rule."""
    violation: str
    """What was wrong, empty if nothing was; the game ended there."""
    forfeiter: int | None = None
    """The seat that gave no legal answer; the game ended there."""
    forfeit: str = ""
    """What it did instead."""
    seconds: tuple[tuple[float, ...], ...] = field(default=(), compare=False, repr=False)
    """How long each seat took for each of its decisions."""

    @property
    def winners(self) -> Sequence[int]:
        """The seats that share the credit, of a forfeited game all others."""
        if self.forfeiter is not None:
            return [seat for seat in range(len(self.bots)) if seat != self.forfeiter]
        return self.outcome.winners if self.outcome else ()

    @property
    def reproduction(self) -> str:
        """The game as a transcript that has no expectations: replaying it shows what was wrong."""
        comment = "".join(f"# {line}\n" for line in self.violation.splitlines())
        header = f"title: {self.title}\nseats: {len(self.bots)}\nseed: {self.seed.hex()}\n"
        return f"{comment}{header}\n" + "".join(f"{notation}\n" for notation in self.notations)


def play(
    ruleset: Ruleset[Any, Any], bots: Bots, seed: bytes, rngs: Sequence[Random], limit: Limit = UNLIMITED
) -> Record:
    """One game of the bots, with a source of chance for each seat."""
    notations: list[str] = []
    seconds = [list[float]() for _ in bots]
    outcome, faults, forfeiter, forfeit = None, "", None, ""
    with ExitStack() as stack:
        for _, bot in bots:
            if isinstance(bot, AbstractContextManager):
                stack.enter_context(bot)
        try:
            state = ruleset.initial(len(bots), seed)
            faults = "\n".join(ruleset.faults(state))
            while not faults and state.to_act is not None and len(notations) < LONGEST:
                seat = state.to_act
                _, bot = bots[seat]
                legal = ruleset.all_actions(state) if bot.variants else ruleset.legal_actions(state)
                seen, start = ruleset.observe(state, seat), perf_counter()
                try:
                    action = bot.choose(seen, legal, rngs[seat], limit)
                except Forfeit as error:
                    forfeiter, forfeit = seat, str(error)
                    break
                finally:
                    seconds[seat].append(perf_counter() - start)
                notations.append(str(action))
                state = ruleset.apply(state, action).state
                faults = "\n".join(ruleset.faults(state))
            if not faults:
                outcome = ruleset.outcome(state)
        except Exception:  # whatever went wrong is what the arena is to find
            faults = traceback.format_exc()
    return Record(
        title=ruleset.slug,
        seed=seed,
        bots=tuple(name for name, _ in bots),
        notations=tuple(notations),
        outcome=outcome,
        violation=faults,
        forfeiter=forfeiter,
        forfeit=forfeit,
        seconds=tuple(map(tuple, seconds)),
    )


@dataclass(frozen=True, slots=True)
class Series:
    """Games of a master seed; from game to game every bot moves to the seat before its own."""

    ruleset: Ruleset[Any, Any]
    bots: Bots
    seed: str
    paired: bool = False
    limit: Limit = UNLIMITED

    def play(self, numbers: Iterable[int]) -> Iterator[Record]:
        """The games with these numbers."""
        seats = len(self.bots)
        for number in numbers:
            deal = f"{self.seed}/{number // seats if self.paired else number}"
            yield play(
                self.ruleset,
                [self.bots[(seat + number) % seats] for seat in range(seats)],
                sha256(deal.encode()).digest(),
                [Random(f"{self.seed}/{number}/{seat}") for seat in range(seats)],
                self.limit,
            )


def series(
    ruleset: Ruleset[Any, Any],
    bots: Bots,
    games: int,
    seed: str,
    *,
    paired: bool = False,
    limit: Limit = UNLIMITED,
    jobs: int = 1,
) -> Iterator[Record]:
    """That many games of the master seed, in order, played in that many processes: equal games however many they are,
    but for what depends on time. Raises `ChildProcessError` if one dies."""
    played = Series(ruleset, bots, seed, paired, limit)
    return played.play(range(games)) if jobs == 1 else _parallel(played, games, jobs)


def _parallel(played: Series, games: int, jobs: int) -> Iterator[Record]:
    """Process k of n plays the games k, k + n, k + 2n …, with bots of its own."""
    context = get_context("spawn")
    pipes: list[Connection] = []
    workers: list[BaseProcess] = []
    try:
        for job in range(jobs):
            pipe, end = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(end, played, range(job, games, jobs)), daemon=True)
            process.start()
            end.close()
            pipes.append(pipe)
            workers.append(process)
        for number in range(games):
            try:
                record = pipes[number % jobs].recv()
            except (EOFError, OSError) as error:
                raise ChildProcessError(f"The process that played game {number} died.") from error
            yield record
        for worker in workers:
            worker.join()
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _work(end: Connection, played: Series, numbers: range) -> None:
    """Play these games and send what came of each. On Ctrl-C the arena ends its processes, in good order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    for record in played.play(numbers):
        end.send(record)


class Thinking(NamedTuple):
    """Seconds for one decision: on average, for the fastest 95 % at most, and for the slowest."""

    mean: float
    p95: float
    longest: float


@dataclass
class Tally:
    """What came out of the games counted so far; a shared victory gives each winner its part of a credit."""

    lengths: list[int] = field(default_factory=list)
    """Decisions of each game."""
    finished: int = 0
    violations: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    """Games that each bot forfeited, by its name."""
    seats: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Credits by seat."""
    bots: defaultdict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Credits by the name of the bot."""
    seconds: defaultdict[str, "array[float]"] = field(default_factory=lambda: defaultdict(lambda: array("d")))
    """How long each decision took, by the name of the bot."""

    def add(self, record: Record) -> None:
        """Count one more game."""
        self.lengths.append(len(record.notations))
        self.violations += bool(record.violation)
        self.finished += record.outcome is not None
        if record.forfeiter is not None:
            self.forfeits[record.bots[record.forfeiter]] += 1
        winners = record.winners
        for seat in winners:
            self.seats[seat] += Fraction(1, len(winners))
            self.bots[record.bots[seat]] += Fraction(1, len(winners))
        for name, seconds in zip(record.bots, record.seconds, strict=False):
            self.seconds[name].extend(seconds)

    @property
    def decided(self) -> int:
        """Games that somebody won."""
        return self.finished + self.forfeits.total()

    @property
    def unfinished(self) -> int:
        """Games that were cut."""
        return len(self.lengths) - self.decided - self.violations

    def interval(self, name: str) -> tuple[float, float]:
        """Between which rates of victory the bot's true one lies with 95 % confidence."""
        return wilson(float(self.bots[name]), self.decided)

    def thinking(self, name: str) -> Thinking:
        """The times of the bot, all 0 if it decided nothing."""
        seconds = sorted(self.seconds[name]) or [0.0]
        return Thinking(sum(seconds) / len(seconds), seconds[-(-len(seconds) * 95 // 100) - 1], seconds[-1])


def wilson(credit: float, games: int) -> tuple[float, float]:
    """Wilson's score interval, of 95 % confidence, for a rate of victory of which that many games gave that credit."""
    if not games:
        return 0.0, 1.0
    rate, square = credit / games, Z * Z / games
    centre, width = rate + square / 2, Z * sqrt(rate * (1 - rate) / games + square / games / 4)
    return max(0.0, (centre - width) / (1 + square)), min(1.0, (centre + width) / (1 + square))
