"""Games in which the rules and a fast core are compared in every position: legal decisions and their results.

    python -m tests.bots.core.differential --games 20000

Half of the games are random. The other half prefers to buy cards.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.bots.duel import layout as duel
from games.bots.engines import ENGINES
from games.bots.jit import Ints, jit_for
from games.bots.search import Engine
from games.bots.splendor import layout as splendor
from games.rules.base import Action
from games.rules.chance import SEED_BYTES

TABLES = [(slug, seats) for slug, engine in ENGINES.items() for seats in engine.ruleset.seats]
BUYS = 0.8
"""The share of decisions that buy a card if possible, in the games that prefer it."""
BATCH = 500
"""The number of games that a process plays before it reports."""

BASE, MAX_ACTIONS, MAX_DECISIONS = 1000, 6, 4000
"""A decision is one number, whose digits are its actions, counted from 1: the base, the maximum number of digits, and
the maximum number of decisions."""

Keys = NDArray[np.int64]


class Mismatch(AssertionError):
    """The rules and the core disagree."""


@dataclass
class Tally:
    """Counts of what happened in some games."""

    games: int = 0
    decisions: int = 0
    words: Counter[str] = field(default_factory=Counter)
    """Decisions of each kind; settled ones are in brackets."""
    events: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    """The reasons for the outcomes."""

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.words += other.words
        self.events += other.events
        self.reasons += other.reasons

    def __str__(self) -> str:
        counts = [
            " ".join(f"{name}={number}" for name, number in sorted(counter.items()))
            for counter in (self.words, self.events, self.reasons)
        ]
        return "\n  ".join([f"{self.games} games, {self.decisions} decisions", *counts])


@cache
def finder(engine: Engine) -> Callable[[Ints, Keys], int]:
    """A compiled function that writes all decisions in a position of that title and returns how many there are."""
    core, at = engine.core, engine.layout
    gold = getattr(at, "CHOOSE_GOLD", -1)

    @jit_for(engine.slug)
    def find(state: Ints, keys: Keys) -> int:
        states = np.empty((MAX_ACTIONS + 1, at.SIZE_OF_STATE), dtype=np.int32)
        actions = np.empty((MAX_ACTIONS + 1, at.ACTIONS), dtype=np.int32)
        counts = np.zeros(MAX_ACTIONS + 1, dtype=np.int64)
        following = np.zeros(MAX_ACTIONS + 1, dtype=np.int64)
        prefixes = np.zeros(MAX_ACTIONS + 1, dtype=np.int64)
        states[0] = state
        counts[0] = core.legal(state, actions[0])
        found = depth = 0
        while depth >= 0:
            if following[depth] == counts[depth]:
                depth -= 1
                continue
            before, after = states[depth], states[depth + 1]
            action = actions[depth, following[depth]]
            following[depth] += 1
            after[:] = before
            core.step(after, action)
            key = prefixes[depth] * BASE + action + 1
            going_on = after[at.TO_ACT] == before[at.TO_ACT] and (
                after[at.PHASE] == gold or (after[at.PHASE] == at.RETURN and before[at.PHASE] == at.RETURN)
            )
            if going_on:
                depth += 1
                counts[depth] = core.legal(after, actions[depth])
                following[depth] = 0
                prefixes[depth] = key
            else:
                keys[found] = key
                found += 1
        return found

    return find


def key(path: Iterable[int]) -> int:
    """The number that stands for a decision."""
    number = 0
    for action in path:
        number = number * BASE + action + 1
    return number


def actions(key: int) -> list[int]:
    """The actions of the decision with that number."""
    path = []
    while key:
        key, digit = divmod(key, BASE)
        path.append(digit - 1)
    return path[::-1]


def revealed(engine: Engine, seen: Any, state: Any) -> Ints:
    """The observation of the state as an array, with the state's true decks and hands."""
    at = engine.layout
    array: Ints = engine.observed.load(seen)
    for start, deck in zip(at.DECK_START, state.decks, strict=True):
        array[start : start + len(deck)] = [at.CARD_INDEX[card] for card in reversed(deck)]
    for seat, player in enumerate(state.players):
        start = at.PLAYER + seat * at.WIDTH + at.RESERVED
        array[start : start + len(player.reserved)] = [at.CARD_INDEX[held.card] for held in player.reserved]
    return array


def draw(before: Ints, ours: Ints, theirs: Ints) -> None:
    """Make the core draw the same tokens from the bag as the rules did, after checking that it could."""
    board = slice(duel.BOARD, duel.BOARD + duel.NSPACES)
    lay = before[board] != duel.NONE
    if not (
        (ours[board][lay] == theirs[board][lay]).all()
        and sorted(ours[board]) == sorted(theirs[board])
        and ((ours[board] == duel.NONE) == (theirs[board] == duel.NONE)).all()
    ):
        raise Mismatch(f"board {ours[board]} for {theirs[board]}")
    ours[board] = theirs[board]


def align(at: ModuleType, ours: Ints, theirs: Ints) -> None:
    """Equalise the parts of the arrays that have no meaning: cards above the decks, the phase of a finished game, the
    lowest token to return when none is due, empty places between nobles, and the bag's random source."""
    for deck, start in enumerate(at.DECK_START):
        unused = slice(start + ours[at.LEFT + deck], start + at.DECK_SIZES[deck])
        theirs[unused] = ours[unused]
    if ours[at.TO_ACT] == at.NONE:
        theirs[at.PHASE] = ours[at.PHASE]
    theirs[at.LEAST] = ours[at.LEAST]
    if at is splendor:
        nobles = ours[at.NOBLE : at.NOBLE + at.NOBLES_MAX]
        there = nobles[nobles != at.NONE]
        nobles[:] = at.NONE
        nobles[: len(there)] = there
    else:
        theirs[at.SEED : at.SEED + 2] = ours[at.SEED : at.SEED + 2]


def decisions(engine: Engine, seen: Any, legal: Sequence[Action[Any]], array: Ints) -> dict[int, Action[Any]]:
    """The legal decisions by the number that stands for each; raises `Mismatch` if the core's differ."""
    path = engine.observed.path
    theirs = {key(path(seen, action)): action for action in legal}
    keys = np.empty(MAX_DECISIONS, dtype=np.int64)
    ours = keys[: finder(engine)(array, keys)].tolist()
    if not (len(ours) == len(legal) == len(theirs) and theirs.keys() == set(ours)):
        missing = [str(action) for number, action in theirs.items() if number not in ours]
        surplus = [actions(number) for number in ours if number not in theirs]
        raise Mismatch(f"{len(ours)} decisions for {len(legal)}: lacks {missing}, has {surplus}")
    return theirs


def play(slug: str, seats: int, number: int) -> Tally:
    """Play one game; equal numbers give equal games."""
    rng = Random(f"{slug} {seats} {number}")
    state = ENGINES[slug].ruleset.initial(seats, rng.randbytes(SEED_BYTES))
    return play_on(slug, state, rng, BUYS if number % 2 else 0)


def play_on(slug: str, state: Any, rng: Random, buys: float = 0) -> Tally:
    """Play a game from that position to its end; `buys` is the share of decisions that buy a card if possible."""
    engine = ENGINES[slug]
    ruleset, core = engine.ruleset, engine.core
    tally = Tally(games=1)
    seen = ruleset.observe(state, state.to_act)
    array = revealed(engine, seen, state)
    keys = np.empty(MAX_DECISIONS, dtype=np.int64)
    while state.to_act is not None:
        legal = decisions(engine, seen, ruleset.legal_actions(state), array)
        choices = list(legal)
        if buys and rng.random() < buys:
            choices = [choice for choice in choices if legal[choice].word == "buy"] or choices
        chosen = rng.choice(choices)
        step = ruleset.apply(state, legal[chosen])
        before = array.copy()
        for action in actions(chosen):
            core.step(array, action)
        for settled in step.played[1:]:
            if finder(engine)(array, keys) != 1:
                raise Mismatch(f"{settled} is not the only decision")
            for action in actions(int(keys[0])):
                core.step(array, action)
        seen = ruleset.observe(step.state, step.state.to_act or 0)
        theirs = revealed(engine, seen, step.state)
        if legal[chosen].word == "replenish":
            draw(before, array, theirs)
        align(engine.layout, array, theirs)
        if not (array == theirs).all():
            places = np.nonzero(array != theirs)[0]
            raise Mismatch(f"after {legal[chosen]} {array[places]} for {theirs[places]} at {places}")
        # The core keeps its nobles in place, while `path` numbers them again.
        array, state = theirs, step.state
        tally.decisions += 1
        tally.words[legal[chosen].word] += 1
        tally.words.update(f"({settled.word})" for settled in step.played[1:])
        tally.events.update(event.code for event in step.events)
    compare_results(engine, state, array, tally)
    return tally


def compare_results(engine: Engine, state: Any, array: Ints, tally: Tally) -> None:
    outcome = engine.ruleset.outcome(state)
    assert outcome is not None
    shares = np.full(engine.layout.MAX_SEATS, 7, dtype=np.float32)
    engine.core.result(array, shares)
    seats = range(len(state.players))
    expected = [1 / len(outcome.winners) if seat in outcome.winners else 0 for seat in seats]
    actions = np.empty(engine.layout.ACTIONS, dtype=np.int32)
    if not np.allclose(shares[: len(seats)], expected) or engine.core.legal(array, actions):
        raise Mismatch(f"{shares} for {outcome}")
    tally.reasons[f"{len(outcome.winners)}:{outcome.reason}"] += 1


def series(slug: str, seats: int, numbers: Iterable[int]) -> Tally:
    """Play these games; raises `Mismatch` at the first difference."""
    tally = Tally()
    for number in numbers:
        try:
            tally.add(play(slug, seats, number))
        except Mismatch as error:
            error.add_note(f"game {number}")
            raise
    return tally


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="for each title and number of seats")
    parser.add_argument("--processes", type=int, default=None)
    options = parser.parse_args()
    batches = [range(first, min(first + BATCH, options.games)) for first in range(0, options.games, BATCH)]
    with ProcessPoolExecutor(options.processes) as pool:
        for slug, seats in TABLES:
            tally = Tally()
            for done in as_completed([pool.submit(series, slug, seats, batch) for batch in batches]):
                tally.add(done.result())
                print(f"\r{slug} {seats}: {tally.games}", end="", flush=True)
            print(f"\r{slug} {seats}: {tally}", flush=True)


if __name__ == "__main__":
    main()
