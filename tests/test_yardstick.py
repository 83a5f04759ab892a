"""`python -m bench.yardstick` with a program of our own in place of the yardstick."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from signal import SIGINT
from time import sleep

import numpy as np
import pytest

from bench.yardstick.boards import GIVE, TAKE, end_turn, returns, takes
from bench.yardstick.searches import changed
from bench.yardstick.theirs.address import address
from games.bots.graph import Settings
from games.bots.splendor import layout as at

GREEN = 2
ROOT = Path(__file__).parents[1]
GREEDY = """
import json, sys
from random import Random
from games.bots.base import Limit
from games.catalogue import TITLES
from games.rules import codec
from games.rules.splendor.state import Observation

title = TITLES["splendor"]
bot = title.bot("greedy")
seats = set()
for line in sys.stdin:
    request = json.loads(line)
    assert (request["clock"], request["time"]) == ("processor", None)
    seats.add(request["seat"])
    assert len(seats) == 1
    legal = [title.ruleset.parse(notation) for notation in request["legal"]]
    seen = codec.load(request["seen"], Observation)
    print(bot.choose(seen, legal, Random(0), Limit()), "# 7", flush=True)
"""


def yardstick(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "bench.yardstick", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def greedy(tmp_path):
    program = tmp_path / "greedy.py"
    program.write_text(GREEDY)
    return shlex.join([sys.executable, str(program)])


def test_a_match_prints_its_figures_and_continues_its_log(greedy, tmp_path):
    arguments = ("easy-policy", "--against", greedy, "--seed", "test", "--log", str(tmp_path / "log"))
    first = yardstick(*arguments, "--games", "1")
    assert (first.returncode, first.stderr) == (0, "")
    assert [line.split(":")[0] for line in first.stdout.splitlines()[:3]] == ["game 0", "game 1", "easy-policy"]
    (log,) = (tmp_path / "log").iterdir()
    before = log.read_text()
    more = yardstick(*arguments, "--games", "4")
    lines = more.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["game 2", "game 3"]
    figures = re.fullmatch(
        r"easy-policy: 4 games, (\d) won, (\d) shared, (\d) lost: [\d.]+%, 95% interval [\d.]+% to [\d.]+%, "
        r"fair share 50.0%",
        lines[2],
    )
    assert figures
    assert sum(map(int, figures.groups())) == 4
    assert lines[3].startswith("seat 0: ")
    assert lines[4].startswith("seat 1: ")
    assert re.match(r"yardstick: 7 simulations a decision, \d+ a second; ", lines[6])
    assert log.read_text().startswith(before)
    assert yardstick(*arguments, "--games", "4").stdout.splitlines()[0] == lines[2]
    assert list((tmp_path / "log").iterdir()) == [log]
    # Another seed has a file of its own.
    yardstick("easy-policy", "--against", greedy, "--seed", "other", "--games", "2", "--log", str(tmp_path / "log"))
    assert [path.name.rsplit("-", 1)[0] for path in sorted((tmp_path / "log").iterdir())] == [
        "easy-policy-other",
        "easy-policy-test",
    ]
    log.write_text("hello\n")
    refused = yardstick(*arguments, "--games", "4")
    assert (refused.returncode, refused.stdout, refused.stderr) == (1, "", f"{log} is not a log of games.\n")


def test_ctrl_c_prints_the_figures_so_far(tmp_path):
    begun = tmp_path / "begun"
    program = f"import pathlib, time; pathlib.Path({str(begun)!r}).touch(); time.sleep(300)"
    arguments = ["easy-policy", "--against", shlex.join([sys.executable, "-c", program]), "--log", str(tmp_path)]
    match = subprocess.Popen(
        [sys.executable, "-m", "bench.yardstick", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    while not begun.exists() and match.poll() is None:
        sleep(0.01)
    match.send_signal(SIGINT)
    out, error = match.communicate(timeout=60)
    assert (error, match.returncode) == ("", 130)
    assert out.startswith("easy-policy: 0 games, ")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["--games", "0"], 2, "argument --games: must be at least 1"),
        (["--seed", "a/b"], 1, "No such file or directory"),
    ],
)
def test_impossible_requests_are_refused_in_a_sentence(arguments, status, sentence, greedy, tmp_path):
    found = yardstick("easy-policy", "--against", greedy, "--log", str(tmp_path), *arguments)
    assert (found.returncode, found.stdout) == (status, "")
    assert sentence in found.stderr.splitlines()[-1]
    assert "Traceback" not in found.stderr


def test_settings_of_a_search_are_checked():
    assert changed(["exploration=0.6", "orders=2"]) == Settings(exploration=0.6, orders=2)
    for pair, sentence in (("orders=40", "from 1 to 31"), ("foo=1", "no setting 'foo'"), ("untried=low", "'low'")):
        with pytest.raises(ValueError, match=sentence):
            changed([pair])


@pytest.mark.usefixtures("compiled_bots")
def test_our_policy_plays(greedy, tmp_path):
    found = yardstick("policy", "--against", greedy, "--games", "2", "--log", str(tmp_path / "log"))
    assert (found.returncode, found.stderr) == (0, "")
    assert "policy: 2 games, " in found.stdout


@pytest.mark.usefixtures("compiled_bots")
def test_every_seat_of_the_yardstick_is_a_process_of_its_own(greedy, tmp_path):
    found = yardstick("policy-3", "--against", greedy, "--games", "3", "--log", str(tmp_path / "log"))
    assert (found.returncode, found.stderr) == (0, "")
    assert "policy-3: 3 games, " in found.stdout


@pytest.mark.parametrize("home", ["", "/nowhere", "."])
def test_without_the_yardstick_it_says_so(home):
    found = yardstick("2", YARDSTICK=home)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == (
        "The yardstick is missing. Set it up as docs/yardstick.md says, and set YARDSTICK to its folder.\n"
    )


def test_a_match_with_its_network_needs_the_yardstick_against_any_program(greedy, tmp_path):
    found = yardstick("same-policy", "--against", greedy, "--log", str(tmp_path / "log"), YARDSTICK="")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("The yardstick is missing.")


def test_another_commit_of_the_yardstick_is_refused(tmp_path):
    (tmp_path / "splendor_2p.onnx").touch()
    found = yardstick("2", YARDSTICK=str(tmp_path))
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("The yardstick's folder `anchor` does not hold commit ")


def test_a_server_of_older_code_is_not_used(tmp_path):
    """The name of its socket changes with its code."""
    folder = shutil.copytree(ROOT / "bench/yardstick/theirs", tmp_path / "theirs")

    def name():
        return run_path(str(folder / "address.py"))["address"](tmp_path).name

    assert name() == address(tmp_path).name
    with (folder / "player.py").open("a") as file:
        file.write("# changed")
    assert name() != address(tmp_path).name


def held(*tokens):
    return np.array(tokens, dtype=np.int32)


def test_a_small_take_becomes_a_take_of_three_and_a_return():
    """If the yardstick takes fewer than three tokens, our bot takes three and returns some."""
    policy = np.zeros(81, dtype=np.float32)
    white_blue, white, red = (TAKE + place for place in (5, 0, 3))
    policy[[white_blue, white, red]] = 0.6, 0.1, 0.3
    ending = np.arange(at.TAKE, at.TAKE + 10, dtype=np.int32)
    weights = dict(zip((at.TAKES[action] for action in ending), takes(ending, policy), strict=True))
    assert weights[1, 1, 1, 0, 0] == pytest.approx(0.7, abs=0.01)
    assert weights[1, 1, 0, 1, 0] == pytest.approx(0.3, abs=0.01)
    assert sum(weights.values()) == pytest.approx(1, abs=0.02)
    before = held(2, 2, 2, 1, 1, 0)
    found, likeliest = returns(held(3, 3, 3, 1, 1, 0), 0, before, policy)
    assert likeliest.tolist() == [GREEN]
    assert found[GREEN] == pytest.approx(0.6, abs=0.01)
    assert found.argsort()[-1] == GREEN
    nine = held(2, 2, 2, 2, 1, 0)
    found, likeliest = returns(held(3, 3, 3, 2, 1, 0), 0, nine, policy)
    assert likeliest.tolist() == [1, GREEN]
    assert found[1] == pytest.approx(0.1, abs=0.02)
    # The second token to return stays the same after the first.
    assert returns(held(3, 2, 3, 2, 1, 0), 1, nine, policy)[1].tolist() == [GREEN]


def test_a_return_unknown_to_the_network_gives_the_most_held_tokens():
    policy = np.zeros(81, dtype=np.float32)
    tokens = held(1, 1, 2, 5, 1, 1)
    assert returns(tokens, 0, tokens, policy)[1].tolist() == [3]
    policy[GIVE + 1] = 0.2
    assert returns(tokens, 0, tokens, policy)[1].tolist() == [1]


def test_a_turn_ends_once_the_game_is_over():
    """The return that ended the game was the last decision of the turn."""
    state = np.zeros(at.SIZE_OF_STATE, dtype=np.int32)
    state[[at.TO_ACT, at.PHASE]] = at.NONE, at.RETURN
    assert end_turn(state)
