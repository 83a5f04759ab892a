"""Series of games: what they repeat, who sits where, what is counted and what is reported."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from games.bots import arena
from games.catalogue import TITLES
from games.rules.base import Outcome, Step
from games.rules.splendor.ruleset import Splendor
from games.rules.splendor.state import Phase
from tests.rules import transcripts

CASES = [(slug, seats) for slug, title in TITLES.items() for seats in title.ruleset.seats]


def entrants(slug, *names):
    return [(name, TITLES[slug].bot(name)) for name in names]


def series(slug, names, games, seed="test", ruleset=None):
    return list(arena.series(ruleset or TITLES[slug].ruleset, entrants(slug, *names), games, seed))


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_a_game_is_what_its_moves_make_of_its_seed(slug, seats):
    ruleset = TITLES[slug].ruleset
    for record in series(slug, ["random"] * seats, 3):
        *_, step = ruleset.replay(seats, record.seed, record.notations)
        assert record.violation == ""
        assert record.outcome == ruleset.outcome(step.state) is not None


@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random")])
@pytest.mark.parametrize("slug", TITLES)
def test_equal_seeds_play_equal_games(slug, names):
    games = series(slug, names, 3)
    assert series(slug, names, 3) == games
    assert series(slug, names, 2) == games[:2]
    assert len({record.seed for record in games + series(slug, names, 3, seed="other")}) == 6


def test_bots_move_round_the_seats():
    assert [record.bots for record in series("splendor", ["greedy", "random", "random"], 4)] == [
        ("greedy", "random", "random"),
        ("random", "random", "greedy"),
        ("random", "greedy", "random"),
        ("greedy", "random", "random"),
    ]


def test_long_games_are_cut_and_count_as_unfinished(monkeypatch):
    monkeypatch.setattr(arena, "LONGEST", 7)
    tally = arena.Tally()
    for record in series("duel", ["random", "random"], 2):
        assert (record.outcome, record.violation) == (None, "")
        tally.add(record)
    assert (tally.lengths, tally.finished, tally.unfinished, tally.violations) == ([7, 7], 0, 2, 0)


def test_a_shared_victory_is_split():
    (record,) = series("splendor", ["random", "greedy", "random"], 1)
    tally = arena.Tally()
    for winners in ((0, 1, 2), (0, 2), (1,)):
        tally.add(replace(record, outcome=Outcome(winners, (15, 15, 15), "shared")))
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert tally.seats == {0: third + half, 1: third + 1, 2: third + half}
    assert tally.bots == {"random": 2 * (third + half), "greedy": third + 1}


class Leaky(Splendor):
    """Loses all gold when three are left, and so breaks its own invariants."""

    def apply(self, state, action):
        step = super().apply(state, action)
        if step.state.bank[-1] != 3:
            return step
        data = self.dump(step.state)
        data["bank"] = (*data["bank"][:-1], 0)
        return Step(self.load(data))


class Crashing(Splendor):
    """Does not know what to do when tokens are to be returned."""

    def legal_actions(self, state):
        return [] if Phase.RETURN in state.phases else super().legal_actions(state)

    all_actions = legal_actions


def test_a_broken_invariant_is_reported_with_its_moves(tmp_path):
    leaky = Leaky()
    for record in series("splendor", ["random", "random"], 5, ruleset=leaky):
        assert record.violation.startswith("tokens: ")
        assert record.outcome is None
        *_, before, after = leaky.replay(2, record.seed, record.notations)
        assert leaky.faults(before.state) == []
        assert "\n".join(leaky.faults(after.state)) == record.violation
        file = tmp_path / "violation.txt"
        file.write_text(record.reproduction)
        assert record.reproduction.splitlines()[0] == f"# {record.violation}"
        transcripts.replay(file)  # with the true rules nothing is wrong


def test_an_exception_is_reported_with_the_moves_before_it():
    (record,) = series("splendor", ["random", "random"], 1, ruleset=Crashing())
    *_, last = Splendor().replay(2, record.seed, record.notations)
    assert "IndexError: Cannot choose from an empty sequence" in record.violation
    assert last.state.phases[0] == Phase.RETURN


class Cheat:
    """Takes what it likes."""

    variants = False

    def choose(self, seen, legal, rng, limit):
        return Splendor().parse("take www")


def test_an_illegal_choice_is_reported_with_that_choice():
    bots = [*entrants("splendor", "greedy"), ("cheat", Cheat())]
    record = arena.play(Splendor(), bots, bytes(32), [Random(0), Random(1)])
    assert "IllegalAction: different_or_two_alike" in record.violation
    assert len(record.notations) == 2
    assert record.notations[-1] == "take www"


@pytest.mark.parametrize("name", ["dealer", ""])
def test_a_title_has_the_bots_of_its_line(name):
    with pytest.raises(KeyError):
        TITLES["duel"].bot(name)
