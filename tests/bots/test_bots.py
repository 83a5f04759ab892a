"""Properties of every bot in the catalogue, and the strength of the greedy ones."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots import arena
from games.bots.base import Limit
from games.bots.random_bot import RandomBot
from games.bots.tally import Tally
from games.catalogue import TITLES

BOTS = [(slug, seats, name) for slug, title in TITLES.items() for seats in title.ruleset.seats for name in title.bots]
LIMIT = Limit(sims=40)
every_bot = pytest.mark.parametrize(("slug", "seats", "name"), BOTS)


def position(ruleset, seats, seed, rng, plies):
    """A position of a random game after that many decisions, or its last one before the end."""
    state = ruleset.initial(seats, seed)
    for _ in range(plies):
        after = ruleset.apply(state, rng.choice(ruleset.all_actions(state))).state
        if after.to_act is None:
            break
        state = after
    return state


@every_bot
@given(seed=st.binary(min_size=32, max_size=32), choice=st.integers(0, 2**32 - 1), plies=st.integers(0, 120))
def test_choices_are_legal_and_depend_only_on_the_observation(slug, seats, name, seed, choice, plies):
    """Two states with equal observations get the same choice from equal random sources."""
    title = TITLES[slug]
    ruleset, bot = title.ruleset, title.bot(name)
    state = position(ruleset, seats, seed, Random(choice), plies)
    seen = ruleset.observe(state, state.to_act)
    other = ruleset.determinize(seen, Random(choice))
    legal = ruleset.all_actions if bot.variants else ruleset.legal_actions
    chosen = bot.choose(seen, legal(state), Random(choice), LIMIT)
    assert chosen in legal(state)
    assert title.bot(name).choose(ruleset.observe(other, other.to_act), legal(other), Random(choice), LIMIT) == chosen


@every_bot
def test_choices_are_the_same_in_another_process(slug, seats, name):
    title = TITLES[slug]
    ruleset, bot = title.ruleset, title.bot(name)
    state = ruleset.initial(seats, bytes(32))
    seen, legal = ruleset.observe(state, 0), ruleset.legal_actions(state)
    sent = pickle.loads(pickle.dumps(bot))
    assert sent.choose(seen, legal, Random(0), LIMIT) == bot.choose(seen, legal, Random(0), LIMIT)


def test_random_draws_from_all_equally():
    ruleset = TITLES["splendor"].ruleset
    legal = ruleset.all_actions(ruleset.initial(2, bytes(32)))
    rng = Random(0)
    drawn = [RandomBot().choose(None, legal, rng, Limit()) for _ in range(100 * len(legal))]
    assert all(60 < drawn.count(action) < 140 for action in legal)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "seats", "games", "least"),
    [("splendor", 2, 20, 20), ("splendor", 3, 10, 10), ("splendor", 4, 10, 10), ("duel", 2, 10, 10)]
    + [
        pytest.param(*played, marks=pytest.mark.long)
        for played in (
            ("splendor", 2, 200, 196),
            ("splendor", 3, 60, 58),
            ("splendor", 4, 60, 58),
            ("duel", 2, 100, 98),
        )
    ],
)
def test_greedy_beats_random(slug, seats, games, least):
    title = TITLES[slug]
    bots = [("greedy", title.bot("greedy"))] + [("random", title.bot("random"))] * (seats - 1)
    tally = Tally()
    for record in arena.series(title.ruleset, bots, games, "strength"):
        tally.add(record.result)
    assert tally.finished == games
    assert tally.bots["greedy"] >= least


@pytest.mark.parametrize(("slug", "seats"), [("splendor", 2), ("splendor", 3), ("splendor", 4), ("duel", 2)])
def test_greedy_ends_its_games_against_itself(slug, seats):
    bots = [("greedy", TITLES[slug].bot("greedy"))] * seats
    for record in arena.series(TITLES[slug].ruleset, bots, 10, "end"):
        assert record.outcome is not None
        assert len(record.notations) < 60 * seats


@pytest.mark.parametrize("name", ["dealer", ""])
def test_a_title_has_only_the_bots_of_its_line(name):
    with pytest.raises(KeyError):
        TITLES["duel"].bot(name)
