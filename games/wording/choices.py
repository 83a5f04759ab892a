"""The decisions that the reader of a board can make now, with their words, as data for a browser that stages them."""

import msgspec

from games.boards.common import Board
from games.wording import board_words


class Choice(msgspec.Struct, omit_defaults=True):
    """A decision, with the controls that the reader touches to make it."""

    touches: tuple[str, ...]
    """The names of the controls: kinds of tokens (`w`), spaces (`c3`), a card, a deck (`L1`), a noble, a word."""
    moves: str
    """The decisions that its confirmation posts: those staged, and this one."""
    words: str
    """The words of the button that confirms them."""
    payment: str = ""
    """The tokens paid for a card. The first choice of a card pays with the least gold."""


class Choices(msgspec.Struct):
    number: int
    """The number of the decision that a post is for."""
    draft: str
    """The present draft."""
    choices: list[Choice]
    """All legal decisions after the staged ones; empty unless the reader is to act."""


def dump(slug: str, board: Board) -> bytes:
    """`Choices` as JSON, in the reader's language."""
    words = board_words(slug).confirm_words
    choices = [Choice(option.touches, option.moves, words(option.pieces), option.payment) for option in board.options]
    return msgspec.json.encode(Choices(board.number, board.draft, choices))
