"""The board of Splendor: what there is, what it means to its reader, and what each click leads to."""

from games.boards.splendor.build import build
from games.boards.splendor.parts import Board

__all__ = ["Board", "build"]
