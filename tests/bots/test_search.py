"""The walks of a search, and the graph that they grow."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from games.bots.base import Limit
from games.bots.engines import ENGINES
from games.bots.graph import find
from games.bots.jit import chance
from games.bots.plain import playouts
from games.bots.players import networked
from games.bots.search import Search, Searcher, search_for
from tests.bots.positions import every_game, loaded, outcomes_of, positions


@every_game
def test_every_walk_is_counted_once(slug, seats):
    engine, rng = ENGINES[slug], Random(2)
    bot = Searcher(engine, networked)
    state = list(positions(engine, seats, 1))[20]
    seen, legal = engine.ruleset.observe(state, state.to_act), engine.ruleset.legal_actions(state)
    bot.choose(seen, legal, rng, Limit(sims=600))
    search = search_for(engine, seats)
    graph = search.graph
    assert bot.spent().sims == search.walks
    assert 600 <= search.walks < 680
    assert sum(graph.total[search.roots]) == search.walks
    assert {action for root in search.roots for action, _ in search.branches(root)} <= {
        engine.observed.path(seen, action)[0] for action in legal
    }
    nodes = range(int(graph.used[0]))
    assert len({graph.keys[node] for node in nodes}) == len(nodes)
    for node in nodes:
        branches = [branch for _, branch in search.branches(node)]
        if graph.width[node]:
            assert graph.total[node] == 1 + sum(graph.visits[branches])
        assert (graph.worth[node] >= 0).all()
        assert graph.worth[node].sum() == pytest.approx(1, abs=1e-4)
        means = graph.own[node] + (graph.value[branches] * graph.visits[branches][:, None]).sum(0)
        if branches:
            assert graph.worth[node] == pytest.approx(means / graph.total[node], abs=1e-4)
        for branch in branches:
            assert graph.in_flight[branch] == 0
            assert sum(graph.walked[outcome] for outcome, _ in outcomes_of(graph, branch)) == graph.visits[branch]


@every_game
def test_equal_positions_are_one_node(slug, seats):
    """A position is one node, however it is reached, for example by taking the tokens of two turns in either order. A
    position that recurs later is another node, so there are no cycles."""
    engine = ENGINES[slug]
    at, core = engine.layout, engine.core
    search = Search(engine, seats, nodes=10, edges=10, batch=1)
    search.begin(loaded(engine, engine.ruleset.initial(seats, bytes(32)))[None], np.random.default_rng(0))
    graph = search.graph
    actions, order = np.zeros(at.ACTIONS, dtype=np.int32), graph.order[0]

    def after(*chosen):
        state = graph.states[search.roots[0]].astype(np.int32)
        for action in chosen:
            if action not in actions[: core.legal(state, actions)]:
                return None
            core.reveal(state, action, order)
        return state

    takes = range(at.TAKE, at.TAKE + 10)
    for one, between, other in permutations(takes, 3):
        ways = [
            after(*chosen)
            for chosen in ((one, *[between] * (seats - 1), other), (other, *[between] * (seats - 1), one))
        ]
        if all(state is not None for state in ways) and (ways[0] == ways[1]).all():
            break
    else:
        pytest.fail("no two turns can be exchanged")
    first, second = (find(graph, state, seats + 1) for state in ways)
    assert first == second
    assert find(graph, ways[0], seats + 2) != first
    assert find(graph, after(one), 1) not in (first, search.roots[0])


@every_game
def test_revealed_cards_are_drawn_equally_often(slug, seats):
    """Each unseen card of a level is revealed first equally often."""
    engine, rng = ENGINES[slug], np.random.default_rng(4)
    at, core = engine.layout, engine.core
    state = loaded(engine, next(positions(engine, seats, 1)))
    core.deal(state, 0, chance(5))
    core.sort(state)
    left = int(state[at.LEFT])
    unseen = set(state[at.DECK_START[0] : at.DECK_START[0] + left].tolist())
    action, counts = at.RESERVE + at.SLOTS, dict.fromkeys(unseen, 0)
    for _ in range(60 * left):
        after = state.copy()
        assert core.reveal(after, action, rng.permutation(len(at.COST)).astype(np.int32))
        counts[int(after[at.PLAYER + state[at.TO_ACT] * at.WIDTH + at.RESERVED])] += 1
        assert after[at.LEFT] == left - 1
        rest = after[at.DECK_START[0] : at.DECK_START[0] + left]
        assert (np.diff(rest[:-1]) > 0).all()
        assert rest[-1] == 0
    assert set(counts) == unseen
    assert max(abs(count - 60) for count in counts.values()) < 40


@every_game
def test_a_card_taken_from_the_table_is_not_replaced(slug, seats):
    """Nobody can know the next card, so the place stays empty, whatever the order of the hidden cards."""
    engine, rng, taken = ENGINES[slug], np.random.default_rng(4), 0
    at, core = engine.layout, engine.core
    actions = np.zeros(at.ACTIONS, dtype=np.int32)
    decks = slice(at.LEFT, at.PLAYER)
    for state in positions(engine, seats, 5):
        array = loaded(engine, state)
        core.sort(array)
        for action in actions[: core.legal(array, actions)]:
            for base in (at.RESERVE, at.BUY):
                if base <= action < base + at.SLOTS:
                    after = array.copy()
                    assert not core.reveal(after, action, rng.permutation(len(at.COST)).astype(np.int32))
                    table = array[at.TABLE : at.TABLE + at.SLOTS].copy()
                    table[action - base] = at.NONE
                    assert (after[at.TABLE : at.TABLE + at.SLOTS] == table).all()
                    assert (after[decks] == array[decks]).all()
                    taken += 1
    assert taken > 300


@every_game
def test_a_search_finds_no_card_that_is_not_on_the_table(slug, seats):
    engine, at = ENGINES[slug], ENGINES[slug].layout
    search = Search(engine, seats, nodes=8000, edges=400_000, batch=1)
    evaluate, empty = networked(engine, seats, Random(0)), 0
    for state in list(positions(engine, seats, 2))[20::30]:
        array = loaded(engine, state)
        search.begin(array[None], np.random.default_rng(0))
        for _ in range(300):
            search.advance(evaluate)
        tables = search.graph.states[: search.graph.used[0], at.TABLE : at.TABLE + at.SLOTS]
        changed = tables != array[at.TABLE : at.TABLE + at.SLOTS]
        assert (tables[changed] == at.NONE).all()
        empty += changed.sum()
    assert empty > 100


@every_game
def test_taking_tokens_reveals_nothing(slug, seats):
    engine, rng = ENGINES[slug], np.random.default_rng(4)
    state = loaded(engine, next(positions(engine, seats, 1)))
    engine.core.sort(state)
    after = [state.copy() for _ in range(2)]
    for copy in after:
        assert not engine.core.reveal(copy, 0, rng.permutation(len(engine.layout.COST)).astype(np.int32))
    assert (after[0] == after[1]).all()


@every_game
def test_a_walk_keeps_to_its_order_of_the_hidden_cards(slug, seats):
    """An action that reveals a card leads to one outcome for each order, the same whenever the order comes again. After
    the end of the game no order matters."""
    engine = ENGINES[slug]
    search = Search(engine, seats, nodes=5000, edges=300_000, batch=1)
    evaluate, revealed, over, most = playouts(engine, seats, Random(0)), 0, 0, 0
    for state in list(positions(engine, seats, 20))[40::80]:
        search.begin(loaded(engine, state)[None], np.random.default_rng(0))
        for _ in range(300):
            search.advance(evaluate)
        graph, at = search.graph, engine.layout
        for node in range(int(graph.used[0])):
            for action, branch in search.branches(node):
                outcomes = list(outcomes_of(graph, branch))
                orders = [order for _, drawn in outcomes for order in drawn]
                assert len(set(orders)) == len(orders)
                most = max(most, len(orders))
                assert len(outcomes) == 1 or graph.reveals[branch]
                for outcome, drawn in outcomes:
                    child = graph.states[graph.child[outcome]]
                    over += child[at.TO_ACT] < 0
                    assert not (child[at.TO_ACT] < 0 and graph.reveals[branch])
                    for order in drawn:
                        after = graph.states[node].astype(np.int32)
                        revealed += engine.core.reveal(after, action, graph.order[order])
                        assert (after == child).all()
    assert most == len(graph.order)
    # In Splendor, a search reveals only cards reserved from a deck.
    assert revealed > (500 if slug == "duel" else 40)
    assert over


def test_a_full_graph_ends_the_search():
    engine = ENGINES["splendor"]
    search = Search(engine, 2, nodes=8, edges=300, batch=4)
    search.begin(loaded(engine, next(positions(engine, 2, 1)))[None], np.random.default_rng(0))
    evaluate = networked(engine, 2, Random(0))
    counted = [search.advance(evaluate, 4) for _ in range(50)]
    assert counted[-1] == 0
    assert 0 < sum(counted) == search.walks <= 20
    assert search.graph.used[0] == 8
