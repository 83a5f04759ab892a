"""`bench.ratings` measures the ratings of the strengths."""

import json
from argparse import Namespace
from itertools import pairwise

import pytest

from bench import ratings
from games.catalogue import TITLES

PAIR = (("random", None), ("greedy", None))


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
    options = Namespace(title="duel", seats=2, games=3, jobs=1, seed="test", log=tmp_path)
    first = ratings.against(TITLES["duel"], PAIR, options)
    (log,) = tmp_path.iterdir()
    assert log.name == "duel-2-random-greedy-test.jsonl"
    before = log.read_text()
    assert [json.loads(line)["number"] for line in before.splitlines()[1:]] == [0, 1, 2, 3]
    assert ratings.against(TITLES["duel"], PAIR, options) == first
    assert log.read_text() == before
    said = capsys.readouterr().out.splitlines()
    assert said[0] == said[1]
    assert said[0].startswith("greedy against random: ")
    assert " of 4 games, " in said[0]
