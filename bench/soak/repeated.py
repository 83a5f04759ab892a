"""Runs the tests marked `repeated` or `long` at full length with fresh seeds."""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

PYTEST = (sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal")


def run(seed: int, *options: str) -> dict[str, Any]:
    """The number of tests that ran in each module, with the numbers that they recorded, and those that failed, or
    pytest's exit status if none ran. `seed` is the first seed."""
    chosen = (f"--fresh={seed}", "--long", "-m", "repeated or long")
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run([*PYTEST, *chosen, *options, f"--junitxml={report}"], check=False)
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    counts = Counter(case.get("classname") for case in cases)
    for recorded in (each for case in cases for each in case.iter("property")):
        counts[recorded.get("name")] += int(recorded.get("value", "0"))
    failed = [case for case in cases if {child.tag for child in case} & {"failure", "error"}]
    faults = [f"{case.get('classname')}: {case.get('name')}" for case in failed]
    if done.returncode and not faults:
        faults = [f"pytest ended with {done.returncode}"]
    return {"counts": counts, "faults": faults}
