"""Bots that decide at first sight."""

from random import Random

import numpy as np
import pytest

from games.bots import arena
from games.bots.base import Limit
from games.bots.engines import PLAYERS
from games.bots.instinct import BUY, Instinct
from games.bots.plain import playouts
from games.bots.players import networked
from games.bots.search import Search, worlds
from games.bots.tally import Tally
from games.catalogue import TITLES

SHARE = 0.2


def positions(slug, bot):
    """The positions at the start of turns in a game of that bot, each with the legal actions."""
    ruleset = TITLES[slug].ruleset
    state, rng = ruleset.initial(2, bytes(32)), Random(0)
    while state.to_act is not None:
        seen, legal = ruleset.observe(state, state.to_act), ruleset.legal_actions(state)
        if len(legal) > 1:
            yield seen, legal
        state = ruleset.apply(state, bot.choose(seen, legal, rng, Limit())).state


def priors(engine, seen):
    """The prior of each first action of the core, as a search finds it."""
    search = Search(engine, len(seen.players), 10, 2000, 1)
    search.begin(worlds(engine, seen, 1, Random(0)), np.random.default_rng(0))
    search.advance(networked(engine, len(seen.players), Random(0)))
    graph, root = search.graph, search.roots[0]
    edges = slice(graph.first[root], graph.first[root] + graph.width[root])
    return dict(zip(graph.action[edges].tolist(), graph.prior[edges].tolist(), strict=True))


@pytest.mark.parametrize("slug", PLAYERS)
def test_it_draws_every_action_that_seems_good_and_no_other(slug):
    engine = PLAYERS[slug].engine
    bot, wide = Instinct(engine, networked, SHARE), 0
    for seen, legal in positions(slug, bot):
        prior = priors(engine, seen)
        firsts = {action: engine.observed.path(seen, action)[0] for action in legal}
        least = SHARE * max(prior[first] for first in firsts.values())
        good = {first for first in firsts.values() if prior[first] >= least}
        if all(abs(prior[first] - least) > 1e-4 for first in firsts.values()):
            rng = Random(len(good))
            drawn = {firsts[bot.choose(seen, legal, rng, Limit())] for _ in range(12 * len(good))}
            assert drawn == good
            wide += len(good) > 1
    assert wide > 5


@pytest.mark.parametrize("slug", PLAYERS)
def test_without_a_choice_of_shares_it_takes_the_action_with_the_highest_prior(slug):
    engine = PLAYERS[slug].engine
    bot = Instinct(engine, networked)
    for seen, legal in positions(slug, bot):
        prior = priors(engine, seen)
        firsts = {action: engine.observed.path(seen, action)[0] for action in legal}
        chosen = firsts[bot.choose(seen, legal, Random(0), Limit())]
        assert prior[chosen] == max(prior[first] for first in firsts.values())


@pytest.mark.parametrize("slug", PLAYERS)
def test_the_beginner_buys_whenever_it_can(slug):
    bot, bought = PLAYERS[slug].beginner(), 0
    for seen, legal in positions(slug, bot):
        if any(action.word == BUY for action in legal):
            assert bot.choose(seen, legal, Random(0), Limit()).word == BUY
            bought += 1
    assert bought > 5


@pytest.mark.parametrize("slug", PLAYERS)
def test_it_can_do_without_a_network(slug):
    """Decisions of several actions need a second evaluation, in the position after the first action."""
    engine, several = PLAYERS[slug].engine, 0
    bot = Instinct(engine, playouts)
    for seen, legal in positions(slug, bot):
        action = bot.choose(seen, legal, Random(0), Limit())
        several += len(engine.observed.path(seen, action)) > 1
    assert several


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "seats"),
    [
        pytest.param(slug, seats, marks=[pytest.mark.long] if seats > 2 else [])
        for slug in PLAYERS
        for seats in TITLES[slug].ruleset.seats
    ],
)
@pytest.mark.parametrize("pair", [("easy", "beginner"), ("medium", "easy")], ids="-".join)
def test_each_strength_beats_the_one_below(slug, seats, pair):
    """By a fair share, it would win one game in `seats`."""
    stronger, weaker = (TITLES[slug].bot(name) for name in pair)
    tally, games = Tally(), 20 * seats
    bots = [("stronger", stronger), *[("weaker", weaker)] * (seats - 1)]
    for record in arena.series(TITLES[slug].ruleset, bots, games, "instinct", paired=True):
        tally.add(record.result)
    assert tally.bots["stronger"] > 1.3 * games / seats
