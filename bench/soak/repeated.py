"""The tests that are marked `repeated`, at full length, with fresh seeds."""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

PYTEST = (sys.executable, "-m", "pytest", "-q", "-n", "auto", "-m", "repeated", "--long")


def run(seed: int, *options: str) -> dict[str, Any]:
    """How often each module's tests ran, and which failed; the first seed is that one."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run([*PYTEST, f"--fresh={seed}", f"--junitxml={report}", *options], check=False)
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    failed = [case for case in cases if {child.tag for child in case} & {"failure", "error"}]
    faults = [f"{case.get('classname')}: {case.get('name')}" for case in failed]
    if done.returncode and not faults:
        faults = [f"pytest ended with {done.returncode}"]
    return {"counts": Counter(case.get("classname") for case in cases), "faults": faults}
