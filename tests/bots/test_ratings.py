"""`bench.ratings` measures the ratings of the strengths."""

import json
import re
from argparse import Namespace
from itertools import pairwise
from math import hypot, inf

import pytest

from bench import ratings
from games.bots import arena
from games.bots.random_bot import RandomBot
from games.catalogue import TITLES

PAIR = (("random", None), ("greedy", None))
EQUAL = (("greedy", None), ("greedy", None))


def options(**changed):
    return Namespace(**{"title": "duel", "seats": 2, "games": 8, "jobs": 1, "seed": "test", "log": None} | changed)


def printed(monkeypatch, capsys, *arguments):
    """The ratings that the command prints."""
    monkeypatch.setattr("sys.argv", ["ratings", "duel", "--games", "8", "--seed", "test", *arguments])
    ratings.main()
    return [line for line in capsys.readouterr().out.splitlines() if ": Rating(" in line]


def test_a_bot_that_wins_as_often_as_the_others_has_their_rating():
    for seats in (2, 3, 4):
        assert ratings.points(1 / seats, seats) == pytest.approx(0)
    assert ratings.points(10 / 11, 2) == pytest.approx(400)


def test_every_rung_names_a_bot_of_every_title():
    for title in TITLES.values():
        names = {name for name, _ in ratings.LADDER} - {ratings.YARDSTICK}
        assert names <= set(title.bots)
    assert all(one != other for one, other in pairwise(ratings.LADDER))


def test_a_ladder_continues_its_log(tmp_path, capsys):
    continued = options(games=3, log=tmp_path)
    first = ratings.against(TITLES["duel"], PAIR, continued)
    (log,) = tmp_path.iterdir()
    assert log.name == "duel-2-random-greedy-test.jsonl"
    before = log.read_text()
    assert [json.loads(line)["number"] for line in before.splitlines()[1:]] == [0, 1, 2, 3]
    assert ratings.against(TITLES["duel"], PAIR, continued) == first
    assert log.read_text() == before
    said = capsys.readouterr().out.splitlines()
    assert said[0] == said[1]
    assert said[0].startswith("greedy against random: ")
    assert " of 4 games, " in said[0]


def test_the_interval_of_a_rating_is_its_longer_side(capsys):
    above, within = ratings.against(TITLES["duel"], EQUAL, options())
    found = re.search(r"; (\S+) points, (\S+) to (\S+)$", capsys.readouterr().out)
    assert found
    rounded, least, most = map(int, found.groups())
    assert above == pytest.approx(rounded, abs=0.5)
    assert within == pytest.approx(max(rounded - least, most - rounded), abs=1)


def test_a_bot_that_wins_every_game_has_no_finite_rating():
    assert ratings.against(TITLES["duel"], PAIR, options(games=2)) == (inf, inf)
    assert ratings.against(TITLES["duel"], PAIR[::-1], options(games=2)) == (-inf, inf)


def test_the_intervals_of_a_ladder_add_up(monkeypatch, capsys):
    above, within = ratings.against(TITLES["duel"], EQUAL, options())
    monkeypatch.setattr(ratings, "LADDER", (*EQUAL, EQUAL[0]))
    assert printed(monkeypatch, capsys) == [
        f"greedy: Rating({1000 + above:.0f}, {within:.0f})",
        f"greedy: Rating({1000 + 2 * above:.0f}, {hypot(within, within):.0f})",
    ]


def test_a_ladder_can_begin_at_a_rating(monkeypatch, capsys):
    rung = ("beginner", None)
    above, within = ratings.against(TITLES["duel"], (rung, rung), options(games=2))
    points, interval = TITLES["duel"].ratings["beginner"][2]
    monkeypatch.setattr(ratings, "LADDER", (*EQUAL, rung, rung))
    assert printed(monkeypatch, capsys, "--games", "2", "--from", "beginner") == [
        f"beginner: Rating({points + above:.0f}, {hypot(interval, within):.0f})"
    ]


class Saving(RandomBot):
    """Never buys a card unless it must."""

    def choose(self, seen, legal, rng, limit):
        return super().choose(seen, [action for action in legal if action.word != "buy"] or legal, rng, limit)


@pytest.mark.parametrize("slug", TITLES)
def test_a_player_who_buys_nothing_is_idle(slug):
    title = TITLES[slug]
    bots = [("saving", Saving()), ("greedy", title.bot("greedy"))]
    for record in arena.series(title.ruleset, bots, 2, "idle"):
        idle = [idle for _, idle in ratings.idleness(title, record)]
        assert [record.bots[seat] for seat in range(2) if idle[seat]] == ["saving"]
