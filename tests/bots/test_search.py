"""The search, the network and the features that both titles share."""

from random import Random
from time import perf_counter

import numpy as np
import pytest

from games.bots.base import Limit
from games.bots.jit import chance
from games.bots.network import Network
from games.bots.plain import playouts
from games.bots.players import ENGINES, networked
from games.bots.search import WORLDS, Search, Searcher, search_for, settled

GAMES = [(slug, seats) for slug, engine in ENGINES.items() for seats in engine.ruleset.seats]
every_game = pytest.mark.parametrize(("slug", "seats"), GAMES)


def positions(engine, seats, games, plies=400):
    """Positions of random games, those with one choice left out, as states of the rules."""
    rng = Random(f"{engine.slug} {seats}")
    for _ in range(games):
        state = engine.ruleset.initial(seats, rng.randbytes(32))
        for _ in range(plies):
            legal = engine.ruleset.legal_actions(state)
            if len(legal) > 1:
                yield state
            state = engine.ruleset.apply(state, rng.choice(legal)).state
            if state.to_act is None:
                break


def loaded(engine, state):
    """The array of what the seat to act sees."""
    return engine.observed.load(engine.ruleset.observe(state, state.to_act))


def features(engine, seats, array):
    found = np.empty(engine.shape(seats).features, dtype=np.float32)
    engine.features.encode(array, found)
    return found


def network(engine, seats):
    """One with random weights."""
    rng = np.random.default_rng(0)
    sizes = engine.shape(seats).weights
    return Network(engine.shape(seats), {name: rng.normal(size=size) / 10 for name, size in sizes.items()})


@every_game
def test_a_network_is_told_nothing_that_the_seat_to_act_may_not_know(slug, seats):
    engine, source = ENGINES[slug], chance(1)
    for state in positions(engine, seats, 5):
        array = loaded(engine, state)
        before = features(engine, seats, array)
        assert np.isfinite(before).all()
        engine.core.deal(array, state.to_act, source)
        assert (features(engine, seats, array) == before).all()


@every_game
def test_what_is_known_of_one_place_is_known_of_its_neighbour(slug, seats):
    """Two cards of a row that change places change the answers about them, and nothing else."""
    engine = ENGINES[slug]
    at, evaluate = engine.layout, network(engine, seats).evaluate
    array = loaded(engine, next(positions(engine, seats, 1)))
    swapped = array.copy()
    swapped[[at.TABLE, at.TABLE + 1]] = array[[at.TABLE + 1, at.TABLE]]
    batch = np.array([features(engine, seats, array), features(engine, seats, swapped)])
    logits, values = evaluate(batch)
    about = np.arange(at.ACTIONS)
    for base in (at.RESERVE, at.BUY):
        about[[base, base + 1]] = base + 1, base
    own = np.array([item for head in engine.shape(seats).heads for item, _ in head])
    assert {0, 1} <= set(own)
    difference = logits[0] - logits[1]
    changed = np.flatnonzero(abs(difference) > 1e-4)
    assert set(changed) <= {at.RESERVE, at.RESERVE + 1, at.BUY, at.BUY + 1}
    assert len(changed) == 4
    assert values[0] == pytest.approx(values[1], abs=1e-5)
    assert values.sum(1) == pytest.approx(np.ones(2))


@every_game
def test_every_leaf_is_counted_once(slug, seats):
    engine, rng = ENGINES[slug], Random(2)
    bot = Searcher(engine, networked)
    state = list(positions(engine, seats, 1))[20]
    seen, legal = engine.ruleset.observe(state, state.to_act), engine.ruleset.legal_actions(state)
    bot.choose(seen, legal, rng, Limit(sims=600))
    search = search_for(engine, seats)
    assert 600 <= search.forest.total[:, 0].sum() < 680
    assert (search.forest.total[:, 0] > 150).all()
    for tree in range(WORLDS):
        edges = search.edges(tree)
        visits = search.forest.visits[tree, edges]
        assert visits.sum() + 1 == search.forest.total[tree, 0]
        assert (search.forest.value[tree, edges] <= visits + 1e-4).all()
        assert set(search.forest.action[tree, edges]) >= {engine.observed.path(seen, action)[0] for action in legal}
        nodes = search.forest.used[tree, 0]
        inner = search.forest.total[tree, :nodes] - 1
        children = [search.forest.visits[tree, search.edges(tree, node)].sum() for node in range(nodes)]
        assert (inner == children).all()


@every_game
@pytest.mark.parametrize("evaluator", [playouts, networked])
def test_a_victory_within_reach_is_taken(slug, seats, evaluator):
    """In positions where one action ends the game with a victory of the seat to act."""
    engine, found = ENGINES[slug], 0
    ruleset, bot = engine.ruleset, Searcher(engine, evaluator)
    for state in positions(engine, seats, 40 if slug == "splendor" else 15):
        if max(player.points for player in state.players) < 10:
            continue
        wins = []
        for action in ruleset.legal_actions(state):
            after = ruleset.apply(state, action).state
            outcome = ruleset.outcome(after)
            if outcome is not None and state.to_act in outcome.winners:
                wins.append(action)
        if wins and len(wins) < len(ruleset.legal_actions(state)):
            found += 1
            seen = ruleset.observe(state, state.to_act)
            assert bot.choose(seen, ruleset.legal_actions(state), Random(0), Limit(sims=1500)) in wins
        if found == 3:
            break
    assert found


@every_game
def test_what_is_settled_stays(slug, seats, monkeypatch):
    """A search that ends early decides as it would have with all the simulations it was given."""
    engine = ENGINES[slug]
    bot, used, decided = Searcher(engine, networked), [], []
    for ends in (settled, lambda *_: False):
        monkeypatch.setattr("games.bots.search.settled", ends)
        for number, state in zip(range(8), positions(engine, seats, 1), strict=False):
            seen, legal = engine.ruleset.observe(state, state.to_act), engine.ruleset.legal_actions(state)
            decided.append(bot.choose(seen, legal, Random(number), Limit(sims=2500)))
            used.append(search_for(engine, seats).forest.total[:, 0].sum())
    assert decided[:8] == decided[8:]
    assert sum(used[:8]) < sum(used[8:])


@every_game
def test_time_is_kept(slug, seats, monkeypatch):
    monkeypatch.setattr("games.bots.search.settled", lambda *_: False)
    engine = ENGINES[slug]
    bot = Searcher(engine, networked)
    state = next(positions(engine, seats, 1))
    seen, legal = engine.ruleset.observe(state, state.to_act), engine.ruleset.legal_actions(state)
    bot.choose(seen, legal, Random(0), Limit(sims=10))
    started = perf_counter()
    bot.choose(seen, legal, Random(0), Limit(seconds=0.3))
    assert 0.3 <= perf_counter() - started < 2


def test_a_full_tree_goes_on_counting():
    engine = ENGINES["splendor"]
    search = Search(engine, 2, trees=1, nodes=8, edges=300, each=4)
    search.begin(loaded(engine, next(positions(engine, 2, 1)))[None])
    evaluate = networked(engine, 2, Random(0))
    counted = sum(search.advance(evaluate, 4) for _ in range(50))
    assert counted > 100
    assert search.forest.used[0, 0] <= 8
    assert search.forest.total[0, 0] == counted
