"""The short form of `make soak`: one process lives through some days and dies at every seam; then real processes are
killed."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.shared import empty_database


def soak(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run("-m", "bench.soak", *options, environment=os.environ | environment)


def run(*words: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=Path(__file__).parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def last_line(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    print(done.stdout, done.stderr)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.mark.slow
def test_no_mail_or_move_is_lost_and_no_clock_runs_out_unfairly() -> None:
    options = ["--people=12", "--games=16", "--days=2", "--minutes=0.2", "--kills=4", "--seed=1"]
    done = soak("--parts", "month", "live", *options)
    told = last_line(done)
    assert (told["faults"], done.returncode) == ([], 0)
    assert told["seed"] == 1
    # The soak has done some work.
    counts = Counter(told["counts"]["month"]) + Counter(told["counts"]["live"])
    assert counts["owed"] > 60
    assert counts["sent"] > 60
    assert counts["moves"] > 60
    assert counts["crashes"] >= 15
    assert told["counts"]["live"]["crashes"] == 4
    assert counts["clocks_run_out"] >= 1
    assert counts["games_ended"] >= 1


SEAMS = """
import django
django.setup()
from django.db import transaction
from accounts import services
from accounts.models import User
from bench.soak import month

site = month.Month(people=0, games=0, days=0, seed=1)
site.dangerous = True

def sign_up():
    with transaction.atomic():
        services.create_confirmed("alice", "alice@example.org", "correct horse")

for seam in ("before commit", "after commit"):
    month.CRASHES = dict.fromkeys(month.CRASHES, 0) | {seam: 1}
    print(site.once(sign_up), User.objects.count())
"""


def test_uncommitted_writes_are_gone_when_the_process_dies(tmp_path: Path) -> None:
    shutil.copy(empty_database(), tmp_path / "db.sqlite3")
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "bench.soak.settings", "VAR_DIR": str(tmp_path)}
    done = run("-c", SEAMS, environment=environment)
    assert (done.stdout, done.stderr) == ("False 0\nFalse 1\n", "")


@pytest.mark.slow
def test_a_month_can_be_repeated(tmp_path: Path) -> None:
    options = ["--part=month", "--people=4", "--games=4", "--days=1", "--seed=3"]
    first, second = (
        last_line(soak(*options, f"--folder={tmp_path / salt}", PYTHONHASHSEED=salt))["counts"] for salt in "12"
    )
    assert first == second
    assert first["moves"] > 5
    # This one has no settings of the tests and makes its database itself, as `make soak` does.
    words = ["-m", "bench.soak", *options, f"--folder={tmp_path / 'early'}", "--until=2026-03-21T06:00"]
    done = run(*words, environment={"PATH": os.environ["PATH"]})
    assert "Stopped at 2026-03-21T06:00 UTC" in done.stdout
    with closing(sqlite3.connect(tmp_path / "early" / "var" / "db.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM accounts_user").fetchone() == (4,)


def test_a_part_that_dies_is_a_fault(tmp_path: Path) -> None:
    """The other parts keep their results."""
    done = soak("--parts", "month", "--people=0", "--games=1", "--days=1", TMPDIR=str(tmp_path))
    assert (last_line(done)["faults"], done.returncode) == (["month: ended with 1"], 1)
