"""The network and the features that both titles share."""

from random import Random

import numpy as np
import pytest

from games.bots.common import Layout, unseen
from games.bots.engines import ENGINES
from games.bots.jit import chance
from games.bots.plain import playouts
from games.bots.players import networked
from games.bots.search import Search
from tests.bots.positions import every_game, features, loaded, network, positions


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
