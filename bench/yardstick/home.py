"""The yardstick on this machine (docs/yardstick.md): its folder, and its server."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen, run

from bench.yardstick.theirs.address import address

THEIRS = Path(__file__).parent / "theirs"
COMMIT = "5d6d1f129b76659837f6afd6fb082e8da57e5428"
"""The commit of the yardstick's code."""
MISSING = 2
"""The exit status without the yardstick."""
START = 600.0
"""Seconds that a program may take to start; no clock runs during that time."""
ABSENT = "The yardstick is missing. Set it up as docs/yardstick.md says, and set YARDSTICK to its folder."
OTHER = f"The yardstick's folder `anchor` does not hold commit {COMMIT}, or its files have changed."


def network(home: Path, seats: int) -> Path:
    """The file with the yardstick's network for that number of seats."""
    return home / f"splendor_{seats}p.onnx"


def found(seats: int) -> Path:
    """The folder that `$YARDSTICK` names. If it does not hold the yardstick for that number of seats, say so and exit
    with status 2."""
    home = Path(os.environ.get("YARDSTICK") or "/nowhere")
    if not network(home, seats).exists():
        problem = ABSENT
    elif checked_out(home) != COMMIT:
        problem = OTHER
    else:
        return home
    print(problem, file=sys.stderr)
    sys.exit(MISSING)


def checked_out(home: Path) -> str:
    """The commit of the yardstick in that folder, marked if its files have changed."""
    words = ["git", "-C", str(home / "anchor"), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]
    return run(words, capture_output=True, text=True).stdout.strip()


def client(*words: str) -> list[str]:
    """The command of one player of the yardstick, for `games.bots.external`."""
    return [sys.executable, "-S", str(THEIRS / "client.py"), *words]


def answers(home: Path) -> bool:
    """Whether a server of the yardstick with this code is running."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(address(home)))
        except OSError:
            return False
    return True


@contextmanager
def served(home: Path) -> Iterator[None]:
    """Use the running server of the yardstick, or start one for these games; it compiles for a minute or more."""
    if answers(home):
        yield
        return
    command = [str(home / "venv/bin/python"), str(THEIRS / "server.py")]
    environment = {**os.environ, "YARDSTICK": str(home)}
    # Ctrl-C does not reach a session of its own.
    with Popen(command, stdout=PIPE, text=True, env=environment, start_new_session=True) as server:
        try:
            assert server.stdout
            line = server.stdout.readline()
            if not line:
                raise SystemExit("The yardstick does not start.")
            print(line.strip(), flush=True)
            yield
        finally:
            server.terminate()
            address(home).unlink(missing_ok=True)
