"""One suite for every title and seat count: the laws of the contract, on random games that hypothesis draws.

It takes its input about a title from `tests.rules.proofs`, where a new title adds its module.
"""

import json
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import TITLES
from games.rules import codec
from games.rules.base import Action, IllegalAction, Step

MAX_GAME_ACTIONS = 1000
"""Decisions after which a random game is cut off; random play need not end."""
PROOFS = {slug: import_module(f"tests.rules.proofs.{slug}") for slug in (*TITLES, "toy")}
CASES = [(slug, seats) for slug, proof in PROOFS.items() for seats in proof.RULESET.seats]

every_title = pytest.mark.parametrize(("slug", "seats"), CASES, ids=lambda part: str(part))
seeds = st.binary(min_size=32, max_size=32)
choices = st.integers(0, 2**32 - 1)


def play(ruleset: Any, seats: int, seed: bytes, rng: Random, plies: int = MAX_GAME_ACTIONS) -> Iterator[Step[Any]]:
    """A game of random options and variants, of at most that many decisions."""
    step = Step(ruleset.initial(seats, seed))
    yield step
    while step.state.to_act is not None and step.state.number < plies:
        step = ruleset.apply(step.state, rng.choice(ruleset.all_actions(step.state)))
        yield step


def last(steps: Iterator[Step[Any]]) -> Any:
    *_, step = steps
    return step.state


def plies_of(slug: str) -> st.SearchStrategy[int]:
    return st.integers(0, 12 if slug == "toy" else 180)


@every_title
@given(seed=seeds, choice=choices)
def test_a_game_keeps_its_invariants_and_replays(slug: str, seats: int, seed: bytes, choice: int) -> None:
    ruleset = PROOFS[slug].RULESET
    assert PROOFS[slug].RULESET.faults(ruleset.initial(seats, seed)) == []
    steps = list(play(ruleset, seats, seed, Random(choice)))
    for number, step in enumerate(steps):
        state = step.state
        assert ruleset.faults(state) == []
        assert state.number == number
        assert (state.to_act is None) == (ruleset.outcome(state) is not None)
        options = ruleset.legal_actions(state)
        assert bool(options) == (state.to_act is not None)
        assert len(options) != 1 or not options[0].settles
    notations = [str(step.played[0]) for step in steps[1:]]
    assert list(ruleset.replay(seats, seed, notations)) == steps
    assert list(ruleset.replay(seats, seed, notations, check=False)) == steps
    if steps[-1].state.to_act is None:
        for out in product((False, True), repeat=seats):
            outcome = ruleset.outcome(steps[-1].state, out=[seat for seat in range(seats) if out[seat]])
            assert not any(out[seat] for seat in outcome.winners)
        for action in PROOFS[slug].domain(steps[-2].state):
            with pytest.raises(IllegalAction, match="game_over"):
                ruleset.apply(steps[-1].state, action)
            break


@every_title
@given(seed=seeds, choice=choices, data=st.data())
def test_exactly_options_and_variants_are_legal(
    slug: str, seats: int, seed: bytes, choice: int, data: st.DataObject
) -> None:
    ruleset = PROOFS[slug].RULESET
    state = last(play(ruleset, seats, seed, Random(choice), data.draw(plies_of(slug))))
    legal = ruleset.all_actions(state)
    assert len(set(legal)) == len(legal)
    assert set(ruleset.legal_actions(state)) <= set(legal)
    if state.to_act is None:
        assert legal == []
        return

    def passes(action: Action[Any]) -> bool:
        try:
            ruleset.apply(state, action)
        except IllegalAction:
            return False
        return True

    domain = set(PROOFS[slug].domain(state))
    assert set(legal) <= domain
    assert {action for action in domain if passes(action)} == set(legal)


@every_title
@given(seed=seeds, choice=choices, data=st.data())
def test_round_trips_and_purity(slug: str, seats: int, seed: bytes, choice: int, data: st.DataObject) -> None:
    ruleset = PROOFS[slug].RULESET
    state = last(play(ruleset, seats, seed, Random(choice), data.draw(plies_of(slug))))
    dumped = json.dumps(ruleset.dump(state))
    assert ruleset.load(json.loads(dumped)) == state
    legal = ruleset.all_actions(state)
    assert [ruleset.parse(str(action)) for action in legal] == legal
    for action in legal:
        assert ruleset.apply(state, action) == ruleset.apply(state, action)
    assert json.dumps(ruleset.dump(state)) == dumped
    for option in ruleset.legal_actions(state):
        brief = str(option).partition("=")[0]
        assert ruleset.apply(state, ruleset.parse(brief)).played[0] == option
    for secret in (state.seed.hex(), str(state.seed), "-white-", "-blue-", "-green-", "-red-", "-black-"):
        assert secret not in repr(state)


@every_title
@given(seed=seeds, choice=choices, data=st.data())
def test_hidden_cards_stay_hidden(slug: str, seats: int, seed: bytes, choice: int, data: st.DataObject) -> None:
    """Hiding: changing what a reader may not know does not change what the reader is shown."""
    proof, ruleset = PROOFS[slug], PROOFS[slug].RULESET
    state = last(play(ruleset, seats, seed, Random(choice), data.draw(plies_of(slug))))
    rng = Random(choice)
    for reader in (*range(seats), None):
        seen = ruleset.observe(state, reader)
        for keep_next in (False, True):
            other = proof.reshuffle(state, reader, rng, keep_next=keep_next)
            assert keep_next or other != state
            assert ruleset.faults(other) == []
            assert ruleset.observe(other, reader) == seen
            if reader == state.to_act:
                assert ruleset.legal_actions(other) == ruleset.legal_actions(state)
                assert ruleset.all_actions(other) == ruleset.all_actions(state)
            for action in ruleset.legal_actions(state):
                if reader != state.to_act and action not in ruleset.legal_actions(other):
                    continue  # a purchase of a card that this reader does not know
                step, twin = ruleset.apply(state, action), ruleset.apply(other, action)
                after, twin_after = ruleset.observe(step.state, reader), ruleset.observe(twin.state, reader)
                if keep_next and step.played == twin.played:
                    assert after == twin_after
                if after == twin_after:
                    assert shown(ruleset, step, reader) == shown(ruleset, twin, reader)


def shown(ruleset: Any, step: Step[Any], reader: int | None) -> list[Any]:
    return [ruleset.show(event, reader) for event in step.events]


@every_title
@given(seed=seeds, choice=choices, data=st.data())
def test_determinize_fits_the_observation(slug: str, seats: int, seed: bytes, choice: int, data: st.DataObject) -> None:
    ruleset = PROOFS[slug].RULESET
    state = last(play(ruleset, seats, seed, Random(choice), data.draw(plies_of(slug))))
    for reader in (*range(seats), None):
        seen = ruleset.observe(state, reader)
        made_up = ruleset.determinize(seen, Random(choice))
        assert ruleset.faults(made_up) == []
        assert ruleset.observe(made_up, reader) == seen
        assert made_up.seed != state.seed
        assert codec.load(json.loads(json.dumps(codec.dump(seen))), type(seen)) == seen


SAMPLES = 3000


@every_title
def test_determinize_is_fair(slug: str, seats: int) -> None:
    """Each unseen card is equally often in each hidden place. Pearson's statistic of every place stays below the mean
    plus six standard deviations of its distribution, which a fair deal exceeds about once in 10 million times."""
    proof, ruleset = PROOFS[slug], PROOFS[slug].RULESET
    rng = Random(f"fair {slug} {seats}")
    state = max(
        (step.state for _ in range(20) for step in play(ruleset, seats, rng.randbytes(32), rng, 12)),
        key=lambda state: sum(place[0] == "hand" for group in proof.hidden(state, 0) for place in group),
    )
    groups = proof.hidden(state, 0)
    assert any(place[0] == "hand" for group in groups for place in group), "nothing is hidden in a hand"
    counts: dict[Any, Counter[str]] = {place: Counter() for group in groups for place in group}
    seen = ruleset.observe(state, 0)
    for _ in range(SAMPLES):
        for group in proof.hidden(ruleset.determinize(seen, rng), 0):
            for place, card in group.items():
                counts[place][card] += 1
    for group in groups:
        expected = SAMPLES / max(1, len(group))
        freedom = len(group) - 1
        for place in group:
            assert set(counts[place]) <= set(group.values())
            statistic = sum((counts[place][card] - expected) ** 2 / expected for card in group.values())
            assert statistic <= freedom + 6 * (2 * freedom) ** 0.5 + 20
