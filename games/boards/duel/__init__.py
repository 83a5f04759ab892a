"""The board of Splendor Duel."""

from games.boards.duel.build import build
from games.boards.duel.opening import opening
from games.boards.duel.parts import Board
from games.boards.duel.pieces import pieces

__all__ = ["Board", "build", "opening", "pieces"]
