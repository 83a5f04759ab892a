"""`manage.py simulate` as typed on the command line."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.bots import arena
from games.bots.base import WARM_UP_LIMIT, Limit
from games.bots.random_bot import RandomBot
from games.catalogue import TITLES
from games.rules.base import Step
from games.rules.splendor.ruleset import Splendor
from tests.programs import program
from tests.rules import transcripts


def simulate(*arguments):
    """The lines of its output."""
    out = StringIO()
    call_command("simulate", *arguments, stdout=out)
    return out.getvalue().splitlines()


def result(*arguments):
    """The object on its last line, without times, which differ between runs."""
    found = json.loads(simulate(*arguments, "--json")[-1])
    assert found.pop("seconds") > 0
    found.pop("simulations")
    thinking = found.pop("thinking")
    assert thinking.keys() == found["wins"].keys()
    for times in thinking.values():
        assert list(times) == ["mean", "p95", "longest"]
        assert 0 < times["mean"] <= times["longest"] >= times["p95"] > 0
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
def test_json_output_is_one_object_with_these_keys(slug, seats, bots):
    arguments = (slug, "--seats", str(seats), "--games", "4", "--bots", bots, "--seed", "7")
    found = result(*arguments)
    assert list(found) == [
        "title", "seats", "games", "finished", "unfinished", "violations", "plies", "wins", "longest",
        "forfeits", "intervals", "players",
    ]  # fmt: skip
    assert [found[key] for key in list(found)[:6]] == [slug, seats, 4, 4, 0, 0]
    assert found["forfeits"] == dict.fromkeys(bots.split(","), 0)
    names = bots.split(",") if "," in bots else [bots] * seats
    assert [player["name"] for player in found["players"]] == names
    for player in found["players"]:
        played = [sum(seat.values()) for seat in player["seats"]]
        assert len(played) == seats
        assert sum(played) == sum(player[kind] for kind in ("wins", "draws", "losses")) == 4
    assert set(found["wins"]) == set(bots.split(","))
    assert sum(found["wins"].values()) == pytest.approx(4)
    for name, (low, high) in found["intervals"].items():
        assert 0 <= low <= found["wins"][name] / 4 <= high <= 1
        assert high - low > 0.4
    assert 4 * found["longest"] >= found["plies"] >= found["longest"] > 0
    assert result(*arguments) == found
    assert result(*arguments[:-1], "8") != found


def test_the_command_prints_a_summary():
    lines = simulate("duel", "--bots", "greedy,random", "--games", "2")
    assert [line.partition(":")[0] for line in lines if not line.startswith("2 games")] == [
        "game 0",
        "game 1",
        "finished 2, cut at 1000 decisions 0, forfeited 0, violations 0",
        "decisions per game",
        "wins per seat",
        "wins per bot",
        "player 0 (greedy)",
        "player 1 (random)",
        "seconds per decision",
        "simulations per decision",
    ]
    assert re.fullmatch(r"game 0: greedy \(player 0\) \d+, random \(player 1\) \d+; won by seat 0", lines[0])
    assert lines[1].startswith("game 1: random (player 1) ")
    assert simulate("duel", "--bots", "greedy,random", "--games", "2", "-v", "0")[0].startswith("2 games")


@pytest.mark.usefixtures("compiled_bots")
def test_simulations_are_counted():
    lines = simulate("splendor", "--bots", "plain,greedy", "--games", "1", "--sims", "20")
    assert re.fullmatch(r"simulations per decision: plain \d+, \d+ a second; greedy not counted", lines[-1])


def test_the_summary_of_two_bots_has_an_interval():
    greedy = "greedy 2 (100.0%, 95% interval 34.2% to 100.0%)"
    assert f"wins per bot: {greedy}, random 0 (0.0%, 95% interval 0.0% to 65.8%)" in simulate(
        "duel", "--bots", "greedy,random", "--games", "2"
    )
    assert "wins per bot: random 2 (100.0%)" in simulate("duel", "--games", "2")


@pytest.mark.parametrize(("seats", "games", "played"), [(2, 1, 2), (2, 4, 4), (3, 4, 6)])
def test_a_paired_series_is_rounded_up(seats, games, played, monkeypatch):
    monkeypatch.setattr(arena, "MAX_DECISIONS", 8)
    arguments = ("splendor", "--seats", str(seats), "--games", str(games))
    assert result(*arguments, "--paired")["games"] == played
    assert result(*arguments)["games"] == games


def test_the_result_is_the_same_from_more_processes():
    arguments = ("duel", "--bots", "greedy,random", "--games", "3", "--paired")
    assert result(*arguments, "--jobs", "2") == result(*arguments)


class Limited(RandomBot):
    """Records its limit."""

    limits: set[Limit]

    def choose(self, seen, legal, rng, limit):
        self.limits.add(limit)
        return super().choose(seen, legal, rng, limit)


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        ([], Limit()),
        (["--time", "1.5"], Limit(seconds=1.5)),
        (["--sims", "300"], Limit(sims=300)),
        (["--time", "2", "--sims", "100"], Limit(seconds=2, sims=100)),
        (["--time", "2", "--cpu-time"], Limit(seconds=2, processor=True)),
    ],
)
def test_bots_get_their_limit(arguments, limit, monkeypatch):
    monkeypatch.setitem(TITLES, "duel", replace(TITLES["duel"], bots={"limited": f"{__name__}:Limited"}))
    monkeypatch.setattr(Limited, "limits", set(), raising=False)
    simulate("duel", "--bots", "limited", "--games", "1", *arguments)
    assert Limited.limits - {WARM_UP_LIMIT} == {limit}


def test_a_bot_may_have_simulations_of_its_own(monkeypatch):
    monkeypatch.setitem(TITLES, "duel", replace(TITLES["duel"], bots={"limited": f"{__name__}:Limited"}))
    monkeypatch.setattr(Limited, "limits", set(), raising=False)
    bots = "limited@400,limited"
    found = result("duel", "--bots", bots, "--games", "2", "--sims", "100", "--time", "2")
    assert {limit for limit in Limited.limits if limit.seconds} == {Limit(2, 400), Limit(2, 100)}
    assert set(found["wins"]) == {"limited@400", "limited"}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_forfeits_are_printed_and_counted(jobs, tmp_path):
    """Forfeits do not violate the rules, but a run fails if it finishes no game."""
    name = program(tmp_path, "input()\nprint('resign', flush=True)\n")
    arguments = ("splendor", "--seats", "3", "--bots", f"{name},greedy,random", "--games", "3", "--jobs", jobs)
    out = StringIO()
    with pytest.raises(CommandError, match="Every game was forfeited"):
        call_command("simulate", *arguments, "--json", stdout=out)
    *lines, last = out.getvalue().splitlines()
    # Games of several processes end in any order.
    assert sorted(zip(lines[:6:2], lines[1:6:2], strict=True)) == [
        (
            f"Forfeit in game {game}: {name} in seat {seat} answered 'resign', which is not legal.",
            f"game {game}: {name} (player 0) in seat {seat} forfeits",
        )
        for game, seat in enumerate([0, 2, 1])
    ]
    assert lines[7] == "finished 0, cut at 1000 decisions 0, forfeited 3, violations 0"
    found = json.loads(last)
    assert found["forfeits"] == {name: 3, "greedy": 0, "random": 0}
    assert found["wins"] == {name: 0, "greedy": 1.5, "random": 1.5}
    assert (found["finished"], found["unfinished"], found["violations"]) == (0, 0, 0)


@pytest.mark.parametrize(("slug", "seats"), [("splendor", 2), ("splendor", 4), ("duel", 2)])
def test_all_transcripts_replay(slug, seats, tmp_path):
    folder = tmp_path / "games"
    simulate(slug, "--seats", str(seats), "--games", "2", "--transcripts", str(folder))
    assert [path.name for path in sorted(folder.iterdir())] == ["game-0000.txt", "game-0001.txt"]
    for path in folder.iterdir():
        lines = path.read_text().splitlines()
        assert lines[:seats] == [f"# seat {seat}: 'random'" for seat in range(seats)]
        assert lines[-1].startswith("end: winners=")
        # The set-up and every decision have their number of options.
        decisions = sum(line[:1].isalpha() for line in lines) - len(("title", "seats", "seed", "end"))
        assert sum(line.startswith("  options: ") for line in lines) == 1 + decisions
        transcripts.replay(path)


def test_a_transcript_says_who_forfeited_and_why(tmp_path):
    name = program(tmp_path, "input()\nprint('resign', flush=True)\n")
    with pytest.raises(CommandError, match="Every game was forfeited"):
        simulate("duel", "--bots", f"{name},greedy", "--games", "1", "--transcripts", str(tmp_path))
    first, second, *_, last = (tmp_path / "game-0000.txt").read_text().splitlines()
    assert (first, second) == (f"# seat 0: {name!r}", "# seat 1: 'greedy'")
    assert last == "# seat 0 forfeits: it answered 'resign', which is not legal"


def test_a_log_is_continued(tmp_path):
    log = tmp_path / "games.jsonl"
    arguments = ("duel", "--bots", "greedy,random", "--paired", "--seed", "log")
    simulate(*arguments, "--games", "2", "--log", str(log))
    first = log.read_text()
    with log.open("a") as file:
        file.write('{"number": 2, "bots": ["gre')  # the process died while writing
    assert result(*arguments, "--games", "6", "--log", str(log)) == result(*arguments, "--games", "6")
    assert log.read_text().startswith(first)
    assert [json.loads(line)["number"] for line in log.read_text().splitlines()[1:]] == list(range(6))
    before = log.read_text()
    with log.open("a") as file:
        file.write(before.splitlines(keepends=True)[-1])  # a second run with this log played the same game
    assert result(*arguments, "--games", "6", "--log", str(log)) == result(*arguments, "--games", "6")
    assert "; 0 games played now, in " in simulate(*arguments, "--games", "6", "--log", str(log))[0]
    assert log.read_text() == before + before.splitlines(keepends=True)[-1]


def test_a_log_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(CommandError, match="The log cannot be written: "):
        simulate("duel", "--games", "1", "--log", str(tmp_path / "missing" / "games.jsonl"))


@pytest.mark.parametrize("begun", ["hello", "[1]", "null", '{"seed"', "\udcff"])
def test_a_file_that_is_not_a_log_is_refused(begun, tmp_path):
    log = tmp_path / "games.jsonl"
    log.write_text(f"{begun}\n", errors="surrogateescape")
    with pytest.raises(CommandError, match="is not a log of games"):
        simulate("duel", "--games", "1", "--log", str(log))


def test_a_line_that_is_not_a_result_is_played_again(tmp_path):
    """If one of two runs with the same log is killed, the next line of the other one continues the torn line."""
    log = tmp_path / "games.jsonl"
    arguments = ("duel", "--games", "3", "--log", str(log))
    simulate(*arguments)
    begun, *games = log.read_text().splitlines()
    log.write_text("\n".join([begun, games[0], games[1][:40] + games[2], ""]))
    assert "; 2 games played now, in " in next(line for line in simulate(*arguments) if line.startswith("3 games"))
    again = log.read_text().splitlines()[3:]
    assert [json.loads(line)["number"] for line in again] == [1, 2]


def test_a_log_of_other_games_is_refused(tmp_path):
    log = tmp_path / "games.jsonl"
    simulate("duel", "--games", "1", "--log", str(log))
    before = log.read_text()
    for other in (["--bots", "greedy"], ["--seed", "1"], ["--sims", "2"], ["--start", "2"], ["--paired"]):
        with pytest.raises(CommandError, match=f"is the log of other games.* value for: {other[0][2:]}\\."):
            simulate("duel", "--games", "1", "--log", str(log), *other)
    assert log.read_text() == before


def test_a_log_names_the_code_that_played(tmp_path):
    """Games of other code or networks are not counted together; the commit and the date say only when it began."""
    log = tmp_path / "games.jsonl"
    simulate("duel", "--games", "1", "--log", str(log))
    first, games = log.read_text().split("\n", 1)
    begun = json.loads(first)
    assert (len(begun["code"]), begun["date"]) == (12, str(date.today()))
    log.write_text(json.dumps(begun | {"commit": "abc1234"}) + "\n" + games)
    assert "; 0 games played now, in " in simulate("duel", "--games", "1", "--log", str(log))[0]
    del begun["sims"]  # as a log without this option, whose value is null
    log.write_text(json.dumps(begun | {"code": "0" * 12}) + "\n" + games)
    with pytest.raises(CommandError, match=r"is the log of other games.* value for: sims, code\."):
        simulate("duel", "--games", "1", "--log", str(log))


def test_a_bot_with_its_own_number_of_simulations_is_the_same_bot():
    """`random` needs no simulations, but it plays other payments than the default one."""
    assert (
        result("splendor", "--games", "3", "--bots", "random@5,greedy@5", "--json")["plies"]
        == (result("splendor", "--games", "3", "--bots", "random,greedy", "--json")["plies"])
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "There is no title 'chess', only: splendor, duel."),
        (["splendor", "--seats", "5"], "Splendor has no game of 5 seats, only of: 2, 3, 4."),
        (["duel", "--seats", "3"], "Splendor Duel has no game of 3 seats, only of: 2."),
        (
            ["duel", "--bots", "greedy,gready"],
            "Splendor Duel has no bot 'gready', only: random, greedy, plain, beginner, easy, medium, hard, strongest; "
            "or exec:COMMAND.",
        ),
        (
            ["splendor", "--seats", "4", "--bots", "greedy,random"],
            "--bots names 2 bots, separated by commas, but --seats is 4; name one per seat, or one for all.",
        ),
        (["duel", "--games", "0"], "Play at least one game."),
        (["duel", "--jobs", "0"], "At least one process must play."),
        (["duel", "--sims", "0"], "--sims must be at least 1."),
        (["duel", "--bots", "plain@0"], "'plain@0' does not name a number of simulations."),
        (["duel", "--bots", "plain@many"], "'plain@many' does not name a number of simulations."),
        (["duel", "--time", "0"], "--time must be above 0 and below 1,000,000."),
        (["duel", "--time", "inf"], "--time must be above 0 and below 1,000,000."),
        (["duel", "--time", "nan"], "--time must be above 0 and below 1,000,000."),
        (["duel", "--cpu-time"], "--cpu-time says how to measure --time; give both."),
        (["duel", "--start", "-1"], "--start must be 0 or more and below 1,000,000."),
        (["duel", "--bots", "exec:"], "'exec:' does not name a program that can be run."),
        (["duel", "--bots", "exec:./no/where x"], "'exec:./no/where x' does not name a program that can be run."),
        (["duel", "--bots", "exec:'sh"], """"exec:'sh" cannot be read: No closing quotation."""),
        (["duel", "--seed", "\udcff"], "The seed '\\udcff' is not text."),
        (["duel", "--games", "many"], "Error: argument --games: invalid int value: 'many'"),
    ],
)
def test_impossible_requests_are_refused_in_a_sentence(arguments, sentence):
    with pytest.raises(CommandError) as caught:
        simulate(*arguments)
    assert str(caught.value) == sentence


def test_a_transcript_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(CommandError, match="The transcript cannot be written: "):
        simulate("duel", "--games", "1", "--transcripts", str(tmp_path / "missing" / "games"))


class Leaky(Splendor):
    """Loses all white gems at once."""

    def apply(self, state, action):
        state = super().apply(state, action).state
        return Step(replace(state, bank=(0, *state.bank[1:])))


def test_a_violated_game_is_not_logged(tmp_path, monkeypatch):
    """It is played again, perhaps by mended code."""
    log = tmp_path / "games.jsonl"
    monkeypatch.setitem(TITLES, "splendor", replace(TITLES["splendor"], ruleset=Leaky()))
    with pytest.raises(CommandError, match="The rules were violated"):
        simulate("splendor", "--games", "1", "--log", str(log))
    assert len(log.read_text().splitlines()) == 1


def test_violations_are_printed_and_fail_after_the_json(monkeypatch, tmp_path):
    monkeypatch.setitem(TITLES, "splendor", replace(TITLES["splendor"], ruleset=Leaky()))
    out, path = StringIO(), tmp_path / "game-0000.txt"
    with pytest.raises(CommandError, match="The rules were violated in 2 of 2 games"):
        call_command("simulate", "splendor", "--games", "2", "--json", "--transcripts", str(tmp_path), stdout=out)
    *lines, last = out.getvalue().splitlines()
    found = json.loads(last)
    assert (found["finished"], found["unfinished"], found["violations"]) == (0, 0, 2)
    assert found["wins"] == {"random": 0}
    text = path.read_text()
    assert out.getvalue().startswith(f"Violation in game 0:\n{text}")
    assert "Violation in game 1:" in lines
    with pytest.raises(pytest.fail.Exception, match="AssertionError"):
        transcripts.replay(path)


def test_the_command_needs_no_database_and_exits_with_a_status(tmp_path):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, "manage.py", "simulate", *arguments],
            cwd=Path(__file__).parents[1],
            env={
                "PATH": os.environ["PATH"],
                "VAR_DIR": str(tmp_path),
                "DATABASE_URL": f"sqlite:///{tmp_path}/missing/db.sqlite3",
            },
            capture_output=True,
            text=True,
        )

    played, refused = run("duel", "--games", "1", "--json"), run("chess")
    assert (played.returncode, played.stderr) == (0, "")
    assert json.loads(played.stdout.splitlines()[-1])["finished"] == 1
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "CommandError: There is no title 'chess', only: splendor, duel.\n"
