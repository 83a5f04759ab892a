"""The board of Splendor Duel."""

from games.boards.duel.build import build
from games.boards.duel.opening import opening
from games.boards.duel.parts import Board

__all__ = ["Board", "build", "opening"]
