"""Starts the commands whose processes act at the same moment."""

import json
import os
import subprocess
import sys
from pathlib import Path


def race(mode: str | None, database: str, program: str = "race") -> dict[str, int]:
    result = subprocess.run(
        [sys.executable, "-m", f"tests.services.{program}", *([mode] if mode else [])],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "splendor_site.settings"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    found: dict[str, int] = json.loads(result.stdout.splitlines()[-1])
    return found
