"""Series of games: repetition, seats, counts and reports."""

import os
from dataclasses import replace
from fractions import Fraction
from random import Random
from time import sleep

import pytest

from games.bots import arena
from games.bots.base import WARM_UP_LIMIT, Limit, Spent
from games.bots.external import Forfeit
from games.bots.random_bot import RandomBot
from games.bots.tally import Tally, wilson
from games.catalogue import TITLES
from games.rules.base import Event, Outcome, Step
from games.rules.splendor.ruleset import Splendor
from games.rules.splendor.state import Phase
from tests.rules import transcripts

CASES = [(slug, seats) for slug, title in TITLES.items() for seats in title.ruleset.seats]


def entrants(slug, *names):
    return [(name, TITLES[slug].bot(name)) for name in names]


def series(slug, names, games, seed="test", ruleset=None, **options):
    return list(arena.series(ruleset or TITLES[slug].ruleset, entrants(slug, *names), games, seed, **options))


def by_number(records):
    """Games of several processes end in any order."""
    return sorted(records, key=lambda record: record.number)


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_replaying_the_moves_from_the_seed_gives_the_same_game(slug, seats):
    ruleset = TITLES[slug].ruleset
    for record in series(slug, ["random"] * seats, 3):
        *_, step = ruleset.replay(seats, record.seed, record.notations)
        assert record.violation == ""
        assert record.outcome == ruleset.outcome(step.state) is not None


@pytest.mark.parametrize(
    ("events", "following", "begins"),
    [((), 2, False), ((), 0, True), ((), None, False), (("passed",), 1, True), (("extra_turn",), 1, False)],
)
def test_a_round_begins_when_the_turn_has_gone_round_the_table(events, following, begins):
    state = replace(TITLES["splendor"].ruleset.initial(3, bytes(32)), to_act=following)
    assert arena.begins_round(Step(state, tuple(map(Event, events))), 1) == begins


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


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_a_paired_series_plays_each_deal_in_every_rotation(slug, seats, monkeypatch):
    monkeypatch.setattr(arena, "MAX_DECISIONS", 8)
    names = ["greedy", *["random"] * (seats - 1)]
    games = series(slug, names, 2 * seats, paired=True)
    plain = series(slug, names, 2 * seats)
    assert [record.seed for record in games] == [plain[0].seed] * seats + [plain[1].seed] * seats
    for seat in range(seats):
        assert {record.bots[seat] for record in games[:seats]} == {"greedy", "random"}
    assert [record.bots for record in games] == [record.bots for record in plain]
    assert series(slug, names, seats + 1, paired=True) == games[: seats + 1]


def test_bots_draw_differently_in_each_game_of_a_pair():
    """Two games with the same deal and bots differ only in the bots' random numbers."""
    first, second, *_ = series("splendor", ["random", "random"], 2, paired=True)
    assert first.seed == second.seed
    assert first.notations != second.notations


@pytest.mark.parametrize(("paired", "jobs"), [(False, 2), (True, 3)])
def test_games_are_equal_in_any_number_of_processes(paired, jobs):
    names = ["greedy", "random", "random"]
    alone = series("splendor", names, 5, paired=paired)
    assert by_number(series("splendor", names, 5, paired=paired, jobs=jobs)) == alone
    assert all(map(len, (seconds for record in alone for seconds in record.seconds)))


class Waiting(RandomBot):
    """Never ends its third decision in a game that it begins."""

    def choose(self, seen, legal, rng, limit):
        while seen.number == 4:
            sleep(1)
        return super().choose(seen, legal, rng, limit)


def test_a_game_that_has_ended_does_not_wait_for_earlier_ones():
    games = arena.series(Splendor(), [("waiting", Waiting()), ("random", RandomBot())], 2, "order", jobs=2)
    assert next(games).number == 1
    games.close()


class Dying(RandomBot):
    """Kills its process in its third decision in a game that it begins, once another game has had time to end."""

    def choose(self, seen, legal, rng, limit):
        if seen.number == 4:
            sleep(2)
            os._exit(1)
        return super().choose(seen, legal, rng, limit)


def test_a_dead_process_does_not_block_the_series():
    games = arena.series(Splendor(), [("dying", Dying()), ("random", RandomBot())], 2, "death", jobs=2)
    assert next(games).number == 1
    with pytest.raises(ChildProcessError, match="A process died before all games were over"):
        next(games)


@pytest.mark.parametrize("limit", [Limit(), Limit(seconds=0.5), Limit(seconds=2.0, sims=100)])
def test_every_decision_has_the_limit_of_the_series(limit):
    """Before any clock runs, every bot chooses once to warm up."""

    class Limited(RandomBot):
        def choose(self, seen, legal, rng, limit):
            limits.append(limit)
            return super().choose(seen, legal, rng, limit)

    limits: list[Limit] = []
    (record,) = arena.series(Splendor(), [("limited", Limited())] * 2, 1, "limit", limit=limit)
    assert limits == [WARM_UP_LIMIT] + [limit] * len(record.notations)


class Quitting(RandomBot):
    """Forfeits in its second decision."""

    def choose(self, seen, legal, rng, limit):
        if seen.number >= len(seen.players):
            raise Forfeit("gave up")
        return super().choose(seen, legal, rng, limit)


def test_a_forfeit_ends_the_game_and_is_credited_to_all_others():
    bots = [("random", RandomBot()), ("quitting", Quitting()), ("random", RandomBot())]
    record = arena.play(Splendor(), bots, bytes(32), [Random(seat) for seat in range(3)])
    assert (record.forfeiter, record.forfeit, list(record.winners)) == (1, "gave up", [0, 2])
    assert (record.outcome, record.violation, len(record.notations)) == (None, "", 4)
    assert list(map(len, record.seconds)) == [2, 2, 1]
    tally = Tally()
    tally.add(record.result)
    tally.add(replace(record, forfeiter=0).result)
    assert (tally.finished, tally.unfinished, tally.violations, tally.decided) == (0, 0, 0, 2)
    assert tally.forfeits == {"quitting": 1, "random": 1}
    assert tally.bots == {"random": Fraction(3, 2), "quitting": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("credit", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_intervals_are_those_of_newcombe(credit, games, low, high):
    """The intervals in Statistics in Medicine 17 (1998), table I, method 3, and the mirror image of each."""
    assert wilson(credit, games) == pytest.approx((low, high), abs=5e-5)
    assert wilson(games - credit, games) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_without_decided_games_every_rate_is_possible():
    assert wilson(0, 0) == (0, 1)
    assert Tally().interval("random") == (0, 1)


def test_times_are_counted_by_bot():
    (record,) = series("splendor", ["random", "greedy", "random"], 1)
    tally = Tally()
    tally.add(replace(record, seconds=(tuple(range(1, 100)), (0.5, 1.5, 0.1), (100,))).result)
    assert tally.thinking("random") == (50.5, 95, 100)
    assert tally.thinking("greedy") == pytest.approx((0.7, 1.5, 1.5))
    assert tally.thinking("nobody") == (0, 0, 0)


def test_wins_are_counted_by_entrant_and_seat():
    """This also holds if two bots have the same name."""
    tally = Tally()
    bots = entrants("splendor", "random", "random")
    for record in arena.series(Splendor(), bots, 4, "seats", paired=True):
        tally.add(replace(record, outcome=Outcome((0,), (15, 3), "prestige")).result)
    tally.add(replace(record, outcome=Outcome((0, 1), (15, 15), "shared")).result)
    assert dict(tally.scores) == {(0, 0): (2, 0, 0), (0, 1): (0, 1, 2), (1, 0): (2, 1, 0), (1, 1): (0, 0, 2)}
    assert [tally.score(number) for number in range(2)] == [(2, 1, 2), (2, 1, 2)]


class Counting(RandomBot):
    """Reports its costs."""

    def spent(self):
        return Spent(sims=50, seconds=2.0)


def test_simulations_and_processor_time_of_other_processes_are_counted():
    bots = [("counting", Counting()), ("random", RandomBot())]
    (record,) = arena.series(Splendor(), bots, 1, "spent", limit=Limit(seconds=9, processor=True))
    assert set(record.seconds[0]) == {2.0}
    assert 0 < max(record.seconds[1]) < 2
    tally = Tally()
    tally.add(record.result)
    assert tally.simulated("counting") == (50, 25)
    assert tally.simulated("random") is None


def test_a_part_of_a_series_has_the_same_games():
    whole = series("splendor", ["random", "greedy"], 6, paired=True)
    assert series("splendor", ["random", "greedy"], [1, 4], paired=True) == [whole[1], whole[4]]
    part = series("splendor", ["random", "greedy"], [1, 4, 5], paired=True, jobs=2)
    assert by_number(part) == [whole[1], whole[4], whole[5]]
    assert [(record.number, record.entrants) for record in whole[:3]] == [(0, (0, 1)), (1, (1, 0)), (2, (0, 1))]


def test_long_games_are_cut_and_count_as_unfinished(monkeypatch):
    monkeypatch.setattr(arena, "MAX_DECISIONS", 7)
    tally = Tally()
    for record in series("duel", ["random", "random"], 2):
        assert (record.outcome, record.violation) == (None, "")
        tally.add(record.result)
    assert (tally.lengths, tally.finished, tally.unfinished, tally.violations) == ([7, 7], 0, 2, 0)


def test_a_shared_victory_is_split():
    (record,) = series("splendor", ["random", "greedy", "random"], 1)
    tally = Tally()
    for winners in ((0, 1, 2), (0, 2), (1,)):
        tally.add(replace(record, outcome=Outcome(winners, (15, 15, 15), "shared")).result)
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert tally.seats == {0: third + half, 1: third + 1, 2: third + half}
    assert tally.bots == {"random": 2 * (third + half), "greedy": third + 1}


class Leaky(Splendor):
    """Loses all gold when three are left, and so breaks its own invariants."""

    def apply(self, state, action):
        step = super().apply(state, action)
        if step.state.bank[-1] != 3:
            return step
        return Step(replace(step.state, bank=(*step.state.bank[:-1], 0)))


class Crashing(Splendor):
    """Raises an error when tokens must be returned."""

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
        transcripts.replay(file)  # the true rules find no violation


def test_an_exception_is_reported_with_the_moves_before_it():
    (record,) = series("splendor", ["random", "random"], 1, ruleset=Crashing())
    *_, last = Splendor().replay(2, record.seed, record.notations)
    assert "IndexError: Cannot choose from an empty sequence" in record.violation
    assert last.state.phases[0] == Phase.RETURN


class Cheat(RandomBot):
    """Takes three of one colour."""

    variants = False

    def choose(self, seen, legal, rng, limit):
        return Splendor().parse("take www")


def test_an_illegal_choice_is_reported_with_that_choice():
    bots = [*entrants("splendor", "greedy"), ("cheat", Cheat())]
    record = arena.play(Splendor(), bots, bytes(32), [Random(0), Random(1)])
    assert "IllegalAction: different_or_two_alike" in record.violation
    assert len(record.notations) == 2
    assert record.notations[-1] == "take www"
