"""Bots play whole games, and every position is checked against the invariants of the rules.

Everything follows from a master seed, a text: game number `i` of it is dealt from SHA-256 of `seed/i`, and the bot in
seat `s` draws from a source of its own, seeded with `seed/i/s`.
"""

import traceback
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from random import Random
from typing import Any

from games.bots.base import Bot
from games.rules.base import Outcome, Ruleset

LONGEST = 1000
"""Decisions after which a game is cut: random play need not end."""


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
    """`None` for a game that was cut or broke a rule."""
    violation: str
    """What was wrong, empty if nothing was; the game ended there."""

    @property
    def reproduction(self) -> str:
        """The game as a transcript that has no expectations: replaying it shows what was wrong."""
        comment = "".join(f"# {line}\n" for line in self.violation.splitlines())
        header = f"title: {self.title}\nseats: {len(self.bots)}\nseed: {self.seed.hex()}\n"
        return f"{comment}{header}\n" + "".join(f"{notation}\n" for notation in self.notations)


def play(
    ruleset: Ruleset[Any, Any], bots: Sequence[tuple[str, Bot[Any]]], seed: bytes, rngs: Sequence[Random]
) -> Record:
    """One game of the named bots, a bot and its source of chance for each seat."""
    notations: list[str] = []
    outcome, faults = None, ""
    try:
        state = ruleset.initial(len(bots), seed)
        faults = "\n".join(ruleset.faults(state))
        while not faults and state.to_act is not None and len(notations) < LONGEST:
            seat = state.to_act
            _, bot = bots[seat]
            legal = ruleset.all_actions(state) if bot.variants else ruleset.legal_actions(state)
            action = bot.choose(ruleset.observe(state, seat), legal, rngs[seat], None)
            notations.append(str(action))
            state = ruleset.apply(state, action).state
            faults = "\n".join(ruleset.faults(state))
        if not faults:
            outcome = ruleset.outcome(state)
    except Exception:  # whatever went wrong is what the arena is to find
        faults = traceback.format_exc()
    return Record(ruleset.slug, seed, tuple(name for name, _ in bots), tuple(notations), outcome, faults)


def series(ruleset: Ruleset[Any, Any], bots: Sequence[tuple[str, Bot[Any]]], games: int, seed: str) -> Iterator[Record]:
    """That many games of the master seed; from game to game every bot moves to the seat before its own."""
    seats = len(bots)
    for number in range(games):
        deal = f"{seed}/{number}"
        yield play(
            ruleset,
            [bots[(seat + number) % seats] for seat in range(seats)],
            sha256(deal.encode()).digest(),
            [Random(f"{deal}/{seat}") for seat in range(seats)],
        )


@dataclass
class Tally:
    """What came out of the games counted so far; a shared victory gives each winner its part of a credit."""

    lengths: list[int] = field(default_factory=list)
    """Decisions of each game."""
    finished: int = 0
    violations: int = 0
    seats: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Credits by seat."""
    bots: defaultdict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Credits by the name of the bot."""

    def add(self, record: Record) -> None:
        """Count one more game."""
        self.lengths.append(len(record.notations))
        self.violations += bool(record.violation)
        self.finished += record.outcome is not None
        winners = record.outcome.winners if record.outcome else ()
        for seat in winners:
            self.seats[seat] += Fraction(1, len(winners))
            self.bots[record.bots[seat]] += Fraction(1, len(winners))

    @property
    def unfinished(self) -> int:
        """Games that were cut."""
        return len(self.lengths) - self.finished - self.violations
