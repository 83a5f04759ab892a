"""The training of the networks: `python -m games.bots.train --help`."""

from pathlib import Path

STATE = Path(__file__).parent / "state"
"""Where training runs are kept in the repository."""
