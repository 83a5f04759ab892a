"""The toy in mails."""

from collections.abc import Callable, Mapping, Sequence

from games.mails.parts import LabelledLine, Run, Section, line
from tests.toy.board import Board

DRAWN: Mapping[str, Callable[[str], Run]] = {}


def position(board: Board, names: Sequence[str]) -> list[Section]:
    assert board.seat is not None
    return [
        Section(
            "What you have", rows=(LabelledLine("Sum", line(str(sum(card or 0 for card in board.hands[board.seat])))),)
        )
    ]
