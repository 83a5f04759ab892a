"""The board of Splendor: its parts, their meaning to the reader, and the drafts that clicks lead to."""

from games.boards.splendor.build import build
from games.boards.splendor.opening import opening
from games.boards.splendor.parts import Board

__all__ = ["Board", "build", "opening"]
