"""Two benches that nothing else starts still run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree import ROOT


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "row"),
    [(["bench.mails"], "A batch is"), (["bench.feel", "--turns=2", "--latency", "0"], "duel")],
    ids=["mails", "feel"],
)
def test_a_bench_runs_as_typed(words: list[str], row: str, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, row in done.stdout) == (0, True), done.stdout + done.stderr
