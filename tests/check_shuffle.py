"""Runs the script with which players check a shuffle."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "games" / "static" / "games" / "check_shuffle.py"


def run(*arguments: str) -> tuple[int, str]:
    # Isolated mode: only the standard library can be imported.
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr
