"""Keeps the yardstick compiled. Each seat of each game is played in its own process, forked from the warm one.

A connection is a game. Its first line is `{"sims": …}`; every other line is a request as in docs/external-bots.md. The
answers are as described there, with their simulations and processor time.
"""

import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from time import perf_counter

os.environ["OMP_NUM_THREADS"] = "1"
HOME = Path(os.environ["YARDSTICK"])
sys.path[:0] = [str(Path(__file__).parent), str(HOME / "anchor")]

import player  # noqa: E402  # player.py in this folder
from address import address  # noqa: E402  # likewise


def game(connection: socket.socket) -> None:
    """Answer all requests of a game. A connection without any line only checks that the server runs."""
    with connection.makefile("rwb") as stream:
        first = stream.readline()
        if not first:
            return
        theirs = player.Player(json.loads(first)["sims"])
        for line in stream:
            stream.write(theirs.answer(json.loads(line)).encode() + b"\n")
            stream.flush()


def main() -> None:
    """Serve until stopped."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    started, path = perf_counter(), address(HOME)
    path.unlink(missing_ok=True)
    player.warm()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(16)
    print(f"The yardstick is warm after {perf_counter() - started:.0f} s.", flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            try:
                game(connection)
            except BaseException:  # the process prints the error and ends
                traceback.print_exc()
            finally:
                os._exit(0)
        connection.close()


if __name__ == "__main__":
    main()
