"""How a search decides: after how long, and what."""

from itertools import count
from random import Random

import numpy as np
import pytest

from games.bots.base import Limit
from games.bots.engines import ENGINES
from games.bots.instinct import Instinct
from games.bots.plain import playouts
from games.bots.players import networked
from games.bots.search import MIN_FOR_WORLDS, WORLDS, Search, Searcher, best, best_path, search_for
from tests.bots.positions import every_game, loaded, positions


@pytest.mark.parametrize(
    ("visits", "value", "is_best"),
    [(40, 0.55, True), (20, 0.55, True), (40, 0.51, False), (10, 1, True), (9, 1, False)],
)
def test_the_best_action_has_a_high_value_after_enough_visits(visits, value, is_best):
    engine = ENGINES["splendor"]
    search = Search(engine, 2, nodes=100, edges=4000, batch=1)
    search.begin(loaded(engine, next(positions(engine, 2, 1)))[None], np.random.default_rng(0))
    for _ in range(90):
        search.advance(networked(engine, 2, Random(0)))
    [root] = search.roots.tolist()
    graph, branches = search.graph, search.branches(root)
    graph.value[[branch for _, branch in branches]] = 0
    (most, first), (other, second) = branches[:2]
    graph.visits[[first, second]] = 100, visits
    graph.value[[first, second], graph.states[root, engine.layout.TO_ACT]] = 0.5, value
    assert best(search, [root], [action for action, _ in branches]) == (other if is_best else most)


@every_game
def test_without_visits_the_likeliest_action_is_the_best(slug, seats):
    engine = ENGINES[slug]
    searcher, instinct = Searcher(engine, networked), Instinct(engine, networked, 1.0)
    for state in list(positions(engine, seats, 2))[::20]:
        legal, seen = engine.ruleset.legal_actions(state), engine.ruleset.observe(state, state.to_act)
        first, likeliest = (
            engine.observed.path(seen, bot.choose(seen, legal, Random(0), Limit(sims=1)))[0]
            for bot in (searcher, instinct)
        )
        assert first == likeliest


def test_what_follows_a_blind_reservation_counts_in_all_orders_of_the_cards():
    """Where Duel's gold is best depends on the card that comes, and nobody knows it at that time."""
    engine = ENGINES["duel"]
    state = engine.ruleset.initial(2, bytes(32))
    seen, legal = engine.ruleset.observe(state, state.to_act), engine.ruleset.legal_actions(state)
    search = Search(engine, 2, nodes=8000, edges=400_000, batch=1)
    search.begin(loaded(engine, state)[None], np.random.default_rng(0))
    logits, values = np.zeros((1, engine.layout.ACTIONS), np.float32), np.full((1, 2), 0.5, np.float32)
    for _ in range(6000):
        search.advance(lambda leaves, count: (logits, values))
    [root] = search.roots.tolist()
    paths = [path for path in (tuple(engine.observed.path(seen, action)) for action in legal) if len(path) == 2]
    blind = [path for path in paths if path[0] == paths[-1][0]]
    graph, mover = search.graph, state.to_act
    children = list(search.children(dict(search.branches(root))[blind[0][0]]))
    assert len(children) == len(graph.order)
    golds = [gold for _, gold in blind[:2]]
    for number, child in enumerate(children):
        branches = dict(search.branches(child))
        for gold in golds:
            graph.visits[branches[gold]] = 100
            graph.value[branches[gold], mover] = 0.6 if (gold == golds[0]) == (number == 0) else 0.5
    assert best_path(search, blind) == blind[1]


def test_equal_worlds_count_once():
    """Two of three worlds are equal, and prefer one action; the third prefers the other one by more."""
    engine = ENGINES["splendor"]
    search = Search(engine, 2, nodes=200, edges=8000, batch=3)
    worlds = np.stack([loaded(engine, next(positions(engine, 2, 1)))] * 3)
    worlds[2, engine.layout.PLAYER + engine.layout.POINTS] += 1
    search.begin(worlds, np.random.default_rng(0))
    for _ in range(30):
        search.advance(networked(engine, 2, Random(0)))
    first, again, other = search.roots.tolist()
    assert first == again != other
    actions = [action for action, _ in search.branches(first)[:2]]
    for root, values in ((first, (0.6, 0.4)), (other, (0.3, 0.65))):
        branches, mover = dict(search.branches(root)), search.graph.states[root, engine.layout.TO_ACT]
        for action, value in zip(actions, values, strict=True):
            search.graph.visits[branches[action]] = 100
            search.graph.value[branches[action], mover] = value
    assert best_path(search, [(action,) for action in actions]) == (actions[1],)


def test_a_long_search_looks_at_a_hidden_hand_in_several_worlds():
    engine = ENGINES["splendor"]
    state = engine.ruleset.initial(2, bytes(32))
    for text, roots in (("reserve L1", 1), ("take wug", WORLDS)):
        legal = engine.ruleset.legal_actions(state)
        seen = engine.ruleset.observe(state, state.to_act)
        for sims, expected in ((MIN_FOR_WORLDS - 1, 1), (MIN_FOR_WORLDS, roots)):
            Searcher(engine, networked).choose(seen, legal, Random(0), Limit(sims=sims))
            assert len(search_for(engine, 2).roots) == expected
        state = engine.ruleset.apply(state, engine.ruleset.parse(text)).state


@every_game
@pytest.mark.parametrize("evaluator", [playouts, networked])
def test_a_victory_within_reach_is_taken(slug, seats, evaluator):
    """In these positions one action wins the game for the seat to act."""
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
def test_the_search_keeps_to_its_time(slug, seats, monkeypatch):
    engine = ENGINES[slug]
    bot = Searcher(engine, networked)
    state = next(positions(engine, seats, 1))
    seen, legal = engine.ruleset.observe(state, state.to_act), engine.ruleset.legal_actions(state)
    readings = count()
    monkeypatch.setattr("games.bots.base.perf_counter", lambda: next(readings))
    bot.choose(seen, legal, Random(0), Limit(seconds=3))
    # The clock is read at the start, and after each step until three seconds have passed.
    assert next(readings) == 1 + 3
