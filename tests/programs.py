"""Programs that play as external bots."""

import shlex
import sys
from pathlib import Path


def program(folder: Path, text: str) -> str:
    """The name, for `simulate`, of the external bot with this program; `folder` is where the program is written."""
    path = folder / "player.py"
    path.write_text(text)
    return f"exec:{shlex.join([sys.executable, '-IS', str(path)])}"
