"""Properties of the fast cores beyond the rules: hidden cards stay hidden, and random numbers are fair and the
same everywhere."""

import os
import sys
from collections import Counter
from pathlib import Path
from random import Random
from subprocess import run

import numpy as np
import pytest

from games.bots.duel import layout as duel
from games.bots.engines import ENGINES
from games.bots.jit import below, chance, shuffle, sources
from games.rules.chance import SEED_BYTES
from tests.bots.core.differential import TABLES

every_table = pytest.mark.parametrize(("slug", "seats"), TABLES)
ROOT = Path(__file__).parents[3]


def positions(slug, seats, games):
    """Every tenth position of some random games, including their ends."""
    ruleset = ENGINES[slug].ruleset
    for number in range(games):
        rng = Random(number)
        state = ruleset.initial(seats, rng.randbytes(SEED_BYTES))
        decisions = 0
        while state.to_act is not None:
            if decisions % 10 == 0:
                yield state
            decisions += 1
            state = ruleset.apply(state, rng.choice(ruleset.legal_actions(state))).state
        yield state


def start(slug, seats):
    """The first position of a game, before the hidden cards are dealt."""
    engine = ENGINES[slug]
    return engine.observed.load(engine.ruleset.observe(engine.ruleset.initial(seats, bytes(SEED_BYTES)), 0))


def hidden(at, array, viewer):
    """The places of the cards that this seat does not know."""
    places = [
        place for deck, first in enumerate(at.DECK_START) for place in range(first, first + array[at.LEFT + deck])
    ]
    for seat in range(array[at.SEATS]):
        player = at.PLAYER + seat * at.WIDTH
        held = range(array[player + at.HELD]) if seat != viewer else ()
        places += [player + at.RESERVED + index for index in held if array[player + at.BLIND + index]]
    return places


def playout(engine, array, rng, longest, shares):
    """Play a random game to its end in place; return its number of actions."""
    return engine.loops.playouts(array[None], rng, longest, shares[None])


@every_table
def test_a_deal_changes_only_hidden_cards(slug, seats):
    engine = ENGINES[slug]
    ruleset, at = engine.ruleset, engine.layout
    rng = chance(1)
    dealt_anew = 0
    for state in positions(slug, seats, 10):
        for viewer in range(seats):
            seen = ruleset.observe(state, viewer)
            before = engine.observed.load(seen)
            after = before.copy()
            engine.core.deal(after, viewer, rng)
            places = hidden(at, before, viewer)
            assert sorted(before[places]) == sorted(after[places])
            assert [at.LEVEL[card] for card in before[places]] == [at.LEVEL[card] for card in after[places]]
            changed = set(np.nonzero(before != after)[0])
            assert changed <= {*places, *(range(duel.SEED, duel.SEED + 2) if at is duel else ())}
            dealt_anew += bool(changed)
            known = [card for card in after[at.TABLE : at.TABLE + at.SLOTS] if card != at.NONE]
            for seat, player in enumerate(seen.players):
                first = at.PLAYER + seat * at.WIDTH + at.RESERVED
                known += [after[first + i] for i, held in enumerate(player.reserved) if held.card]
                known += [at.CARD_INDEX[getattr(card, "card", card)] for card in player.cards]
            assert sorted([*known, *after[places]]) == list(range(len(at.CARD_IDS)))
    assert dealt_anew


@every_table
def test_a_deal_can_put_every_hidden_card_in_every_hidden_place(slug, seats):
    """Each unseen card is equally often the blind reserved card, and equally often the next of its deck."""
    engine = ENGINES[slug]
    ruleset, at = engine.ruleset, engine.layout
    state = ruleset.initial(seats, bytes(SEED_BYTES))
    notation = "reserve L3" if slug == "splendor" else f"reserve L3 {reserve_gold(ruleset, state)}"
    state = ruleset.apply(state, ruleset.parse(notation)).state
    rng = chance(2)
    array = engine.observed.load(ruleset.observe(state, 1))
    unseen = int(array[at.LEFT + 2]) + 1
    places = (at.PLAYER + at.RESERVED, at.DECK_START[2] + unseen - 2)
    counts = [Counter[int]() for _ in places]
    for _ in range(300 * unseen):
        engine.core.deal(array, 1, rng)
        for counter, place in zip(counts, places, strict=True):
            counter[int(array[place])] += 1
    for counter in counts:
        assert len(counter) == unseen
        assert all(220 < number < 380 for number in counter.values())


def reserve_gold(ruleset, state):
    """A space with gold."""
    return next(str(action).split()[-1] for action in ruleset.legal_actions(state) if action.word == "reserve")


@every_table
def test_states_with_equal_observations_load_equally(slug, seats):
    ruleset, load = ENGINES[slug].ruleset, ENGINES[slug].observed.load
    for number, state in enumerate(positions(slug, seats, 6)):
        for viewer in [*range(seats), None]:
            seen = ruleset.observe(state, viewer)
            other = ruleset.determinize(seen, Random(number))
            assert (load(seen) == load(ruleset.observe(other, viewer))).all()


@every_table
def test_legal_actions_ascend_and_fit(slug, seats):
    core, at = ENGINES[slug].core, ENGINES[slug].layout
    actions = np.empty(at.ACTIONS, dtype=np.int32)
    rng = chance(3)
    for _ in range(50):
        array = start(slug, seats)
        core.deal(array, 0, rng)
        while count := core.legal(array, actions):
            assert (np.diff(actions[:count]) > 0).all()
            assert 0 <= actions[0] <= actions[count - 1] < at.ACTIONS
            core.step(array, actions[below(rng, count)])
        assert array[at.TO_ACT] == at.NONE


@every_table
def test_the_shares_of_a_playout_add_up_to_one_victory(slug, seats):
    engine, rng = ENGINES[slug], chance(4)
    shares = np.zeros(seats, dtype=np.float32)
    total = np.zeros(seats)
    for _ in range(400):
        array = start(slug, seats)
        engine.core.deal(array, 0, rng)
        assert 20 * seats < playout(engine, array, rng, 2000, shares) < 2000
        assert np.isclose(shares.sum(), 1)
        total += shares
    assert (total > 400 / seats / 2).all()
    assert playout(engine, start(slug, seats), rng, 5, shares) == 5
    assert np.allclose(shares, 1 / seats)


def replenished(seed):
    """The board of Splendor Duel after half of its first tokens went into the bag and it was replenished, in a world
    with that seed."""
    array = start("duel", 2)
    ENGINES["duel"].core.deal(array, 0, chance(seed))
    board = array[duel.BOARD : duel.BOARD + duel.NSPACES]
    bag = array[duel.BAG : duel.BAG + duel.NKINDS]
    for space in range(duel.NSPACES):
        if space % 2:
            bag[board[space]] += 1
            board[space] = duel.NONE
    lay = board.copy()
    ENGINES["duel"].core.step(array, duel.REPLENISH)
    assert not bag.any()
    assert (board[lay != duel.NONE] == lay[lay != duel.NONE]).all()
    return board


def test_the_bag_is_fair_and_fixed_in_a_world():
    boards, kinds = Counter[bytes](), Counter[int]()
    for seed in range(2000):
        board = replenished(seed)
        assert (board == replenished(seed)).all()
        boards[board.tobytes()] += 1
        kinds[int(board[11])] += 1
    assert len(boards) > 1990
    lay = start("duel", 2)[duel.BOARD + 1 : duel.BOARD + duel.NSPACES : 2]
    for kind, number in Counter(lay.tolist()).items():
        assert abs(kinds[kind] - 2000 * number / len(lay)) < 130


def test_chance_is_fair():
    rng = chance(5)
    for bound in (2, 7, 60):
        counts = Counter(below(rng, bound) for _ in range(1000 * bound))
        assert len(counts) == bound
        assert all(850 < number < 1150 for number in counts.values())
    orders = Counter[tuple[int, ...]]()
    for _ in range(24_000):
        values = np.arange(5, dtype=np.int32)
        shuffle(values, 4, rng)
        orders[tuple(values.tolist())] += 1
    assert len(orders) == 24
    assert all(order[4] == 4 and 850 < number < 1150 for order, number in orders.items())


def test_two_draws_in_a_row_are_fair():
    """Pairs from one source, and pairs of first draws from neighbouring seeds."""
    rng = chance(6)
    sources = [chance(seed) for seed in range(36_000)]
    for draws in ([rng] * len(sources), sources):
        counts = Counter((below(source, 6), below(source, 6)) for source in draws)
        assert len(counts) == 36
        assert all(800 < number < 1200 for number in counts.values())


def some_games():
    """The ends of some random games, for comparison."""
    return [[slug, seats, *end(slug, seats, seed).tolist()] for slug, seats in TABLES for seed in range(2)]


def end(slug, seats, seed):
    engine, array, rng = ENGINES[slug], start(slug, seats), chance(seed)
    engine.core.deal(array, 0, rng)
    actions = playout(engine, array, rng, 2000, np.zeros(seats, dtype=np.float32))
    return np.concatenate([array, [actions], rng])


def test_only_changes_that_may_affect_compiled_code_compile_it_again():
    names = {file.relative_to(ROOT).as_posix() for file in sources()}
    assert {f"games/bots/{name}" for name in ("jit.py", "graph.py", "duel/layout.py", "duel/core.py")} <= names
    assert {"games/rules/duel/state.py", "games/rules/duel/data/cards.csv"} <= names
    assert not {f"games/bots/{name}" for name in ("arena.py", "duel/ratings.py", "train/learn.py")} & names


def test_results_are_the_same_without_a_compiler():
    script = "from tests.bots.core import test_core as t; print(hasattr(t.shuffle, 'py_func'), t.some_games())"
    plain = run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.stderr == ""
    assert plain.stdout.strip() == f"False {some_games()}"
