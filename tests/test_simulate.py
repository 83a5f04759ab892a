"""`manage.py simulate`, as one types it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.catalogue import TITLES
from games.rules.base import Step
from games.rules.splendor.ruleset import Splendor
from tests.rules import transcripts


def simulate(*arguments):
    """The lines that it prints."""
    out = StringIO()
    call_command("simulate", *arguments, stdout=out)
    return out.getvalue().splitlines()


def result(*arguments):
    """The object on its last line, without the one thing that differs from run to run."""
    found = json.loads(simulate(*arguments, "--json")[-1])
    assert found.pop("seconds") > 0
    return found


@pytest.mark.parametrize(
    ("slug", "seats", "bots"),
    [
        ("splendor", 2, "random"),
        ("splendor", 3, "greedy,random,random"),
        ("splendor", 4, "random"),
        ("duel", 2, "greedy,random"),
    ],
)
def test_json_is_one_object_with_these_keys(slug, seats, bots):
    arguments = (slug, "--seats", str(seats), "--games", "4", "--bots", bots, "--seed", "7")
    found = result(*arguments)
    assert list(found) == [
        "title", "seats", "games", "finished", "unfinished", "violations", "plies", "wins", "longest",
    ]  # fmt: skip
    assert found == {
        "title": slug,
        "seats": seats,
        "games": 4,
        "finished": 4,
        "unfinished": 0,
        "violations": 0,
        "plies": found["plies"],
        "wins": found["wins"],
        "longest": found["longest"],
    }
    assert set(found["wins"]) == set(bots.split(","))
    assert sum(found["wins"].values()) == pytest.approx(4)
    assert 4 * found["longest"] >= found["plies"] >= found["longest"] > 0
    assert result(*arguments) == found
    assert result(*arguments[:-1], "8") != found


def test_it_prints_a_summary():
    assert [line.partition(":")[0] for line in simulate("duel", "--bots", "greedy,random", "--games", "2")[1:]] == [
        "finished 2, cut at 1000 plies 0, violations 0",
        "plies per game",
        "wins per seat",
        "wins per bot",
    ]


@pytest.mark.parametrize(("slug", "seats"), [("splendor", 2), ("splendor", 4), ("duel", 2)])
def test_the_transcript_replays(slug, seats, tmp_path):
    path = tmp_path / "game.txt"
    simulate(slug, "--seats", str(seats), "--games", "2", "--transcript", str(path))
    assert "\nend: winners=" in path.read_text()
    transcripts.replay(path)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "There is no title 'chess', only: splendor, duel."),
        (["splendor", "--seats", "5"], "Splendor has no game of 5 seats, only of: 2, 3, 4."),
        (["duel", "--seats", "3"], "Splendor Duel has no game of 3 seats, only of: 2."),
        (["duel", "--bots", "greedy,gready"], "Splendor Duel has no bot 'gready', only: random, greedy."),
        (
            ["splendor", "--seats", "4", "--bots", "greedy,random"],
            "There are 2 bots for 4 seats; name one for each seat, or one for all.",
        ),
        (["duel", "--games", "0"], "Play at least one game."),
        (["duel", "--games", "many"], "Error: argument --games: invalid int value: 'many'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(arguments, sentence):
    with pytest.raises(CommandError) as caught:
        simulate(*arguments)
    assert str(caught.value) == sentence


def test_a_transcript_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(CommandError, match="The transcript cannot be written: "):
        simulate("duel", "--games", "1", "--transcript", str(tmp_path / "missing" / "game.txt"))


class Leaky(Splendor):
    """Loses all white gems at once."""

    def apply(self, state, action):
        data = self.dump(super().apply(state, action).state)
        data["bank"] = (0, *data["bank"][1:])
        return Step(self.load(data))


def test_violations_are_printed_and_fail_after_the_json(monkeypatch, tmp_path):
    monkeypatch.setitem(TITLES, "splendor", replace(TITLES["splendor"], ruleset=Leaky()))
    out, path = StringIO(), tmp_path / "game.txt"
    with pytest.raises(CommandError, match="The rules were violated in 2 of 2 games"):
        call_command("simulate", "splendor", "--games", "2", "--json", "--transcript", str(path), stdout=out)
    *lines, last = out.getvalue().splitlines()
    found = json.loads(last)
    assert (found["finished"], found["unfinished"], found["violations"]) == (0, 0, 2)
    assert found["wins"] == {"random": 0}
    text = path.read_text()
    assert out.getvalue().startswith(f"Violation in game 0:\n{text}")
    assert "Violation in game 1:" in lines
    with pytest.raises(pytest.fail.Exception, match="AssertionError"):
        transcripts.replay(path)


def test_it_runs_without_a_database_and_exits_with_a_status(tmp_path):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, "manage.py", "simulate", *arguments],
            cwd=Path(__file__).parents[1],
            env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/missing/db.sqlite3"},
            capture_output=True,
            text=True,
        )

    played, refused = run("duel", "--games", "1", "--json"), run("chess")
    assert (played.returncode, played.stderr) == (0, "")
    assert json.loads(played.stdout.splitlines()[-1])["finished"] == 1
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "CommandError: There is no title 'chess', only: splendor, duel.\n"
