"""Frozen values as JSON and back."""

import subprocess
import sys
from pathlib import Path

FIRST_USES = """
import sys
from dataclasses import make_dataclass
from threading import Barrier, Thread
from games.rules import codec

sys.setswitchinterval(1e-6)
kinds = [
    make_dataclass(f"Outer{n}", [(f"field{i}", make_dataclass(f"Inner{n}{i}", [("number", int)])) for i in range(9)])
    for n in range(50)
]
start = Barrier(4)

def use():
    for kind in kinds:
        start.wait()
        codec.load({f"field{i}": {"number": i} for i in range(9)}, kind)
        print("loaded")

threads = [Thread(target=use) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_may_load_a_kind_for_the_first_time_at_once():
    """The first requests after a start come at the same time; they must not end the web server."""
    words = [sys.executable, "-c", FIRST_USES]
    done = subprocess.run(words, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("loaded")) == (0, 200), done.stderr
