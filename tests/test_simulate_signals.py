"""`manage.py simulate` leaves no process behind, whatever signal ends it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.programs import program

ROOT = Path(__file__).parents[1]


def started(*arguments):
    """The command in a session of its own, as a terminal would have it."""
    return subprocess.Popen(
        [sys.executable, "-u", "manage.py", "simulate", "duel", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait(holds):
    deadline = monotonic() + 60
    while not holds():
        assert monotonic() < deadline
        sleep(0.01)


def processes(*which):
    """The commands of these processes, which may take a moment to disappear after their end."""
    return subprocess.run(["ps", "-o", "args=", *which], capture_output=True, text=True).stdout


def test_ctrl_c_prints_the_summary_so_far():
    simulation = started("--games", "100000", "--json")
    first = [simulation.stdout.readline() for _ in range(3)]
    simulation.send_signal(signal.SIGINT)
    lines = simulation.communicate(timeout=60)[0].splitlines()
    assert [line.partition(":")[0] for line in first] == ["game 0", "game 1", "game 2"]
    assert json.loads(lines[-1])["games"] == 3 + sum(line.startswith("game ") for line in lines)
    assert simulation.returncode == 130


@pytest.mark.parametrize("later", [0, 0.05, 0.1, 0.2, 0.4])
def test_ctrl_c_while_processes_start_ends_them(later, tmp_path):
    """No game ends before, because one player never answers."""
    silent = program(tmp_path, "import sys\nsys.stdin.read()")
    simulation = started("--bots", f"{silent},random", "--games", "1000", "--jobs", "2")
    found = Path(f"/proc/{simulation.pid}/task/{simulation.pid}/children")
    wait(found.read_text)
    sleep(later)
    os.killpg(simulation.pid, signal.SIGINT)
    out, error = simulation.communicate(timeout=60)
    assert (out, error, simulation.returncode) == ("No game has ended.\n", "", 130)
    wait(lambda: not processes("-s", str(simulation.pid)))


@pytest.mark.parametrize(
    ("number", "status", "said", "jobs"),
    [
        (signal.SIGINT, 130, "No game has ended.\n", 1),
        (signal.SIGINT, 130, "No game has ended.\n", 2),
        (signal.SIGTERM, 143, "", 1),
        (signal.SIGTERM, 143, "", 2),
        (signal.SIGKILL, -9, "", 2),
    ],
)
def test_a_signal_ends_all_processes(number, status, said, jobs, tmp_path):
    """Programs that ignore the end of their input also end."""
    text = f"import os, time\nopen({str(tmp_path)!r} + f'/{{os.getpid()}}.pid', 'x')\ntime.sleep(300)"
    simulation = started("--bots", program(tmp_path, text), "--games", "4", "--jobs", str(jobs))
    wait(lambda: len(list(tmp_path.glob("*.pid"))) == jobs)
    simulation.send_signal(number)
    out, error = simulation.communicate(timeout=60)
    assert (out, simulation.returncode) == (said, status)
    assert error == "" or number == signal.SIGKILL  # then Python's tracker reports the semaphores
    pids = [path.stem for path in tmp_path.glob("*.pid")]
    wait(lambda: not processes("-s", str(simulation.pid)))
    wait(
        lambda: str(tmp_path) not in subprocess.run(["ps", "-o", "args=", *pids], capture_output=True, text=True).stdout
    )
