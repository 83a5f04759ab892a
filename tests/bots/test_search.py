"""The search, the network and the features that both titles share."""

from itertools import count, permutations
from random import Random

import numpy as np
import pytest

from games.bots.base import Limit
from games.bots.common import Layout, unseen
from games.bots.engines import ENGINES
from games.bots.graph import find
from games.bots.instinct import Instinct
from games.bots.jit import chance
from games.bots.network import Network
from games.bots.plain import playouts
from games.bots.players import networked
from games.bots.search import MIN_FOR_WORLDS, WORLDS, Search, Searcher, best, best_path, search_for

GAMES = [(slug, seats) for slug, engine in ENGINES.items() for seats in engine.ruleset.seats]
every_game = pytest.mark.parametrize(("slug", "seats"), GAMES)


def positions(engine, seats, games, plies=400):
    """Positions of random games with at least two choices, as states of the rules."""
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
    """The observation of the seat to act as an array."""
    return engine.observed.load(engine.ruleset.observe(state, state.to_act))


def features(engine, seats, array):
    found = np.empty(engine.shape(seats).features, dtype=np.float32)
    engine.features.encode(array, found)
    return found


def network(engine, seats):
    """A network with random weights."""
    rng = np.random.default_rng(0)
    sizes = engine.shape(seats).weights
    return Network(engine.shape(seats), {name: rng.normal(size=size) / 10 for name, size in sizes.items()})


def outcomes_of(graph, branch):
    """The outcomes of a branch, each with the orders of the hidden cards in which it is drawn."""
    outcome, orders = graph.outcome[branch], range(len(graph.order))
    while outcome >= 0:
        yield outcome, [order for order in orders if graph.drawn[outcome] >> order & 1]
        outcome = graph.following[outcome]


@every_game
def test_a_network_reads_only_what_the_seat_to_act_may_know(slug, seats):
    engine, source = ENGINES[slug], chance(1)
    for state in positions(engine, seats, 5):
        array = loaded(engine, state)
        before = features(engine, seats, array)
        assert np.isfinite(before).all()
        engine.core.deal(array, state.to_act, source)
        assert (features(engine, seats, array) == before).all()


def test_a_lost_network_is_an_error():
    with pytest.raises(FileNotFoundError):
        networked(ENGINES["duel"], 3, Random(0))


@every_game
def test_swapping_two_cards_swaps_their_evaluations(slug, seats):
    """Swapping two cards of a row swaps the answers about them and changes nothing else."""
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
@pytest.mark.parametrize("evaluator", [playouts, networked])
def test_an_evaluation_leaves_the_positions_as_they_are(slug, seats, evaluator):
    engine = ENGINES[slug]
    search = Search(engine, seats, nodes=200, edges=8000, batch=16)
    search.begin(loaded(engine, next(positions(engine, seats, 1)))[None], np.random.default_rng(0))
    evaluate = evaluator(engine, seats, Random(0))

    def checked(leaves, count):
        before = leaves.states.copy()
        found = evaluate(leaves, count)
        assert (leaves.states == before).all()
        return found

    for _ in range(10):
        search.advance(checked, 16)


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
def test_an_empty_place_reads_as_the_mean_of_the_cards_that_may_come(slug, seats):
    engine, seen = ENGINES[slug], 0
    at, shape = engine.layout, engine.shape(seats)
    for state in positions(engine, seats, 3):
        array = loaded(engine, state)
        for slot in (0, at.SLOTS - 1):
            deck = int(at.LEVEL[array[at.TABLE + slot]])
            if array[at.TABLE + slot] == at.NONE or not array[at.LEFT + deck]:
                continue
            cards = np.zeros(len(at.COST), dtype=np.int32)
            count = unseen(array, Layout.of(at), deck, state.to_act, cards)
            items = []
            for card in (at.NONE, *cards[:count]):
                array[at.TABLE + slot] = card
                found = features(engine, seats, array)
                items.append(found[slot * shape.item_features : (slot + 1) * shape.item_features])
            assert items[0] == pytest.approx(np.mean(items[1:], axis=0), abs=1e-5)
            array = loaded(engine, state)
            seen += 1
    assert seen > 100


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


def test_a_full_graph_ends_the_search():
    engine = ENGINES["splendor"]
    search = Search(engine, 2, nodes=8, edges=300, batch=4)
    search.begin(loaded(engine, next(positions(engine, 2, 1)))[None], np.random.default_rng(0))
    evaluate = networked(engine, 2, Random(0))
    counted = [search.advance(evaluate, 4) for _ in range(50)]
    assert counted[-1] == 0
    assert 0 < sum(counted) == search.walks <= 20
    assert search.graph.used[0] == 8
