"""The training data of networks, from games against themselves, and matches between networks."""

from random import Random

import numpy as np
import pytest

from games.bots.engines import ENGINES
from games.bots.jit import below, chance
from games.bots.network import Network
from games.bots.players import networked
from games.bots.search import Search
from games.bots.train import compare, jobs, title
from games.bots.train.colours import NCOLOURS
from games.bots.train.grow import grown
from games.bots.train.loops import loops
from games.bots.train.selfplay import FORCED, TrainingPlan, deal, endings, play, pruned, targets

GAMES = [(slug, seats) for slug, engine in ENGINES.items() for seats in engine.ruleset.seats]
PLAN = TrainingPlan(sims=6, full_sims=12, full=0.5)


@pytest.mark.parametrize(("slug", "seats"), GAMES)
def test_samples_are_positions_of_the_games(slug, seats):
    engine, rng = ENGINES[slug], Random(0)
    table = [(deal(engine, seats, rng), [0] * seats) for _ in range(4)]
    shares, samples = play(engine, seats, [networked(engine, seats, rng)], table, PLAN, rng, at_once=3)
    assert np.array(shares).sum(1) == pytest.approx(np.ones(4))
    assert len(samples.states) > 4 * 10
    assert samples.policy.astype(np.float32).sum(1) == pytest.approx(np.ones(len(samples.states)), abs=0.01)
    assert samples.outcome.astype(np.float32).sum(1) == pytest.approx(np.ones(len(samples.states)), abs=0.01)
    assert ((samples.expected >= 0) & (samples.expected <= 1)).all()
    assert samples.final.shape == (len(samples.states), endings(seats))
    assert ((samples.final >= 0) & (samples.final < 4)).all()
    features = np.empty((len(samples.states), engine.shape(seats).features), dtype=np.float32)
    illegal = np.empty((len(samples.states), engine.shape(seats).actions), dtype=np.float32)
    loops(engine).encode_all(samples.states.astype(np.int32), features, illegal)
    assert (samples.policy[illegal == 1] == 0).all()
    assert ((illegal == 0).sum(1) > 1).all()


@pytest.mark.parametrize(("slug", "seats"), GAMES)
def test_networks_learn_from_positions_with_unknown_cards(slug, seats):
    """In about half of the positions, some cards of the table are among the cards to come, and the policy is about the
    remaining actions."""
    engine, rng = ENGINES[slug], Random(4)
    at = engine.layout
    table = [(deal(engine, seats, rng), [0] * seats) for _ in range(6)]
    _, samples = play(engine, seats, [networked(engine, seats, rng)], table, PLAN, rng)
    states, policy = samples.states.astype(np.int32), samples.policy.astype(np.float32)
    loops(engine).hide(states, policy, chance(5))
    places = slice(at.TABLE, at.TABLE + at.SLOTS)
    emptied = (states[:, places] != samples.states[:, places]).sum(1)
    assert 0.3 < (emptied > 0).mean() < 0.6
    assert emptied.max() == 3
    for before, after in zip(samples.states, states, strict=True):
        gone = before[places][before[places] != after[places]]
        assert (after[places][before[places] != after[places]] == at.NONE).all()
        for level in range(3):
            deck = slice(at.DECK_START[level], at.DECK_START[level] + int(after[at.LEFT + level]))
            known = slice(at.DECK_START[level], at.DECK_START[level] + int(before[at.LEFT + level]))
            assert sorted(after[deck]) == sorted([*before[known], *gone[at.LEVEL[gone] == level]])
    features = np.empty((len(states), engine.shape(seats).features), dtype=np.float32)
    illegal = np.empty((len(states), engine.shape(seats).actions), dtype=np.float32)
    loops(engine).encode_all(states, features, illegal)
    assert (policy[illegal == 1] == 0).all()
    shares = policy.sum(1)
    assert shares[shares > 0] == pytest.approx(1, abs=0.01)
    assert policy[emptied == 0] == pytest.approx(samples.policy[emptied == 0], abs=0.01)
    assert 0 < (shares == 0).mean() < 0.2


def later(colour):
    """The next colour; pearls, gold and no colour stay the same."""
    return (colour + 1) % NCOLOURS if 0 <= colour < NCOLOURS else colour


def roll(state, first):
    """Exchange five numbers of the state, one for each colour."""
    state[first : first + NCOLOURS] = np.roll(state[first : first + NCOLOURS], 1)


def next_cards(at):
    """For each card, the one that is the same in the next colours, or `NONE`."""
    facts = [values for name, values in vars(at).items() if isinstance(values, np.ndarray) and values is not at.COST]
    facts = [values.tolist() for values in facts if len(values) == len(at.COST) and values is not at.BONUS]
    keys = list(zip(at.COST.tolist(), at.BONUS.tolist(), *facts, strict=True))
    return [
        keys.index(wanted) if (wanted := ([*np.roll(cost[:5], 1), *cost[5:]], later(bonus), *same)) in keys else at.NONE
        for cost, bonus, *same in keys
    ]


def in_next_colours(at, state, cards):
    """The state with every colour one place later."""
    after = state.copy()
    for slot in range(at.TABLE, at.TABLE + at.SLOTS):
        after[slot] = cards[state[slot]] if state[slot] >= 0 else at.NONE
    for seat in range(state[at.SEATS]):
        player = at.PLAYER + seat * at.WIDTH
        for kinds in ("TOKENS", "BONUSES", "COLOUR_POINTS"):
            if hasattr(at, kinds):
                roll(after, player + getattr(at, kinds))
        for place in range(player + at.RESERVED, player + at.RESERVED + state[player + at.HELD]):
            after[place] = cards[state[place]]
    if hasattr(at, "BANK"):
        roll(after, at.BANK)
        needs = at.NEEDS.tolist()
        for place in range(at.NOBLE, at.NOBLE + state[at.SEATS] + 1):
            if state[place] >= 0:
                after[place] = needs.index(np.roll(at.NEEDS[state[place]], 1).tolist())
    else:
        roll(after, at.BAG)
        after[at.CARD] = cards[state[at.CARD]] if state[at.CARD] >= 0 else at.NONE
        for space in range(at.BOARD, at.BOARD + at.NSPACES):
            after[space] = later(state[space])
    return after


@pytest.mark.parametrize(("slug", "seats"), GAMES)
def test_a_position_in_other_colours_has_the_same_features_in_another_order(slug, seats):
    engine, rng, source = ENGINES[slug], Random(6), chance(6)
    at = engine.layout
    cards = next_cards(at)
    paired = [card for card, other in enumerate(cards) if other != at.NONE]
    assert len(paired) > 0.6 * len(cards)
    order, actions = title(slug).turned(seats, 1)
    legal, compared = np.empty(at.ACTIONS, dtype=np.int32), 0
    for _ in range(10):
        state = deal(engine, seats, rng)
        while state[at.TO_ACT] >= 0:
            shown = state.copy()
            shown[at.LEFT : at.LEFT + 3] = 0
            for place in (*range(at.TABLE, at.TABLE + at.SLOTS), *([at.CARD] if slug == "duel" else [])):
                if shown[place] >= 0 and cards[shown[place]] == at.NONE:
                    shown[place] = rng.choice(paired)
            for seat in range(seats):
                player = at.PLAYER + seat * at.WIDTH
                for place in range(player + at.RESERVED, player + at.RESERVED + shown[player + at.HELD]):
                    if cards[shown[place]] == at.NONE:
                        shown[place] = rng.choice(paired)
            both = np.array([shown, in_next_colours(at, shown, cards)])
            features = np.empty((2, engine.shape(seats).features), dtype=np.float32)
            illegal = np.empty((2, at.ACTIONS), dtype=np.float32)
            loops(engine).encode_all(both, features, illegal)
            assert features[1] == pytest.approx(features[0][order], abs=1e-6)
            if state[at.PHASE] != at.RETURN:
                assert (illegal[1] == illegal[0][actions]).all()
                compared += 1
            count = engine.core.legal(state, legal)
            engine.core.step(state, legal[below(source, count)])
    assert compared > 300


@pytest.mark.parametrize(("slug", "seats"), GAMES)
def test_the_result_of_a_match_is_the_share_of_the_first_network(slug, seats, tmp_path):
    """A network that knows nothing loses the same deal in both seatings; at best one game is cut off and shared."""
    trained, blank = ENGINES[slug].weights(seats), tmp_path / "blank.npz"
    np.savez(blank, **{name: np.zeros_like(weight) for name, weight in np.load(trained).items()})
    assert sum(jobs.match(slug, seats, [trained, blank], 2, "0", sims=16)) >= 1.5
    assert sum(jobs.match(slug, seats, [blank, trained], 2, "0", sims=16)) <= 0.5


def test_two_networks_are_compared(monkeypatch, capsys):
    weights = str(ENGINES["duel"].weights(2))
    monkeypatch.setattr(compare, "BATCH", 2)
    monkeypatch.setattr("sys.argv", ["compare", "duel", weights, weights, "--games", "4", "--sims", "1"])
    compare.main()
    first, second = capsys.readouterr().out.splitlines()
    assert (first.split(": ")[0], second.split(": ")[0]) == ("2 games", "4 games")


@pytest.mark.parametrize(("slug", "seats"), GAMES)
def test_every_deal_is_the_same_in_both_seatings(slug, seats):
    """With equal players, the seating makes no difference."""
    engine = ENGINES[slug]
    state = deal(engine, seats, Random(1))
    before = state.copy()
    results = []
    for seating in ([0] * seats, [1] * seats):
        rng = Random(2)
        player = networked(engine, seats, rng)
        plan = TrainingPlan(sims=6, full_sims=6, explore=False)
        results.append(play(engine, seats, [player, player], [(state, seating)], plan, rng, at_once=1)[0])
    assert (state == before).all()
    assert (results[0][0] == results[1][0]).all()


def test_values_mix_the_outcome_and_the_expectation():
    """Half outcome, half expectation; the other seats share the rest in proportion to their outcomes."""
    outcome = np.array([[1, 0, 0], [0, 1, 0], [0, 0.5, 0.5]], dtype=np.float32)
    expected = np.array([0.6, 0.4, 0.2], dtype=np.float32)
    assert targets(outcome, expected) == pytest.approx(
        np.array([[0.8, 0.1, 0.1], [0.2, 0.8, 0], [0.1, 0.45, 0.45]]), abs=1e-6
    )


@pytest.mark.parametrize(("slug", "seats"), GAMES)
def test_networks_do_not_learn_forced_visits(slug, seats):
    """Each action keeps only the visits that it deserves in comparison with the most visited one."""
    engine, rng = ENGINES[slug], Random(3)
    state = deal(engine, seats, rng)
    search = Search(engine, seats, 500, 20_000, 1)
    search.begin(state.copy()[None], np.random.default_rng(0))
    evaluate = networked(engine, seats, rng)
    for _ in range(300):
        search.advance(evaluate, 1, FORCED)
    visits = search.visits(search.roots)
    kept = pruned(search, int(search.roots[0]), int(state[engine.layout.TO_ACT]))
    assert (kept <= visits).all()
    assert kept.argmax() == visits.argmax()
    assert kept.max() == visits.max()
    assert kept.sum() < visits.sum()


@pytest.mark.parametrize("seats", [3, 4])
def test_a_grown_network_treats_equal_opponents_like_the_only_one(seats):
    engine, rng = ENGINES["splendor"], np.random.default_rng(0)
    at, two, more = engine.layout, engine.shape(2), engine.shape(seats)
    item_sources, context_sources = ([source for source, _ in part] for part in title("splendor").from_two(seats))
    rows = rng.random((two.items, two.item_features), dtype=np.float32)
    rows[-3:], rows[:, -1] = rows[-1], 0  # three equal nobles; no card says which opponent holds it
    context = rng.random(two.contexts, dtype=np.float32)
    context[[source for source in context_sources if context_sources.count(source) == seats - 1][-1]] = 0
    hand = [*range(at.SLOTS + at.HAND, at.SLOTS + 2 * at.HAND)]
    wide = rows[[*range(at.SLOTS + at.HAND), *hand * (seats - 1), *[-1] * (seats + 1)]][:, item_sources]
    logits, values = Network.load(two, engine.weights(2)).evaluate(np.append(rows, context)[None])
    more_logits, more_values = grown(engine, seats).evaluate(np.append(wide, context[context_sources])[None])
    shared = [action for action in range(more.actions) if not at.VISIT + 3 <= action < at.VISIT + seats + 1]
    assert more_logits[0, shared] == pytest.approx(logits[0, shared], abs=1e-3)
    assert more_values[0, 1:] == pytest.approx(more_values[0, 1])
    assert more_values[0, 0] / more_values[0, 1] == pytest.approx(values[0, 0] / values[0, 1], rel=1e-3)
