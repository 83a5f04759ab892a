"""Bots play whole games, and every position is checked against the invariants of the rules.

Everything follows from a master seed, which is a text. Game number `i` is dealt from the SHA-256 of `seed/i`, and the
bot in seat `s` has a random source of its own, seeded with `seed/i/s`. In a paired series, the first n games among n
seats share the deal of `seed/0`, the next n that of `seed/1`, and so on.
"""

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from multiprocessing import active_children, get_context
from queue import SimpleQueue
from random import Random
from typing import Any

from games.bots.base import WARM_UP_LIMIT, Bot, Limit
from games.bots.external import Forfeit, uninterrupted
from games.rules.base import Outcome, Ruleset, Step
from games.rules.chance import SEED_BYTES

MAX_DECISIONS = 1000
"""Decisions after which a game is cut off: random play need not end."""
UNLIMITED = Limit()
INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
"""The exit statuses after Ctrl-C and after SIGTERM, as in shells."""
PR_SET_PDEATHSIG = 1
"""The option of Linux's prctl(2) that sends a signal to a process when its parent dies."""

Bots = Sequence[tuple[str, Bot[Any]]]
"""The players: for each seat, the name of a bot, and the bot."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was played."""

    title: str
    seed: bytes
    bots: tuple[str, ...]
    """The name of the bot in each seat."""
    notations: tuple[str, ...]
    """All decisions; the rules may have refused the last one."""
    outcome: Outcome | None
    """`None` if the game was cut off, was forfeited or broke a rule."""
    violation: str
    """The violated invariants or the traceback; empty if there were none. A violation ends the game."""
    forfeiter: int | None = None
    """The seat that forfeited, which ends the game."""
    forfeit: str = ""
    """The reason for the forfeit."""
    seconds: tuple[tuple[float, ...], ...] = field(default=(), compare=False, repr=False)
    """How long each seat took for each of its decisions, in seconds."""
    sims: tuple[tuple[int | None, ...], ...] = field(default=(), compare=False, repr=False)
    """How many simulations each seat made for each of its decisions; `None` if it does not count them."""
    number: int = 0
    """The number of the game in its series."""
    entrants: tuple[int, ...] = ()
    """For each seat, the number of its bot in the series."""

    @property
    def winners(self) -> Sequence[int]:
        """The seats that share the credit: the winners, or after a forfeit all other seats."""
        if self.forfeiter is not None:
            return [seat for seat in range(len(self.bots)) if seat != self.forfeiter]
        return self.outcome.winners if self.outcome else ()

    @property
    def result(self) -> "MatchResult":
        """The figures of this game that are counted."""
        return MatchResult(
            number=self.number,
            bots=self.bots,
            entrants=self.entrants or tuple(range(len(self.bots))),
            plies=len(self.notations),
            winners=tuple(self.winners),
            scores=self.outcome.scores if self.outcome else (),
            forfeiter=self.forfeiter,
            violation=bool(self.violation),
            seconds=self.seconds,
            sims=self.sims,
        )

    @property
    def reproduction(self) -> str:
        """The game as a transcript without expectations; replaying it shows the violation."""
        comment = "".join(f"# {line}\n" for line in self.violation.splitlines())
        header = f"title: {self.title}\nseats: {len(self.bots)}\nseed: {self.seed.hex()}\n"
        return f"{comment}{header}\n" + "".join(f"{notation}\n" for notation in self.notations)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The figures of a game that a log keeps. The fields have the same meaning as in `Record`."""

    number: int
    bots: tuple[str, ...]
    entrants: tuple[int, ...]
    plies: int
    """The number of decisions."""
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    """Empty for a game without an outcome."""
    forfeiter: int | None
    violation: bool
    seconds: tuple[tuple[float, ...], ...]
    sims: tuple[tuple[int | None, ...], ...]

    def __str__(self) -> str:
        players = [f"{name} (player {entrant})" for name, entrant in zip(self.bots, self.entrants, strict=True)]
        if self.forfeiter is not None:
            return f"game {self.number}: {players[self.forfeiter]} in seat {self.forfeiter} forfeits"
        if not self.winners:
            return f"game {self.number}: no result"
        seats = ", ".join(f"{player} {score}" for player, score in zip(players, self.scores, strict=True))
        return f"game {self.number}: {seats}; won by {' and '.join(f'seat {seat}' for seat in self.winners)}"


def play(
    ruleset: Ruleset[Any, Any], bots: Bots, seed: bytes, rngs: Sequence[Random], limit: Limit = UNLIMITED
) -> Record:
    """Play one game of the bots, with a random source for each seat."""
    notations: list[str] = []
    seconds = [list[float]() for _ in bots]
    sims = [list[int | None]() for _ in bots]
    outcome, faults, forfeiter, forfeit = None, "", None, ""
    with ExitStack() as stack:
        for _, bot in bots:
            if isinstance(bot, AbstractContextManager):
                stack.enter_context(bot)
        try:
            state = ruleset.initial(len(bots), seed)
            faults = "\n".join(ruleset.faults(state))
            first, current_round = [ruleset.observe(state, seat) for seat in range(len(bots))], 1
            while not faults and state.to_act is not None and len(notations) < MAX_DECISIONS:
                seat = state.to_act
                _, bot = bots[seat]
                legal = ruleset.all_actions(state) if bot.variants else ruleset.legal_actions(state)
                bot.inform(first[seat], current_round)
                seen, start = ruleset.observe(state, seat), limit.clock()
                try:
                    action = bot.choose(seen, legal, rngs[seat], limit)
                except Forfeit as error:
                    forfeiter, forfeit = seat, str(error)
                    break
                finally:
                    spent = bot.spent()
                    seconds[seat].append(limit.clock() - start if spent.seconds is None else spent.seconds)
                    sims[seat].append(spent.sims)
                notations.append(str(action))
                step = ruleset.apply(state, action)
                state = step.state
                current_round += begins_round(step, seat)
                faults = "\n".join(ruleset.faults(state))
            if not faults:
                outcome = ruleset.outcome(state)
        except Exception:  # the arena must find every kind of error
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
        sims=tuple(map(tuple, sims)),
    )


def begins_round(step: Step[Any], seat: int) -> bool:
    """Whether the turn has gone from that seat once round the table."""
    following = step.state.to_act
    passed = any(event.code == "passed" for event in step.events)
    return following is not None and (following < seat or (following == seat and passed))


def warm_up(ruleset: Ruleset[Any, Any], bots: Bots) -> None:
    """Let every bot of this process choose once, so that nothing is compiled or loaded while its clock runs."""
    state = ruleset.initial(len(bots), bytes(SEED_BYTES))
    seen = ruleset.observe(state, 0)
    for bot in {id(bot): bot for _, bot in bots}.values():
        if not isinstance(bot, AbstractContextManager):
            bot.inform(seen, 1)
            bot.choose(seen, ruleset.legal_actions(state), Random(0), WARM_UP_LIMIT)


@dataclass(frozen=True, slots=True)
class Series:
    """Games from one master seed. From game to game every bot moves up one seat."""

    ruleset: Ruleset[Any, Any]
    bots: Bots
    seed: str
    paired: bool = False
    limit: Limit = UNLIMITED

    def play(self, number: int) -> Record:
        """The game with that number."""
        seats = len(self.bots)
        deal = f"{self.seed}/{number // seats if self.paired else number}"
        entrants = tuple((seat + number) % seats for seat in range(seats))
        record = play(
            self.ruleset,
            [self.bots[entrant] for entrant in entrants],
            sha256(deal.encode()).digest(),
            [Random(f"{self.seed}/{number}/{seat}") for seat in range(seats)],
            self.limit,
        )
        return replace(record, number=number, entrants=entrants)

    def records(self, numbers: Sequence[int], jobs: int = 1) -> Generator[Record, None, None]:
        """Play the games with these numbers and yield each when it ends. The number of processes (`jobs`) affects only
        their order and what depends on time. Raises `ChildProcessError` if a process dies."""
        if jobs > 1:
            yield from _parallel(self, numbers, jobs)
        else:
            self.warm_up()
            yield from map(self.play, numbers)

    def warm_up(self) -> None:
        """Let the bots think once, since a first decision may have to compile code."""
        warm_up(self.ruleset, self.bots)


def series(
    ruleset: Ruleset[Any, Any],
    bots: Bots,
    games: int | Sequence[int],
    seed: str,
    *,
    paired: bool = False,
    limit: Limit = UNLIMITED,
    jobs: int = 1,
) -> Generator[Record, None, None]:
    """Play `games` games of the master seed, or those with the given numbers; see `Series.records`."""
    numbers = range(games) if isinstance(games, int) else games
    return Series(ruleset, bots, seed, paired, limit).records(numbers, jobs)


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Let SIGTERM end this process like `sys.exit`, so that the processes and programs that it has started also end."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _parallel(played: Series, numbers: Sequence[int], jobs: int) -> Generator[Record, None, None]:
    """Play in `jobs` processes, each with bots of its own."""
    # Interrupted at its start, `as_completed` would keep locks for ever.
    begun, ended, died = 0, SimpleQueue[Future[Record]](), None
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(played,)) as pool:
        try:
            try:
                with uninterrupted(), _inherited():
                    for number in numbers:
                        pool.submit(_play, number).add_done_callback(ended.put)
                        begun += 1
            except BrokenProcessPool as error:
                died = error
            for _ in range(begun):
                try:
                    yield ended.get().result()
                except BrokenProcessPool as error:  # other games may have ended before
                    died = error
            if died:
                raise ChildProcessError("A process died before all games were over.") from died
        finally:
            for process in active_children():
                process.terminate()
            pool.shutdown(cancel_futures=True)


@contextmanager
def _inherited() -> Iterator[None]:
    """Hold back Ctrl-C from the processes that are started in the block; `_begin` ignores it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(played: Series) -> None:
    """Prepare a process. It ignores Ctrl-C, so that the arena can end it cleanly, and ends if the arena is killed."""
    global _played
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    _played = played
    played.warm_up()


def _play(number: int) -> Record:
    signal.signal(signal.SIGTERM, _end)
    try:
        return _played.play(number)
    except SystemExit:
        # The pool would take this for a result and begin the next game.
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end(*_: object) -> None:
    """End this process, and with it the processes and programs that it has started. The pool ends all processes when
    one has gone, so a second signal must not interrupt the clean-up."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(TERMINATED)


_played: Series
"""The series whose games this process plays."""
