"""The board of Splendor: its parts, their meaning to the reader, and the drafts that clicks lead to."""

from games.boards.splendor.build import build
from games.boards.splendor.opening import opening
from games.boards.splendor.parts import Board
from games.boards.splendor.pieces import pieces

__all__ = ["Board", "build", "opening", "pieces"]
