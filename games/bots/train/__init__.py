"""The training of the networks: `python -m games.bots.train --help`."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

STATE = Path(__file__).parent / "state"
"""Where training runs are kept in the repository."""


def title(slug: str) -> ModuleType:
    """The title's module beside this one, which knows the meaning of its features."""
    return import_module(f"games.bots.train.{slug}")
