"""No page, post or task reads a whole table of games, seats, moves or notices."""

import json
import os
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_no_statement_reads_a_whole_table(database: str) -> None:
    """The statements are those that `bench.scale` sends for every entry of the registry of outputs; planted ones
    show that the check notices them."""
    words = [sys.executable, "-m", "bench.scale", "--plans"]
    environment = os.environ | {"DATABASE_URL": database}
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    planted = {f"planted {name}" for name in ("game", "seat", "move", "notice")}
    if database.startswith("sqlite"):
        planted.add("planted subquery")  # PostgreSQL joins it
    assert planted <= found.keys()
    whole = {name: statements for name, statements in found.items() if name not in planted}
    assert not whole, "\n".join(f"{name}: {each}" for name, statements in whole.items() for each in statements)
